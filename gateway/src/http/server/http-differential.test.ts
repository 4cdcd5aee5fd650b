/** Whatever this server takes for a request, Node.js' takes for the same request: it is never more lenient, and never sees another end (RFC 9112 11.2). */

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { join } from 'node:path';
import type { Subprocess } from 'bun';
import { mutatedRequests } from '../../../test/fixtures/mutated-requests.ts';
import { openRaw, type RawAnswer } from '../../../test/fixtures/raw-http.ts';
import { systemClock } from '../../platform/clock.ts';
import { type HttpServer, startHttpServer } from './http-server.ts';

/** `DIFFERENTIAL_REQUESTS=100000` tries more. */
const count = Number(Bun.env['DIFFERENTIAL_REQUESTS'] ?? 2_000);
const seed = Number(Bun.env['DIFFERENTIAL_SEED'] ?? 20_261_122);

let server: HttpServer;
let node: Subprocess<'ignore', 'pipe', 'inherit'>;
let nodePort: number;

beforeAll(async () => {
  server = startHttpServer({
    hostname: '127.0.0.1',
    port: 0,
    handler: {
      async handle({ method, target, body }) {
        let text = '';
        try {
          for (let piece = await body.next(); piece !== undefined; piece = await body.next())
            text += Buffer.from(piece).toString('latin1');
        } catch {
          return { status: 400, headers: {}, body: '' };
        }
        return { status: 200, headers: {}, body: JSON.stringify([method, target, text]) };
      },
      refuse: ({ status }) => ({ status, headers: {}, body: '' }),
    },
    timeouts: { headMs: 60_000, idleMs: 60_000, writeMs: 60_000, discardMs: 60_000 },
    maxConnections: 1_000,
    maxConnectionsPerAddress: 1_000,
    isTrusted: () => false,
    clock: systemClock,
    failed: (cause) => {
      throw cause;
    },
  });
  node = Bun.spawn(['node', join(import.meta.dir, '../../../test/fixtures/node-http-echo.mjs')], {
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'inherit',
  });
  const { value } = await node.stdout.getReader().read();
  nodePort = Number(Buffer.from(value ?? new Uint8Array()).toString());
});
afterAll(async () => {
  node.kill();
  await server.stop(0);
});

/** What a server understood before it refused, closed, or waited for more. */
async function understood(port: number, text: string): Promise<readonly string[]> {
  const connection = await openRaw(port);
  connection.send(Buffer.from(text, 'latin1'));
  connection.finish();
  const taken: string[] = [];
  for (
    let answer: RawAnswer | undefined = await connection.next();
    answer !== undefined;
    answer = await connection.next()
  )
    if (answer.status === 200) taken.push(sameForm(answer.body));
  connection.close();
  return taken;
}

/** Node.js shows the absolute form whole, this server the part that is a path: both name the same thing, for Host agrees. */
function sameForm(body: string): string {
  const [method, target, content]: [string, string, string] = JSON.parse(body);
  return JSON.stringify([
    method,
    target.replace(/^https?:\/\/[^/?]*(?=[/?]|$)/i, '').replace(/^(?!\/|\*$)/, '/'),
    content,
  ]);
}

test(`${count} mutated requests: what is taken is what Node.js takes`, async () => {
  const requests = mutatedRequests(count, seed);
  const differing: string[] = [];
  let taken = 0;
  const work = [...requests];
  const worker = async () => {
    for (let text = work.pop(); text !== undefined; text = work.pop()) {
      const [own, other] = await Promise.all([understood(server.port, text), understood(nodePort, text)]);
      taken += own.length;
      // Stricter is fine: what is understood is a beginning of what the other understood.
      if (own.some((each, at) => each !== other[at]))
        differing.push(`${JSON.stringify(text)}: ${own} and not ${other}`);
    }
  };
  await Promise.all(Array.from({ length: 16 }, worker));
  expect(differing.slice(0, 10)).toEqual([]);
  // The corpus is no heap of rubbish.
  expect(taken).toBeGreaterThan(count / 10);
}, 600_000);
