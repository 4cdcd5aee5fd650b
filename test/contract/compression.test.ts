/** Content codings of responses and request bodies (contract/conventions#compression). */

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { connect } from 'node:net';
import { createZstdCompress, gunzipSync, gzipSync, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { rawRequest } from '@flowgate/testing/raw-http';
import { until } from '@flowgate/testing/until';
import { expectStandardError } from '../../apps/gateway/test/fixtures/answers.ts';
import { answering, wellBehaved } from '../../apps/gateway/test/fixtures/fake-node.ts';
import { type RunningGateway, startGateway } from '../../apps/gateway/test/fixtures/running-gateway.ts';

const maxBodyBytes = 5_242_880;
let gateway: RunningGateway;
let key: string;

beforeAll(async () => {
  gateway = await startGateway({ config: { limits: { userPerMinute: 100_000 } } });
  key = (await gateway.mint()).apiKey;
});
afterAll(() => gateway.stop());
beforeEach(() => {
  gateway.node.behave(wellBehaved);
  gateway.node.received.length = 0;
});

const call = '{"jsonrpc":"2.0","id":1,"method":"eth_call","params":[]}';
const decoders = {
  zstd: zstdDecompressSync,
  gzip: gunzipSync,
  identity: (bytes: Uint8Array) => Buffer.from(bytes),
} as const;

/** The raw response, because clients decode it. */
async function ask(path: string, accept: string | undefined, init: RequestInit = {}) {
  const headers = { 'X-API-Key': key, 'Accept-Encoding': accept ?? 'identity', ...(init.headers as object) };
  const answer = await fetch(`${gateway.url}${path}`, { ...init, headers, decompress: false } as RequestInit);
  const coding = answer.headers.get('content-encoding') ?? 'identity';
  const bytes = await answer.bytes();
  const text =
    bytes.length > 0 && coding in decoders ? decoders[coding as keyof typeof decoders](bytes).toString() : '';
  return { status: answer.status, coding, vary: answer.headers.get('vary'), bytes, text };
}
const askRpc = (accept: string | undefined, body = call) => ask(`/rpc`, accept, { method: 'POST', body });
const resultOf = (bytes: number) =>
  JSON.stringify('0123456789abcdef'.repeat(Math.ceil(bytes / 16)).slice(0, bytes - 2));
const whole = (result: string) => `{"jsonrpc":"2.0","id":1,"result":${result}}`;

describe('responses of 1 KiB and more (contract/conventions#compression)', () => {
  for (const bytes of [1_024, 5_000, 65_000, 70_000, 3_000_000])
    for (const [accept, coding] of [
      ['gzip, deflate, br, zstd', 'zstd'],
      ['gzip', 'gzip'],
      ['zstd;q=0.1, gzip;q=0.2', 'gzip'],
      ['br', 'identity'],
    ] as const)
      test(`${bytes} bytes for ${accept}: ${coding}, which decodes to the node’s own bytes`, async () => {
        gateway.node.behave(answering(resultOf(bytes)));
        const answer = await askRpc(accept);
        expect([answer.status, answer.coding, answer.vary]).toEqual([200, coding, 'Accept-Encoding']);
        expect(answer.text === whole(resultOf(bytes))).toBe(true);
        if (coding !== 'identity') expect(answer.bytes.length).toBeLessThan(bytes / 2);
      });

  test('shorter responses are sent uncompressed', async () => {
    gateway.node.behave(answering(resultOf(900)));
    expect(await askRpc('zstd, gzip')).toMatchObject({ coding: 'identity', vary: null, text: whole(resultOf(900)) });
  });

  test('a response that compression does not shorten is sent uncompressed', async () => {
    const noise = JSON.stringify(Buffer.from(crypto.getRandomValues(new Uint8Array(3_000))).toString('base64'));
    gateway.node.behave(answering(noise));
    for (const accept of ['zstd', 'gzip']) expect((await askRpc(accept)).text).toBe(whole(noise));
  });

  test('batches, REST, the OpenAPI document and errors are compressed', async () => {
    const long = call.replace('[]', `["${'x'.repeat(700)}"]`);
    const batch = await askRpc('gzip', `[${long},${long.replace('"id":1', '"id":2')}]`);
    expect([batch.coding, JSON.parse(batch.text)]).toEqual(['gzip', [expect.anything(), expect.anything()]]);
    const document = await ask('/openapi.json', 'zstd');
    expect([document.coding, document.vary]).toEqual(['zstd', 'Accept-Encoding']);
    expect(JSON.parse(document.text).openapi).toBe('3.1.0');
    expect(document.bytes.length).toBeLessThan(document.text.length / 5);
    const elsewhere = await ask('/openapi.json', 'gzip', { headers: { Origin: 'http://elsewhere' } });
    expect([elsewhere.coding, elsewhere.vary]).toEqual(['gzip', 'Origin, Accept-Encoding']);
  });

  test('HEAD has the headers of GET and no body', async () => {
    const answer = await ask('/openapi.json', 'gzip', { method: 'HEAD' });
    expect([answer.status, answer.coding, answer.bytes.length]).toEqual([200, 'gzip', 0]);
  });

  test('further responses of a caller with several large ones in flight are uncompressed; other callers’ are compressed', async () => {
    const noise = JSON.stringify(Buffer.from(crypto.getRandomValues(new Uint8Array(6_000_000))).toString('base64'));
    gateway.node.behave(answering(noise));
    const sockets = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const socket = connect(gateway.port, '127.0.0.1');
        const lines = ['Host: x', `X-API-Key: ${key}`, 'Accept-Encoding: gzip', `Content-Length: ${call.length}`];
        socket.write(rawRequest('POST /rpc HTTP/1.1', lines, call));
        // The client reads the first bytes and then stops.
        const first = await new Promise<Buffer>((resolve) => socket.once('data', resolve));
        socket.pause();
        expect(first.toString('latin1')).toMatch(/\r\nContent-Encoding: gzip\r\n/);
        return socket;
      }),
    );
    gateway.node.behave(answering(resultOf(100_000)));
    expect((await askRpc('gzip')).coding).toBe('identity');
    const { apiKey } = await gateway.mint('another-user');
    expect((await ask('/rpc', 'gzip', { method: 'POST', body: call, headers: { 'X-API-Key': apiKey } })).coding).toBe(
      'gzip',
    );
    for (const socket of sockets) socket.destroy();
    await until('the compression slots are free again', async () => (await askRpc('gzip')).coding === 'gzip');
  });
});

