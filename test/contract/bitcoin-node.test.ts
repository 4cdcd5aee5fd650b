/** A network of the Bitcoin family with a real node (contract/json-rpc#bitcoin; docs/decisions/0071). */

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { until } from '@flowgate/testing/until';
import { bitcoinBlocked } from '../../apps/gateway/test/corpora/bitcoin-methods.ts';
import { expectRpcError, expectStandardError, jsonBody } from '../../apps/gateway/test/fixtures/answers.ts';
import { type RealBitcoinNode, startRealBitcoinNode } from '../../apps/gateway/test/fixtures/real-bitcoin-node.ts';
import { type RunningGateway, startGateway } from '../../apps/gateway/test/fixtures/running-gateway.ts';

/** Block 0 of every regtest chain. */
const regtestGenesis = '0f9188f13cb7b2c71f2a335e3a4fc328bf5beb436012afca590b1a11466e2206';
const mainGenesis = '000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f';
let node: RealBitcoinNode;
let gateway: RunningGateway;
let key: string;

beforeAll(async () => {
  node = await startRealBitcoinNode();
  const network = (networkId: string, genesisHash: string) => ({
    ...{ dlt: 'bitcoin', networkId, family: 'bitcoin', genesisHash },
    nodes: [{ nodeId: `${networkId}-1`, url: node.url }],
  });
  const networks = [network('regtest', regtestGenesis), network('main', mainGenesis)];
  gateway = await startGateway({ config: { limits: { userPerMinute: 10_000 }, networks } });
  key = (await gateway.mint()).apiKey;
});
afterAll(async () => {
  await Promise.all([gateway, node].map((each) => each.stop()));
});

const path = '/dlts/bitcoin/networks/regtest/rpc';
const ask = (method: string, ...params: unknown[]) => gateway.rpc(key, { jsonrpc: '2.0', id: 1, method, params }, path);
const resultOf = async (method: string, ...params: unknown[]) =>
  (await jsonBody(await ask(method, ...params)))['result'];

test('the gateway verifies the chain of the node and reads its head; it sends no calls to a node of another chain', async () => {
  const read = async (networkId: string) =>
    jsonBody(await gateway.fetch(`/dlts/bitcoin/networks/${networkId}`, { headers: { 'X-API-Key': key } }));
  await until('it was checked', async () => (await read('regtest'))['status'] === 'up');
  expect(await read('regtest')).toMatchObject({ blockHeight: 101, nodes: { healthy: 1, total: 1 } });
  const other = path.replace('regtest', 'main');
  const answer = await gateway.rpc(key, { jsonrpc: '2.0', id: 1, method: 'getblockcount' }, other);
  expect(await expectStandardError(answer, { status: 502, error: 'Bad gateway', path: other })).toContain(
    'on its chain',
  );
});

test('reads are answered in single calls and batches, in the JSON-RPC version of the message', async () => {
  expect(await resultOf('getblockcount')).toBe(101);
  expect(await resultOf('getbestblockhash')).toBe(node.tip);
  expect(await resultOf('getblockhash', 0)).toBe(regtestGenesis);
  const old = await gateway.rpc(key, { id: 'old', method: 'getblockcount' }, path);
  expect(await old.text()).toBe('{"result":101,"error":null,"id":"old"}');
  const batch = [
    { jsonrpc: '2.0', id: 'a', method: 'getblockcount' },
    { id: 'b', method: 'getblockhash', params: [-1] },
  ];
  expect<unknown>(await (await gateway.rpc(key, batch, path)).json()).toEqual([
    { jsonrpc: '2.0', id: 'a', result: 101 },
    { result: null, error: { code: expect.any(Number), message: expect.any(String) }, id: 'b' },
  ]);
});

test('a signed transaction is accepted once and is then in the mempool; an invalid one returns the node’s error', async () => {
  expect(await resultOf('getrawmempool')).toEqual([]);
  expect(await resultOf('sendrawtransaction', node.raw)).toBe(node.txid);
  // This node answers before it has verified the signature.
  await until('it is in the mempool', async () => Bun.deepEquals(await resultOf('getrawmempool'), [node.txid]));
  expect(await resultOf('getrawmempool')).toEqual([node.txid]);
  const invalid = await ask('sendrawtransaction', node.raw.slice(0, -2));
  expect([invalid.status, await jsonBody(invalid)]).toMatchObject([200, { error: { code: expect.any(Number) } }]);
});

test('calls that control the node do not reach it: it still runs on the same chain with an unchanged mempool', async () => {
  const before = await resultOf('getrawmempool');
  for (const method of bitcoinBlocked) {
    const answer = await gateway.rpc(
      key,
      `{"jsonrpc":"2.0","id":1,"method":${JSON.stringify(method)},"params":[1]}`,
      path,
    );
    const notAllowed = { status: 403, code: -32601, message: 'Method not allowed.', id: 1 };
    expect(await expectRpcError(answer, notAllowed)).toEqual({ reason: 'method_blocked', method });
  }
  expect([await resultOf('getblockcount'), await resultOf('getbestblockhash')]).toEqual([101, node.tip]);
  expect(await resultOf('getrawmempool')).toEqual(before);
});
