/** Every request that this server accepts, Node.js accepts with the same meaning and the same end: this server is never more lenient (RFC 9112 11.2). */

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { mutatedRequests } from '@flowgate/testing/mutated-requests';
import { type HttpReaders, startHttpReaders, takenOf } from '../../test/http-readers.ts';

/** `DIFFERENTIAL_REQUESTS=100000` tries more. */
const count = Number(Bun.env['DIFFERENTIAL_REQUESTS'] ?? 2_000);
const seed = Number(Bun.env['DIFFERENTIAL_SEED'] ?? 20_261_122);

let readers: HttpReaders;

beforeAll(async () => {
  readers = await startHttpReaders();
});
afterAll(() => readers.stop());

test(`${count} mutated requests: Node.js accepts every accepted request with the same meaning`, async () => {
  const requests = mutatedRequests(count, seed);
  const differing: string[] = [];
  let taken = 0;
  const work = [...requests];
  const worker = async () => {
    for (let text = work.pop(); text !== undefined; text = work.pop()) {
      const [own, other] = (await Promise.all([readers.here(text), readers.node(text)])).map(takenOf);
      taken += own?.length ?? 0;
      // Being stricter is allowed: the requests understood here are the first of those that Node.js understood.
      if (own?.some((each, at) => each !== other?.[at]))
        differing.push(`${JSON.stringify(text)}: ${own} and not ${other}`);
    }
  };
  await Promise.all(Array.from({ length: 16 }, worker));
  expect(differing.slice(0, 10)).toEqual([]);
  // Guards against a corpus that is nearly all invalid.
  expect(taken).toBeGreaterThan(count / 10);
}, 600_000);
