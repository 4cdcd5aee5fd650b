/** The runtime's own HTTP server, while it can still be chosen (docs/decisions/0063). */

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { expectStandardError } from '../fixtures/answers.ts';
import { type RunningGateway, startGateway } from '../fixtures/running-gateway.ts';

let gateway: RunningGateway;

beforeAll(async () => {
  gateway = await startGateway({ config: { server: { engine: 'bun' } } });
});
afterAll(() => gateway.stop());

test('mints a key, serves calls with it, and refuses others', async () => {
  const { apiKey } = await gateway.mint();
  const answer = await gateway.rpc(apiKey, { jsonrpc: '2.0', id: 1, method: 'eth_blockNumber' });
  expect(await answer.json()).toEqual({ jsonrpc: '2.0', id: 1, result: '0x10' });
  const refused = await gateway.fetch('/users/me/id', { headers: { 'X-API-Key': `${apiKey}x` } });
  await expectStandardError(refused, { status: 401, error: 'Unauthorized', path: '/users/me/id' });
});

test('reads bodies in pieces, and only so much of them', async () => {
  const { apiKey } = await gateway.mint();
  const body = `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_blockNumber' })}${' '.repeat(100_000)}`;
  const pieces = new ReadableStream({
    start(controller) {
      for (let at = 0; at < body.length; at += 10_000) controller.enqueue(Buffer.from(body.slice(at, at + 10_000)));
      controller.close();
    },
  });
  const headers = { 'X-API-Key': apiKey, 'Content-Type': 'application/json' };
  const served = await gateway.fetch('/rpc', { method: 'POST', headers, body: pieces });
  expect(await served.json()).toMatchObject({ result: '0x10' });
  const large = await gateway.fetch('/rpc', { method: 'POST', headers, body: 'x'.repeat(6_000_000) });
  expect(large.status).toBe(413);
});
