/** Answers are ranges of the pieces that the runtime delivers, so it must not write to a piece again (docs/decisions/0083). */

import { afterAll, afterEach, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { TextContent } from '@flowgate/bytes/byte-content';
import { certificateMaker } from '@flowgate/testing/certificates';
import { endAll, open, reply, serve } from '@flowgate/testing/raw-http1-server';

const maker = certificateMaker();
afterAll(maker.remove);
afterEach(endAll);

const made = maker.make('local');
const local = { cert: made.pem, key: readFileSync(made.key, 'utf8') };
const chunked = (body: string) =>
  `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;

for (const [name, tls] of [
  ['TCP', undefined],
  ['TLS', local],
] as const) {
  test(`over ${name}, later bytes on the connection do not overwrite an answer`, async () => {
    const { url, seen } = serve(
      (peer, { body }, count) => void peer.write(count % 3 === 0 ? chunked(body) : reply(body)),
      tls === undefined ? {} : { tls },
    );
    const client = open(url, { maxConnections: 1, ...(tls === undefined ? {} : { tls: { ca: tls.cert } }) });
    const bodies = Array.from({ length: 200 }, (_, nth) => `${nth} `.repeat(1 + ((nth * 37) % 900)));
    const remaining: string[] = [];
    const ranges = [];
    for (const body of bodies) {
      ranges.push(
        await client.ask(new TextContent(body), {
          timeoutMs: 10_000,
          outcome: (answer) => (answer.ok ? answer.content : undefined),
        }),
      );
    }
    for (const range of ranges) remaining.push(range?.text() ?? '');
    expect(remaining).toEqual(bodies);
    expect(seen.connections).toBe(1);
  });
}
