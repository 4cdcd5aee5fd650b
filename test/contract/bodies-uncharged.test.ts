/**
 * Limits the bytes that the gateway decodes for requests without a charge: from users without remaining requests, and
 * from callers without a credential (docs/decisions/0042).
 */

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { type RawAnswer, rawRequest } from '@flowgate/testing/raw-http';
import { openRaw } from '../../apps/gateway/test/fixtures/checked-raw-http.ts';
import { type RunningGateway, startGateway } from '../../apps/gateway/test/fixtures/running-gateway.ts';

const limit = 20;
const maxBodyBytes = 20_000;
/** Four maximum bodies. */
const unchargedBytes = 4 * maxBodyBytes;

let gateway: RunningGateway;
beforeAll(async () => {
  gateway = await startGateway({ config: { limits: { userPerMinute: limit, maxBatch: 10, maxBodyBytes } } });
});
afterAll(() => gateway.stop());

const call = (id: number, param = '') => ({ jsonrpc: '2.0', id, method: 'eth_call', params: [param] });
const batchOf = (length: number, bytes: number) =>
  Array.from({ length }, (_, id) => call(id, 'a'.repeat(Math.floor(bytes / length))));

/** Sends a body without its end, and returns the response that arrives nevertheless. */
async function withhold(path: string, headers: readonly string[], body: string): Promise<RawAnswer | undefined> {
  const connection = await openRaw(gateway.port);
  const head = ['Host: gateway', ...headers, `Content-Length: ${body.length}`];
  connection.send(rawRequest(`POST ${path} HTTP/1.1`, head, body.slice(0, -1)));
  const answer = await connection.next();
  connection.close();
  return answer;
}

test('batches that exceed the limit are decoded up to a number of bytes per minute, then refused unread with the same headers (contract/limits)', async () => {
  const { apiKey } = await gateway.mint('persistent');
  const credential = [`X-API-Key: ${apiKey}`];
  expect((await gateway.rpc(apiKey, batchOf(10, 100))).status).toBe(200);
  expect((await gateway.rpc(apiKey, batchOf(8, 100))).status).toBe(200);
  // Creating the key counted, too. One request is left: batches of two exceed the limit and are refused for that reason
  // after they were read.
  const two = JSON.stringify(batchOf(2, 8_000));
  for (let sent = 0; sent < unchargedBytes; sent += two.length) {
    const refused = await gateway.rpc(apiKey, two);
    expect([refused.status, refused.headers.get('x-ratelimit-remaining')]).toEqual([429, '1']);
  }
  const unread = await withhold('/rpc', credential, two);
  expect(unread?.status).toBe(429);
  expect(unread?.headers.get('x-ratelimit-limit')).toBe(String(limit));
  expect(unread?.headers.get('x-ratelimit-remaining')).toBe('1');
  expect(Number(unread?.headers.get('x-ratelimit-reset'))).toBeGreaterThan(0);
  // Any batch within the limit works: ten requests are free when the first ten calls have left the window.
  expect(Number(unread?.headers.get('retry-after'))).toBeWithin(50, 61);
  // The remaining request is still available to a single call.
  expect((await gateway.rpc(apiKey, call(1))).status).toBe(200);
  expect((await gateway.rpc(apiKey, call(1))).status).toBe(429);
});

test('the limit of decoded bytes is per user: it affects neither other users nor requests within the rate limit', async () => {
  const { apiKey } = await gateway.mint('honest');
  const large = JSON.stringify(batchOf(1, 15_000));
  for (let n = 0; n < 10; n++) expect((await gateway.rpc(apiKey, large)).status).toBe(200);
  expect((await gateway.rpc(apiKey, large)).status).toBe(200);
});

test('messages of agents are limited in the same way', async () => {
  const { apiKey } = await gateway.mint('agent');
  const headers = { 'X-API-Key': apiKey, Accept: 'application/json, text/event-stream' };
  const credential = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  for (let n = 0; n < limit; n++) await gateway.rpc(apiKey, call(n));
  const message = JSON.stringify({ ...call(1, 'a'.repeat(15_000)), method: 'ping' });
  for (let sent = 0; sent < unchargedBytes; sent += message.length) {
    const refused = await gateway.fetch('/mcp', { method: 'POST', headers, body: message });
    expect(refused.status).toBe(429);
  }
  expect((await withhold('/mcp', credential, message))?.status).toBe(429);
});

test('without a credential, an address has ids read for a limited number of bytes per minute; the answer stays the same (contract/credentials#missing-and-invalid)', async () => {
  const idOf = async (body: string) => {
    const answer = await gateway.fetch('/rpc', { method: 'POST', body });
    expect(answer.status).toBe(401);
    const { id }: { id: unknown } = JSON.parse(await answer.text());
    return id;
  };
  const large = JSON.stringify(call(7, 'a'.repeat(16_000)));
  expect(await idOf(large)).toBe(7);
  let read = 1;
  while ((await idOf(large)) === 7) read += 1;
  // Two MiB, plus the refill during the requests.
  expect(read * large.length).toBeWithin(2_000_000, 4_000_000);
  expect(await idOf(JSON.stringify(call(8)))).toBe(8);
  const { apiKey } = await gateway.mint('neighbour');
  expect((await gateway.rpc(apiKey, call(9, 'a'.repeat(16_000)))).status).toBe(200);
});
