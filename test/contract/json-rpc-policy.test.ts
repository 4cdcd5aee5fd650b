/**
 * Methods that never reach a node, in any spelling, as the node's own record shows (contract/errors#envelopes;
 * contract/json-rpc#spelling).
 */

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { blockedMethods } from '../../apps/gateway/test/corpora/blocked-methods.ts';
import { methodSpellings } from '../../apps/gateway/test/corpora/method-spellings.ts';
import { expectRpcError, jsonBody } from '../../apps/gateway/test/fixtures/answers.ts';
import { startFakeNode } from '../../apps/gateway/test/fixtures/fake-node.ts';
import { type RunningGateway, startGateway } from '../../apps/gateway/test/fixtures/running-gateway.ts';

const opened = startFakeNode();
let gateway: RunningGateway;
let key: string;

beforeAll(async () => {
  gateway = await startGateway({ config: { limits: { userPerMinute: 100_000 } } });
  key = (await gateway.mint()).apiKey;
});
afterAll(async () => {
  await gateway.stop();
  await opened.stop();
});
beforeEach(() => {
  gateway.node.received.length = 0;
});

const notAllowed = { status: 403, code: -32601, message: 'Method not allowed.', id: 1 };

async function expectRefused(method: string, reason = 'method_blocked') {
  const answer = await gateway.rpc(key, `{"jsonrpc":"2.0","id":1,"method":${JSON.stringify(method)},"params":[]}`);
  // Names are cut after 256 bytes; all longer ones here are ASCII.
  expect(await expectRpcError(answer, notAllowed)).toEqual({ reason, method: method.slice(0, 256) });
  expect(gateway.node.received).toEqual([]);
}

const prefixes = 'personal admin txpool miner engine clique ibft qbft perm plugins les vflux ethash db shh parity anvil'
  .concat(' hardhat evm tenderly testing rbuilder odyssey consensus wallet')
  .split(' ');

describe('blocked namespaces (contract/errors#envelopes, further rule 1; contract/json-rpc#blocked-methods)', () => {
  for (const prefix of prefixes)
    test(`${prefix}_*: any method, in upper and lower case`, async () => {
      for (const method of [`${prefix}_x`, `${prefix.toUpperCase()}_anything`, `${prefix}_A1_b`])
        await expectRefused(method);
    });
});

describe('blocked methods (contract/json-rpc#blocked-methods)', () => {
  for (const method of blockedMethods) test(method, () => expectRefused(method));
});

const notNames = [
  '',
  ' ',
  'eth',
  '_',
  'eth_',
  '_blockNumber',
  'eth.blockNumber',
  'eth blockNumber',
  ' eth_blockNumber',
  'eth_blockNumber ',
  'eth_blockNumber\n',
  'eth_block-Number',
  'eth_blockNumber\u0000',
  'eth\u0000_blockNumber',
  'ａｄｍｉｎ_peers',
  'аdmin_peers',
  'admin＿peers',
  'adm\u0131n_peers',
  'personal\u200b_sign',
  '\ufeffadmin_peers',
  '1eth_blockNumber',
  'eth/blockNumber',
  '__proto__',
  'constructor',
  'rpc.modules',
  'RPC.discover',
  'rpc_discover.x',
  `eth_${'x'.repeat(125)}`,
  `eth_${'x'.repeat(100_000)}`,
];

describe('names outside the pattern are refused like blocked ones (contract/json-rpc#blocked-methods)', () => {
  for (const method of notNames) test(JSON.stringify(method).slice(0, 40), () => expectRefused(method));

  test('the longest name of 128 characters passes', async () => {
    const method = `eth_${'x'.repeat(124)}`;
    expect((await gateway.rpc(key, { jsonrpc: '2.0', id: 1, method })).status).toBe(200);
    expect(gateway.node.methods()).toEqual([method]);
  });
});

describe('no spelling bypasses the policy (contract/json-rpc#spelling)', () => {
  const { disguised, refusedOutright, carriers } = methodSpellings('txpool_status', 'eth_blockNumber');
  for (const [name, body] of Object.entries(disguised))
    test(name, async () => {
      const data = await expectRpcError(await gateway.rpc(key, body), notAllowed);
      expect(data).toEqual({ reason: 'method_blocked', method: 'txpool_status' });
      expect(gateway.node.received).toEqual([]);
    });

  for (const [name, body] of Object.entries(refusedOutright))
    test(name, async () => {
      const answer = await gateway.rpc(key, body);
      const text = await answer.text();
      expect([answer.status === 400 || text.startsWith('['), text]).toEqual([true, expect.stringMatching(/-32[67]00/)]);
      expect(gateway.node.received).toEqual([]);
    });

  for (const [name, [headers, body, status]] of Object.entries(carriers))
    test(`sent with ${name}`, async () => {
      const answer = await gateway.fetch(`/rpc/${key}`, { method: 'POST', headers, body });
      expect(answer.status).toBe(status);
      expect(gateway.node.received).toEqual([]);
    });

  test('with method override headers or query', async () => {
    const answer = await gateway.fetch(`/rpc/${key}?method=txpool_status`, {
      method: 'POST',
      headers: { 'X-HTTP-Method-Override': 'GET', 'X-Method': 'txpool_status' },
      body: '{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber"}',
    });
    expect(answer.status).toBe(200);
    expect(gateway.node.methods()).toEqual(['eth_blockNumber']);
  });
});

