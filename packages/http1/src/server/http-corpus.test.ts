/**
 * For each request of the corpus, compares what this server and Node.js in strict mode accept. This server never
 * accepts more, and each case of less has a reason (RFC 9112 11.2).
 */

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type HttpReaders, startHttpReaders, takenOf } from '../../test/http-readers.ts';
import { httpRequests } from '../../test/http-requests.ts';

let readers: HttpReaders;

beforeAll(async () => {
  readers = await startHttpReaders();
});
afterAll(() => readers.stop());

for (const { about, cases } of httpRequests)
  describe(about, () => {
    test.each(cases.map((each) => [each.name, each] as const))('%s', async (_name, { bytes, here, stricter }) => {
      const [own, node] = await Promise.all([readers.here(bytes), readers.node(bytes)]);
      expect(own).toEqual([...here]);
      const [taken, takenThere] = [takenOf(own), takenOf(node)];
      expect(takenThere.slice(0, taken.length)).toEqual([...taken]);
      expect(stricter !== undefined).toBe(takenThere.length > taken.length);
    });
  });