describe('request bodies (contract/conventions#compression)', () => {
  const encoders = { gzip: gzipSync, zstd: zstdCompressSync, 'X-GZIP': gzipSync } as const;
  const rpcOf = (bytes: number) =>
    `{"jsonrpc":"2.0","id":1,"method":"eth_call","params":["${'x'.repeat(bytes - 58)}"]}`;
  const send = (body: Uint8Array, coding: string, path = `/rpc/${key}`) =>
    gateway.fetch(path, { method: 'POST', headers: { 'Content-Encoding': coding }, body: Uint8Array.from(body) });

  for (const [coding, encode] of Object.entries(encoders)) {
    test(`${coding}: a call of any size up to the limit reaches the node unchanged`, async () => {
      gateway.node.behave(answering('1'));
      for (const bytes of [100, 70_000, maxBodyBytes]) {
        const sent = rpcOf(bytes);
        expect(sent).toHaveLength(bytes);
        expect((await send(encode(Buffer.from(sent)), coding)).status).toBe(200);
        expect(gateway.node.received.at(-1)).toContain(`"${'x'.repeat(bytes - 58)}"`);
      }
    });

    test(`${coding}: a body over the limit after decompression is 413, for any compressed size`, async () => {
      for (const bytes of [maxBodyBytes + 1, 100_000_000]) {
        const bomb = encode(Buffer.alloc(bytes, 0x20));
        await expectStandardError(await send(bomb, coding, `/rpc/${key}`), {
          status: 413,
          error: 'Payload too large',
          path: `/rpc/${key.split('.')[0]}.***`,
        });
      }
    });

    test(`${coding}: broken data is 400`, async () => {
      const bytes = encode(Buffer.from(call));
      for (const broken of [
        bytes.subarray(0, -1),
        Buffer.concat([bytes, Buffer.from('xxxx')]),
        Buffer.from(call),
        Buffer.alloc(0),
      ]) {
        const answer = await send(broken, coding);
        expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining('Content-Encoding')]);
      }
      expect(gateway.node.received).toEqual([]);
    });
  }

  test('REST accepts compressed bodies, within the route’s own limit', async () => {
    const mint = (body: string) =>
      gateway.fetch('/users/me/api-keys', {
        method: 'POST',
        headers: { Authorization: `Bearer ${gateway.token('zipper')}`, 'Content-Encoding': 'zstd' },
        body: Uint8Array.from(zstdCompressSync(Buffer.from(body))),
      });
    expect((await mint('{"label":"zipped"}')).status).toBe(201);
    expect((await mint(`{"label":"x","padding":"${'x'.repeat(maxBodyBytes)}"}`)).status).toBe(413);
  });

  test('a body without a valid credential is not decompressed, so the response has no id', async () => {
    const body = gzipSync('{"jsonrpc":"2.0","id":77,"method":"eth_call"}');
    const answer = await send(body, 'gzip', '/rpc/fk_0000000000000000.x');
    expect([answer.status, await answer.json()]).toEqual([403, expect.objectContaining({ id: null })]);
  });

  test('a user without remaining requests is refused before decompression', async () => {
    const poor = await startGateway({ config: { limits: { userPerMinute: 1 } } });
    try {
      const { apiKey } = await poor.mint('poor');
      const other = (await poor.mint('other')).apiKey;
      const sendTo = (one: string, body: Uint8Array) =>
        poor.fetch('/rpc', {
          method: 'POST',
          headers: { 'X-API-Key': one, 'Content-Encoding': 'gzip' },
          body: Uint8Array.from(body),
        });
      expect(apiKey).not.toBe(other);
      // Creating the key was the only request of that minute: broken data would be 400 if it were decompressed.
      expect((await sendTo(apiKey, Buffer.from('no gzip'))).status).toBe(429);
    } finally {
      await poor.stop();
    }
  });

  test('a frame that requires a large window is refused (RFC 9659)', async () => {
    const { constants } = await import('node:zlib');
    const encoder = createZstdCompress({ params: { [constants.ZSTD_c_windowLog]: 27 } });
    const pieces: Uint8Array[] = [];
    encoder.on('data', (piece: Uint8Array) => pieces.push(piece));
    const ended = new Promise((resolve) => encoder.on('end', resolve));
    encoder.write(Buffer.from(call.slice(0, 10)));
    encoder.end(Buffer.from(call.slice(10)));
    await ended;
    expect((await send(Buffer.concat(pieces), 'zstd')).status).toBe(400);
  });
});