describe('a single blocked call', () => {
  test('is 403 on every path form, with its id (contract/json-rpc#blocked-methods)', async () => {
    const body = '{"jsonrpc":"2.0","id":1,"method":"admin_peers"}';
    for (const path of ['/rpc', '/dlts/ethereum/networks/dev/rpc', '/dlts/ethereum/nodes/dev-1/rpc']) {
      await expectRpcError(await gateway.rpc(key, body, path), notAllowed);
      await expectRpcError(await gateway.fetch(`${path}/${key}`, { method: 'POST', body }), notAllowed);
    }
    expect(gateway.node.received).toEqual([]);
  });

  test('sent as a notification reaches no node either', async () => {
    await gateway.rpc(key, '{"jsonrpc":"2.0","method":"admin_peers"}');
    expect(gateway.node.received).toEqual([]);
  });
});

const heavy = [
  'debug_traceTransaction',
  'debug_traceCall',
  'debug_getRawBlock',
  'trace_block',
  'TRACE_filter',
  'arbtrace_call',
  'ots_getBlockDetails',
  'erigon_getHeaderByNumber',
];

describe('heavy families', () => {
  for (const method of heavy)
    test(`${method} is off: method_not_enabled (contract/json-rpc#blocked-methods)`, () =>
      expectRefused(method, 'method_not_enabled'));

  test('a network enables methods by pattern, other families stay off, blocked ones too (contract/running, contract/json-rpc#blocked-methods)', async () => {
    const opting = await startGateway({
      config: {
        networks: [
          {
            dlt: 'ethereum',
            networkId: 'open',
            chainId: 31337,
            nodes: [{ nodeId: 'open-1', url: opened.url }],
            methods: { enable: ['trace_*', 'debug_traceTransaction'] },
          },
        ],
      },
    });
    try {
      const { apiKey } = await opting.mint();
      const reason = async (method: string) => {
        const answer = await opting.rpc(apiKey, { jsonrpc: '2.0', id: 1, method });
        return answer.status === 200 ? 'served' : await expectRpcError(answer, notAllowed);
      };
      expect(await reason('trace_block')).toBe('served');
      expect(await reason('debug_traceTransaction')).toBe('served');
      expect(await reason('debug_traceCall')).toEqual({ reason: 'method_not_enabled', method: 'debug_traceCall' });
      expect(await reason('ots_getBlockDetails')).toEqual({
        reason: 'method_not_enabled',
        method: 'ots_getBlockDetails',
      });
      expect(await reason('debug_setHead')).toEqual({ reason: 'method_blocked', method: 'debug_setHead' });
      expect(opened.methods()).toEqual(['trace_block', 'debug_traceTransaction']);
    } finally {
      await opting.stop();
    }
  });
});

describe('permitted methods', () => {
  const served = ['eth_blockNumber', 'eth_chainId', 'eth_call', 'eth_estimateGas', 'eth_getLogs', 'eth_getProof'];
  served.push('eth_sendRawTransaction', 'eth_feeHistory', 'net_version', 'web3_clientVersion', 'rpc.discover');
  served.push('eth_createAccessList', 'eth_simulateV1', 'zks_L1BatchNumber');
  for (const method of served)
    test(`${method} reaches the node`, async () => {
      expect((await gateway.rpc(key, { jsonrpc: '2.0', id: 1, method })).status).toBe(200);
      expect(gateway.node.methods()).toEqual([method]);
    });

  test('the gateway answers eth_accounts with [], in any case, and sends it to no node (contract/json-rpc#blocked-methods)', async () => {
    for (const method of ['eth_accounts', 'ETH_ACCOUNTS'])
      expect(await jsonBody(await gateway.rpc(key, { jsonrpc: '2.0', id: 1, method }))).toEqual({
        jsonrpc: '2.0',
        id: 1,
        result: [],
      });
    const silent = await gateway.rpc(key, { jsonrpc: '2.0', method: 'eth_accounts' });
    expect(silent.status).toBe(204);
    expect(gateway.node.received).toEqual([]);
  });

  test('subscriptions by POST reach no node, and the error names the WebSocket of the same path, without a key (contract/json-rpc#subscriptions)', async () => {
    const paths = ['/rpc', '/dlts/ethereum/networks/dev/rpc', '/dlts/ethereum/nodes/dev-1/rpc'];
    const call = (id: number, method: string) => ({ jsonrpc: '2.0', id, method, params: ['newHeads'] });
    for (const path of paths) {
      const message = `Subscriptions need a WebSocket: ws://127.0.0.1:${gateway.port}${path}`;
      const reported = (id: number) => ({ jsonrpc: '2.0', id, error: { code: -32601, message } });
      for (const [method, sent] of [
        ['eth_subscribe', path],
        ['ETH_unsubscribe', `${path}/${key}`],
      ] as const) {
        const answer = await gateway.rpc(key, call(1, method), sent);
        expect([answer.status, await jsonBody(answer)]).toEqual([200, reported(1)]);
      }
      const both = await gateway.rpc(
        key,
        [call(1, 'eth_unsubscribe'), { ...call(2, 'net_peerCount'), params: [] }],
        path,
      );
      expect([both.status, JSON.parse(await both.text())]).toEqual([
        200,
        [reported(1), expect.objectContaining({ id: 2 })],
      ]);
    }
    expect(gateway.node.methods()).toEqual(paths.map(() => 'net_peerCount'));
    const { id: _, ...silent } = call(1, 'eth_subscribe');
    expect((await gateway.rpc(key, silent)).status).toBe(204);
  });
});
