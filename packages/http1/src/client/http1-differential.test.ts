/** Every answer that this client accepts, Node.js' client accepts with the same meaning, however the bytes are split (RFC 9112 11.1). */

import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { mutatedFrom } from '@flowgate/testing/mutated-requests';
import { ResponseReader } from './http1-response-reader.ts';

/** `DIFFERENTIAL_ANSWERS=100000` tries more. */
const count = Number(Bun.env['DIFFERENTIAL_ANSWERS'] ?? 3_000);
const seed = Number(Bun.env['DIFFERENTIAL_SEED'] ?? 20_261_122);

const json = 'Content-Type: application/json\r\n';
const bases: readonly string[] = [
  `HTTP/1.1 200 OK\r\n${json}Content-Length: 5\r\n\r\nhello`,
  `HTTP/1.1 200 OK\r\nDate: Sun, 22 Nov 2026 12:00:00 GMT\r\n${json}Connection: keep-alive\r\nContent-Length: 5\r\n\r\nhello`,
  `HTTP/1.1 200 OK\r\n${json}Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n`,
  'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5;x=y\r\nhello\r\n1\r\n!\r\n0\r\nX-Sum: z\r\n\r\n',
  `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n${json}Content-Length: 5\r\n\r\nhello`,
  `HTTP/1.1 503 Away\r\nRetry-After: 1\r\nConnection: close\r\nContent-Length: 5\r\n\r\nhello`,
  `HTTP/1.1 200 OK\r\n${json}\r\nhello`,
  `HTTP/1.0 200 OK\r\n${json}Content-Length: 5\r\n\r\nhello`,
  'HTTP/1.1 204 No Content\r\nKeep-Alive: timeout=5\r\n\r\n',
];

type Verdict = readonly [status: number, content: string];
/** `bytes`: where the answer ends. */
type Taken = { readonly verdict: Verdict; readonly bytes: number };

/** Undefined when it is refused. `cuts`: the offsets at which the bytes are split into pieces. */
function taken(bytes: Buffer, cuts: readonly number[]): Taken | undefined {
  const reader = new ResponseReader(1 << 20);
  reader.readWhole(1 << 20);
  let at = 0;
  for (const end of [...cuts, bytes.length]) {
    const result = reader.push(Uint8Array.from(bytes.subarray(at, end)));
    if (result === 'done') return takenBy(reader, at + reader.usedTo);
    if (result !== 'more') return undefined;
    at = end;
  }
  return reader.end() === 'done' ? takenBy(reader, bytes.length) : undefined;
}

function takenBy({ status, whole }: ResponseReader, bytes: number): Taken {
  return { verdict: [status, Buffer.from(whole?.bytes ?? []).toString('latin1')], bytes };
}

/** The verdict of Node.js on each answer. */
async function others(answers: readonly Buffer[]): Promise<readonly (Verdict | null)[]> {
  const node = Bun.spawn(['node', join(import.meta.dir, '../../test/node-http-answers.mjs')], {
    stdin: Buffer.from(answers.map((bytes) => `${bytes.toString('base64')}\n`).join('')),
    stdout: 'pipe',
    stderr: 'inherit',
  });
  const lines = (await new Response(node.stdout).text()).trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line));
}

test(`${count} mutated answers: Node.js accepts every accepted answer with the same meaning, in one piece, in two, and byte by byte`, async () => {
  const answers = mutatedFrom(bases, count, seed).map((text) => Buffer.from(text, 'latin1'));
  const differing: string[] = [];
  const both: { readonly own: Verdict; readonly bytes: Buffer }[] = [];
  for (const bytes of answers) {
    const own = taken(bytes, []);
    for (const cuts of [[bytes.length >> 1], [bytes.indexOf('\r\n\r\n') + 2], Array.from(bytes.keys())])
      if (!Bun.deepEquals(own, taken(bytes, cuts)))
        differing.push(`split at ${cuts}: ${JSON.stringify(String(bytes))}`);
    if (own !== undefined) both.push({ own: own.verdict, bytes: bytes.subarray(0, own.bytes) });
  }
  // Being stricter is allowed. Bytes after an answer cost only the connection here; in Node.js they cost the answer, too.
  const theirs = await others(both.map(({ bytes }) => bytes));
  for (const [index, { own, bytes }] of both.entries())
    if (!Bun.deepEquals(own, theirs[index]))
      differing.push(`${JSON.stringify(String(bytes))}: ${own}, not ${theirs[index]}`);
  expect(differing.slice(0, 10)).toEqual([]);
  // Guards against a corpus that is nearly all invalid.
  expect(both.length).toBeGreaterThan(count / 10);
}, 600_000);
