/** The bytes that are decoded for requests which then cost nothing are limited: for a user whose limit is used up, and for callers without a credential (docs/decisions/0042). */

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { type RawAnswer, rawRequest } from '@flowgate/testing/raw-http';
import { openRaw } from '../../apps/gateway/test/fixtures/checked-raw-http.ts';
import { type RunningGateway, startGateway } from '../../apps/gateway/test/fixtures/running-gateway.ts';

const limit = 20;
const maxBodyBytes = 20_000;
/** Four of the largest bodies. */
const unchargedBytes = 4 * maxBodyBytes;

let gateway: RunningGateway;
beforeAll(async () => {
  gateway = await startGateway({ config: { limits: { userPerMinute: limit, maxBatch: 10, maxBodyBytes } } });
});
afterAll(() => gateway.stop());

const call = (id: number, param = '') => ({ jsonrpc: '2.0', id, method: 'eth_call', params: [param] });
const batchOf = (length: number, bytes: number) =>
  Array.from({ length }, (_, id) => call(id, 'a'.repeat(Math.floor(bytes / length))));

/** Sends a body without its end, and returns the response that comes all the same. */
async function withhold(path: string, headers: readonly string[], body: string): Promise<RawAnswer | undefined> {
  const connection = await openRaw(gateway.port);
  const head = ['Host: gateway', ...headers, `Content-Length: ${body.length}`];
  connection.send(rawRequest(`POST ${path} HTTP/1.1`, head, body.slice(0, -1)));
  const answer = await connection.next();
  connection.close();
  return answer;
}

test('batches that do not fit are decoded for so many bytes a minute, then refused unread with the same headers (contract/limits)', async () => {
  const { apiKey } = await gateway.mint('persistent');
  const credential = [`X-API-Key: ${apiKey}`];
  expect((await gateway.rpc(apiKey, batchOf(10, 100))).status).toBe(200);
  expect((await gateway.rpc(apiKey, batchOf(8, 100))).status).toBe(200);
  // The mint counted too. One place is left: two do not fit, and are refused for exactly that, once they were read.
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
  // It may be any batch: ten places are free when the first ten calls have left.
  expect(Number(unread?.headers.get('retry-after'))).toBeWithin(50, 61);
  // The one place is still good for an ordinary call.
  expect((await gateway.rpc(apiKey, call(1))).status).toBe(200);
  expect((await gateway.rpc(apiKey, call(1))).status).toBe(429);
});

test('it is each user’s own: others are read as ever, and so is who stays within the limit', async () => {
  const { apiKey } = await gateway.mint('honest');
  const large = JSON.stringify(batchOf(1, 15_000));
  for (let n = 0; n < 10; n++) expect((await gateway.rpc(apiKey, large)).status).toBe(200);
  expect((await gateway.rpc(apiKey, large)).status).toBe(200);
});

test('agents’ messages are bounded in the same way', async () => {
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

test('without a credential, an address has its ids read for so many bytes a minute; the answer stays the same (contract/credentials#missing-and-invalid)', async () => {
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
  // Two MiB, and what flows back while they are sent.
  expect(read * large.length).toBeWithin(2_000_000, 4_000_000);
  expect(await idOf(JSON.stringify(call(8)))).toBe(8);
  const { apiKey } = await gateway.mint('neighbour');
  expect((await gateway.rpc(apiKey, call(9, 'a'.repeat(16_000)))).status).toBe(200);
});
