/**
 * The bodies of one caller do not use up the buffers for other callers: announced, withheld or trickled bodies, on
 * every path that reads one (docs/decisions/0042).
 */

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type RawConnection, rawRequest } from '@flowgate/testing/raw-http';
import { until } from '@flowgate/testing/until';
import { openRaw } from '../../apps/gateway/test/fixtures/checked-raw-http.ts';
import { answering } from '../../apps/gateway/test/fixtures/fake-node.ts';
import { type RunningGateway, startGateway } from '../../apps/gateway/test/fixtures/running-gateway.ts';

const maxBodyBytes = 1_000_000;
/** Four shares of two maximum bodies each. */
const room = 8 * maxBodyBytes;

let gateway: RunningGateway;
let hoarder: string;
let other: string;

beforeAll(async () => {
  gateway = await startGateway({
    config: { limits: { userPerMinute: 100_000, maxBodyBytes, maxBodyBytesInFlight: room } },
  });
  gateway.node.behave(answering('"0x"'));
  hoarder = (await gateway.mint('hoarder')).apiKey;
  other = (await gateway.mint('other')).apiKey;
});
afterAll(() => gateway.stop());

const open: RawConnection[] = [];
function closeAll(): void {
  for (const connection of open.splice(0)) connection.close();
}
afterAll(closeAll);

async function begin(path: string, headers: readonly string[], body = ''): Promise<RawConnection> {
  const connection = await openRaw(gateway.port);
  open.push(connection);
  connection.send(rawRequest(`POST ${path} HTTP/1.1`, ['Host: gateway', ...headers], body));
  return connection;
}

const callOf = (bytes: number) => {
  const call = (params: string) => `{"jsonrpc":"2.0","id":1,"method":"eth_call","params":["${params}"]}`;
  return call('a'.repeat(bytes - call('').length));
};
const chunkOf = (part: string) => `${part.length.toString(16)}\r\n${part}\r\n`;

/** A body of maximum size, with a length and in chunks: the gateway accepts both. */
async function expectRoom(apiKey: string): Promise<void> {
  const body = callOf(maxBodyBytes);
  const chunked = await begin('/rpc', [`X-API-Key: ${apiKey}`, 'Transfer-Encoding: chunked'], chunkOf(body));
  chunked.send('0\r\n\r\n');
  expect((await gateway.rpc(apiKey, body)).status).toBe(200);
  expect((await chunked.next())?.status).toBe(200);
  chunked.close();
}

/**
 * Repeats the request until the answer is as expected: a buffer is released when the gateway has noticed that a
 * connection is closed.
 */
function untilRoom(apiKey: string): Promise<void> {
  return until('a buffer is released', async () => {
    const { status } = await gateway.rpc(apiKey, callOf(maxBodyBytes));
    if (status !== 200) expect(status).toBe(503);
    return status === 200;
  });
}

const paths: readonly (readonly [string, (key: string) => readonly string[]])[] = [
  ['/rpc', (key) => [`X-API-Key: ${key}`]],
  ['/mcp', (key) => [`X-API-Key: ${key}`, 'Accept: application/json, text/event-stream']],
  ['/flow/sessions', (key) => [`X-API-Key: ${key}`]],
  ['/users/me/api-keys', () => [`Authorization: Bearer ${gateway.token('hoarder')}`]],
];

describe('a body that is announced but not sent reserves no buffer', () => {
  for (const [path, credential] of paths)
    test(`on ${path}`, async () => {
      for (const framing of ['Transfer-Encoding: chunked', `Content-Length: ${maxBodyBytes}`])
        for (let n = 0; n < 26; n++) await begin(path, [...credential(hoarder), framing]);
      await expectRoom(hoarder);
      await expectRoom(other);
      closeAll();
    });

  test('from a caller without a credential', async () => {
    for (let n = 0; n < 52; n++) await begin('/rpc', ['Transfer-Encoding: chunked']);
    await expectRoom(hoarder);
    closeAll();
  });
});

describe('an incomplete body reserves buffers of its sender’s share only', () => {
  for (const [path, credential] of paths)
    test(`on ${path}`, async () => {
      const part = ' '.repeat(maxBodyBytes - 10);
      const withheld: RawConnection[] = [];
      for (let n = 0; n < 12; n++)
        withheld.push(
          n % 2 === 0
            ? await begin(path, [...credential(hoarder), `Content-Length: ${maxBodyBytes}`], part)
            : await begin(path, [...credential(hoarder), 'Transfer-Encoding: chunked'], chunkOf(part)),
        );
      // Requests that exceed the share are answered before they end.
      const full = await Promise.race(withheld.map((connection) => connection.next()));
      expect([full?.status, full?.headers.get('retry-after')]).toEqual([503, '1']);
      expect(full?.body).toContain('use all memory reserved for you');
      await expectRoom(other);
      expect((await gateway.rpc(hoarder, callOf(2_000))).status).toBe(200);
      closeAll();
      await untilRoom(hoarder);
    });
});

test('a body reserves its buffer until it is answered, also while it waits for a node', async () => {
  const bothArrived = Promise.withResolvers<void>();
  const mayAnswer = Promise.withResolvers<void>();
  let arrived = 0;
  gateway.node.behave(async (body, request) => {
    arrived += 1;
    if (arrived === 2) bothArrived.resolve();
    if (arrived <= 2) await mayAnswer.promise;
    return answering('"0x"')(body, request);
  });
  const waiting = [gateway.rpc(hoarder, callOf(maxBodyBytes)), gateway.rpc(hoarder, callOf(maxBodyBytes))];
  await bothArrived.promise;
  expect((await gateway.rpc(hoarder, callOf(maxBodyBytes))).status).toBe(503);
  expect((await gateway.rpc(other, callOf(maxBodyBytes))).status).toBe(200);
  mayAnswer.resolve();
  expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([200, 200]);
  gateway.node.behave(answering('"0x"'));
  await expectRoom(hoarder);
});

test('a body whose sender disconnects releases its buffer', async () => {
  // If a buffer were lost, the share would be full from the second round on.
  for (let round = 0; round < 5; round++) {
    const headers = [`X-API-Key: ${hoarder}`, `Content-Length: ${maxBodyBytes}`];
    const withheld = await Promise.all(
      Array.from({ length: 3 }, () => begin('/rpc', headers, ' '.repeat(maxBodyBytes - 10))),
    );
    // The share has buffers for two, so one of three is refused once their bytes have arrived.
    const refused = await Promise.race(withheld.map((connection) => connection.next()));
    expect(refused?.status).toBe(503);
    closeAll();
    await untilRoom(hoarder);
  }
});

test('a body in chunks of one byte is accepted', async () => {
  const body = callOf(100_000);
  const connection = await begin('/rpc', [`X-API-Key: ${hoarder}`, 'Transfer-Encoding: chunked']);
  connection.send(`${[...body].map(chunkOf).join('')}0\r\n\r\n`);
  expect((await connection.next())?.status).toBe(200);
  expect(gateway.node.received.at(-1)).toContain(body.slice(body.indexOf('"a'), -1));
});
