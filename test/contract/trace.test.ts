/** The node that answered a call, for callers who request a trace (contract/json-rpc#trace). */

import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test';
import { startFakeNode, wellBehaved } from '../../apps/gateway/test/fixtures/fake-node.ts';
import { type RunningGateway, startGateway } from '../../apps/gateway/test/fixtures/running-gateway.ts';

const failing = startFakeNode();
const good = startFakeNode();
let gateway: RunningGateway;
let key: string;
beforeAll(async () => {
  const nodes = [
    { nodeId: 'first', url: failing.url },
    { nodeId: 'second', url: good.url },
  ];
  const network = { dlt: 'test', chainId: 31337, nodes, routing: { strategy: 'ordered' } };
  const none = { ...network, networkId: 'none', nodes: [{ nodeId: 'gone', url: 'http://127.0.0.1:1' }] };
  gateway = await startGateway({
    config: {
      limits: { userPerMinute: 100_000 },
      health: { intervalSeconds: 3_600 },
      networks: [{ ...network, networkId: 'two', default: true }, none],
    },
  });
  key = (await gateway.mint()).apiKey;
});
afterAll(async () => {
  await gateway.stop();
  await failing.stop();
  await good.stop();
});
beforeEach(() => failing.behave(wellBehaved));

const call = (method: string, params: readonly unknown[] = [], id = 1) => ({ jsonrpc: '2.0', id, method, params });
async function traced(body: unknown, headers: Record<string, string> = { 'X-Flowgate-Trace': '1' }, path = '/rpc') {
  const answer = await gateway.fetch(path, {
    method: 'POST',
    headers: { 'X-API-Key': key, ...headers },
    body: JSON.stringify(body),
  });
  return [answer.status, answer.headers.get('x-flowgate-served-by'), answer.headers.get('x-flowgate-attempts')];
}

test('the node that answered is named, and each node that was called counts (contract/json-rpc#trace)', async () => {
  expect(await traced(call('eth_call', [{ to: '0x1' }]))).toEqual([200, 'first', '1']);
  failing.behave(() => new Response('no', { status: 500 }));
  expect(await traced(call('eth_call', [{ to: '0x2' }]))).toEqual([200, 'second', '2']);
  expect(await traced([call('eth_call', [{ to: '0x3' }]), call('eth_call', [{ to: '0x4' }], 2)])).toEqual([
    200,
    'second',
    expect.any(String),
  ]);
});

test('a cached answer is named so, in a batch next to the node that was called (contract/json-rpc#trace)', async () => {
  await traced(call('eth_chainId'));
  expect(await traced(call('eth_chainId'))).toEqual([200, 'cache', '0']);
  const [status, servedBy, attempts] = await traced([call('eth_chainId'), call('eth_call', [{ to: '0x5' }], 2)]);
  expect([status, String(servedBy).split(', ').sort()[0], attempts]).toEqual([200, 'cache', '1']);
});

test('when no node answered or was called, none is named (contract/json-rpc#trace)', async () => {
  expect(
    await traced(call('eth_call', [{ to: '0x6' }]), { 'X-Flowgate-Trace': '1' }, '/dlts/test/networks/none/rpc'),
  ).toEqual([502, null, '1']);
  expect(await traced(call('admin_peers'))).toEqual([403, null, '0']);
  expect(await traced(call('eth_accounts'))).toEqual([200, null, '0']);
  expect(await traced(call('eth_getFilterChanges', ['0x1']))).toEqual([200, null, '0']);
});

test('without a request there is no trace; pages of other origins may request and read it (contract/json-rpc#trace)', async () => {
  for (const headers of [{}, { 'X-Flowgate-Trace': '0' }, { 'X-Flowgate-Trace': 'true' }])
    expect(await traced(call('eth_call', [{ to: '0x7' }]), headers)).toEqual([200, null, null]);
  const preflight = await gateway.fetch('/rpc', {
    method: 'OPTIONS',
    headers: { Origin: 'https://elsewhere.example', 'Access-Control-Request-Method': 'POST' },
  });
  expect(preflight.headers.get('access-control-allow-headers')).toContain('X-Flowgate-Trace');
  const answer = await gateway.fetch('/rpc', {
    method: 'POST',
    headers: { 'X-API-Key': key, Origin: 'https://elsewhere.example' },
    body: JSON.stringify(call('eth_chainId')),
  });
  expect(answer.headers.get('access-control-expose-headers')).toContain('X-Flowgate-Served-By, X-Flowgate-Attempts');
});
