/** Events while a request body is in flight: a revocation, a drain, too many other bodies. */

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { connect, type Socket } from 'node:net';
import { systemClock } from '@flowgate/base/clock';
import { until } from '@flowgate/testing/until';
import { readByPeer } from '../../apps/gateway/test/fixtures/read-by-peer.ts';
import { type RunningGateway, startGateway } from '../../apps/gateway/test/fixtures/running-gateway.ts';

let gateway: RunningGateway;
beforeAll(async () => {
  gateway = await startGateway({ config: { limits: { userPerMinute: 20, maxBodyBytesInFlight: 6_000_000 } } });
});
afterAll(() => gateway.stop());

const sent: Socket[] = [];
afterAll(() => {
  for (const socket of sent) socket.destroy();
});

/** Sends the head and the body except for its end. `finish` sends the end and returns the whole response. */
async function withhold(apiKey: string, body: string, withheldBytes = 10) {
  const socket = connect(gateway.port, '127.0.0.1');
  sent.push(socket);
  let answer = '';
  const { promise: ended, resolve } = Promise.withResolvers<string>();
  socket.on('data', (data) => {
    answer += data;
    if (
      answer.includes('\r\n\r\n') &&
      answer.length >= answer.indexOf('\r\n\r\n') + 4 + Number(/content-length: (\d+)/i.exec(answer)?.[1] ?? 0)
    )
      resolve(answer);
  });
  socket.on('close', () => resolve(answer));
  socket.write(
    `POST /rpc HTTP/1.1\r\nHost: x\r\nX-API-Key: ${apiKey}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`,
  );
  await new Promise<void>((flushed) => socket.write(body.slice(0, -withheldBytes), () => flushed()));
  const finish = () => {
    socket.write(body.slice(-withheldBytes));
    return ended;
  };
  return { socket, ended, finish };
}

const transaction = '{"jsonrpc":"2.0","id":1,"method":"eth_sendRawTransaction","params":["0x02f8"]}';

test('a key revoked while a body was in flight sends no transaction (contract/keys#revocation)', async () => {
  const { apiKey, keyId } = await gateway.mint('revoker');
  expect((await gateway.rpc(apiKey, { jsonrpc: '2.0', id: 1, method: 'eth_chainId' })).status).toBe(200);
  const call = await withhold(apiKey, transaction);
  const revoked = await gateway.fetch(`/users/me/api-keys/${keyId}`, {
    method: 'DELETE',
    headers: { Authorization: `Bearer ${gateway.token('revoker')}` },
  });
  expect(revoked.status).toBe(204);
  expect(await call.finish()).toStartWith('HTTP/1.1 403 ');
  expect(gateway.node.methods()).not.toContain('eth_sendRawTransaction');
});

test('a key that expired while a body was in flight sends no transaction (contract/keys)', async () => {
  const expiresAtMs = systemClock.now() + 700;
  const { apiKey } = await gateway.mint('expiring', { label: 'soon', expiresAt: new Date(expiresAtMs).toISOString() });
  const call = await withhold(apiKey, transaction);
  await until(() => systemClock.now() > expiresAtMs);
  expect(await call.finish()).toStartWith('HTTP/1.1 403 ');
  expect(gateway.node.methods()).not.toContain('eth_sendRawTransaction');
});

test('a revocation of another user’s key affects no call', async () => {
  const { apiKey } = await gateway.mint('bystander');
  const other = await gateway.mint('other');
  const call = await withhold(apiKey, '{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber","params":[]}');
  await gateway.fetch(`/users/me/api-keys/${other.keyId}`, {
    method: 'DELETE',
    headers: { Authorization: `Bearer ${gateway.token('other')}` },
  });
  expect(await call.finish()).toStartWith('HTTP/1.1 200 ');
});

test('large bodies in flight are limited: further ones get 503, small ones pass, and finished ones release their buffers', async () => {
  const { apiKey } = await gateway.mint('hoarder');
  const large = `{"jsonrpc":"2.0","id":1,"method":"eth_call","params":["${'a'.repeat(4_000_000)}"]}`;
  const first = await withhold(apiKey, large);
  await readByPeer(first.socket);
  const refused = await gateway.rpc(apiKey, large);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
  expect((await gateway.rpc(apiKey, { jsonrpc: '2.0', id: 1, method: 'eth_chainId' })).status).toBe(200);
  expect(await first.finish()).toStartWith('HTTP/1.1 200 ');
  expect((await gateway.rpc(apiKey, large)).status).toBe(200);
});

test('a large body of a user without remaining requests is not read: 429, and after Retry-After any batch is accepted (contract/limits#headers)', async () => {
  const { apiKey } = await gateway.mint('spent');
  const batch = Array.from({ length: 19 }, (_, id) => ({ jsonrpc: '2.0', id, method: 'eth_chainId' }));
  expect((await gateway.rpc(apiKey, batch)).status).toBe(200);
  const call = await withhold(apiKey, `["${'a'.repeat(100_000)}"]`);
  const answer = await call.ended;
  expect(answer).toStartWith('HTTP/1.1 429 ');
  expect(Number(/retry-after: (\d+)/i.exec(answer)?.[1])).toBeWithin(55, 61);
});
