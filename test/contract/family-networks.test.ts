/**
 * Networks of the Solana and Bitcoin families over HTTP: which calls reach a node, in every spelling
 * (contract/json-rpc#solana, contract/json-rpc#bitcoin).
 */

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { until } from '@flowgate/testing/until';
import { bitcoinBlocked, bitcoinForwarded, bitcoinHeavy } from '../../apps/gateway/test/corpora/bitcoin-methods.ts';
import { methodSpellings } from '../../apps/gateway/test/corpora/method-spellings.ts';
import { solanaBlocked, solanaForwarded, solanaHeavy } from '../../apps/gateway/test/corpora/solana-methods.ts';
import { expectRpcError, expectStandardError, jsonBody } from '../../apps/gateway/test/fixtures/answers.ts';
import {
  bitcoinGenesis,
  bitcoinHeight,
  bitcoinMempool,
  startBitcoinStub,
} from '../../apps/gateway/test/fixtures/bitcoin-stub.ts';
import type { LedgerStub } from '../../apps/gateway/test/fixtures/ledger-stub.ts';
import { type RunningGateway, startGateway } from '../../apps/gateway/test/fixtures/running-gateway.ts';
import { solanaGenesis, solanaSlot, startSolanaStub } from '../../apps/gateway/test/fixtures/solana-stub.ts';

const otherSolana = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d';
const otherBitcoin = '000000000933ea01ad0ee984209779baaec3ced90fa3f408719526f8d77f4943';
const stubs = {
  solana: startSolanaStub(),
  'solana-open': startSolanaStub(),
  'solana-other': startSolanaStub(otherSolana),
  bitcoin: startBitcoinStub(),
  'bitcoin-open': startBitcoinStub({ core: 27 }),
  'bitcoin-other': startBitcoinStub({ genesis: otherBitcoin }),
};
let gateway: RunningGateway;
let key: string;

beforeAll(async () => {
  const network = (networkId: keyof typeof stubs) => {
    const family = networkId.startsWith('solana') ? 'solana' : 'bitcoin';
    const enable = { solana: [...solanaHeavy], bitcoin: ['gettxoutset*'] }[family];
    return {
      ...{ dlt: 'ledgers', networkId, family, genesisHash: { solana: solanaGenesis, bitcoin: bitcoinGenesis }[family] },
      nodes: [{ nodeId: `${networkId}-1`, url: stubs[networkId].url.replace('//', '//rpc-user:rpc-password-1@') }],
      ...(networkId.endsWith('open') && { methods: { enable } }),
    };
  };
  const networks = (Object.keys(stubs) as (keyof typeof stubs)[]).map(network);
  gateway = await startGateway({
    config: { limits: { userPerMinute: 100_000 }, health: { intervalSeconds: 1 }, networks },
  });
  key = (await gateway.mint()).apiKey;
});
afterAll(async () => {
  await gateway.stop();
  await Promise.all(Object.values(stubs).map((stub) => stub.stop()));
});
beforeEach(() => {
  for (const stub of Object.values(stubs)) stub.methods.length = 0;
});

const pathOf = (networkId: string) => `/dlts/ledgers/networks/${networkId}/rpc`;
const call = (method: string, id: unknown = 1) => ({ jsonrpc: '2.0', id, method, params: [] });
const notAllowed = { status: 403, code: -32601, message: 'Method not allowed.', id: 1 };

test('the catalog lists family, status and head; a network whose node is on another chain is down (contract/networks#status)', async () => {
  const read = async (networkId: string) =>
    jsonBody(await gateway.fetch(pathOf(networkId).replace('/rpc', ''), { headers: { 'X-API-Key': key } }));
  for (const [networkId, height] of [
    ['solana', solanaSlot],
    ['bitcoin', bitcoinHeight],
    ['bitcoin-open', bitcoinHeight],
  ] as const) {
    await until(`${networkId} was checked`, async () => (await read(networkId))['status'] === 'up');
    expect(await read(networkId)).toEqual({
      ...{ dlt: 'ledgers', networkId, name: networkId, family: networkId.split('-')[0], default: false },
      ...{ status: 'up', blockHeight: height, nodes: { healthy: 1, total: 1 } },
    });
  }
  for (const networkId of ['solana-other', 'bitcoin-other'])
    await until(`${networkId} is down`, async () => (await read(networkId))['status'] === 'down');
});

test('a node that returns another genesis hash receives no call: 502 (contract/json-rpc#nodes)', async () => {
  for (const [networkId, method] of [
    ['solana-other', 'getSlot'],
    ['bitcoin-other', 'getblockcount'],
  ] as const) {
    const path = pathOf(networkId);
    const answer = await gateway.rpc(key, call(method), path);
    expect(await expectStandardError(answer, { status: 502, error: 'Bad gateway', path })).toMatch(
      /on its chain|reached/,
    );
    expect(stubs[networkId].methods).toEqual([]);
  }
});

const families = [
  {
    ...{ family: 'solana', stub: stubs.solana, open: stubs['solana-open'], forwarded: solanaForwarded },
    ...{
      heavy: solanaHeavy,
      opened: solanaHeavy,
      blocked: solanaBlocked,
      read: 'getBalance',
      submit: 'sendTransaction',
    },
    result: `{"context":{"apiVersion":"2.0.15","slot":${solanaSlot}},"value":18446744073709551615}`,
  },
  {
    ...{ family: 'bitcoin', stub: stubs.bitcoin, open: stubs['bitcoin-open'], forwarded: bitcoinForwarded },
    ...{ heavy: bitcoinHeavy, opened: ['gettxoutsetinfo'], blocked: bitcoinBlocked, read: 'getdifficulty' },
    ...{ submit: 'sendrawtransaction', result: '86388558925171.02' },
  },
];

describe.each(families)(
  '$family',
  ({ family, stub, open, forwarded, heavy, opened, blocked, read, submit, result }) => {
    const path = pathOf(family);
    const send = (body: unknown, at = path) => gateway.rpc(key, body, at);

    async function expectRefused(method: string, reason = 'method_blocked', at = path) {
      const answer = await send(`{"jsonrpc":"2.0","id":1,"method":${JSON.stringify(method)},"params":[]}`, at);
      expect(await expectRpcError(answer, notAllowed)).toEqual({ reason, method });
    }

    test('published reads, simulation and signed transactions reach the node, and results are passed on unchanged', async () => {
      for (const method of forwarded) expect([method, (await send(call(method))).status]).toEqual([method, 200]);
      expect(stub.methods).toEqual([...forwarded]);
      const answer = await send(call(read, 'x'));
      expect(await answer.text()).toBe(`{"jsonrpc":"2.0","id":"x","result":${result}}`);
      expect(stub.authorization()).toBe(`Basic ${btoa('rpc-user:rpc-password-1')}`);
    });

    test('an error of the node is passed on unchanged', async () => {
      const [method, params, code] =
        family === 'solana' ? ['sendTransaction', ['x'], -32002] : ['getblockhash', [9e9], -8];
      for (const at of [path, pathOf(`${family}-open`)]) {
        const answer = await send({ ...call(String(method)), params }, at);
        expect([answer.status, await jsonBody(answer)]).toMatchObject([200, { error: { code } }]);
      }
    });

    test('no other method reaches the node: wallet, mining, network and process control, and other families', async () => {
      for (const method of blocked) await expectRefused(method);
      for (const method of heavy) await expectRefused(method, 'method_not_enabled');
      for (const method of blocked) await expectRefused(method, 'method_blocked', pathOf(`${family}-open`));
      expect([...stub.methods, ...open.methods]).toEqual([]);
    });

    test('a network enables heavy methods one by one (contract/running)', async () => {
      for (const method of heavy)
        if (opened.includes(method)) expect((await send(call(method), pathOf(`${family}-open`))).status).toBe(200);
        else await expectRefused(method, 'method_not_enabled', pathOf(`${family}-open`));
      expect(open.methods).toEqual([...opened]);
    });

    test('a blocked call is 403 on every path form; in a batch it is an error in its place; a notification reaches no node', async () => {
      const forbidden = call(blocked[0] ?? '');
      for (const at of [path, `/dlts/ledgers/nodes/${family}-1/rpc`]) {
        await expectRpcError(await send(forbidden, at), notAllowed);
        const inPath = { method: 'POST', body: JSON.stringify(forbidden) };
        await expectRpcError(await gateway.fetch(`${at}/${key}`, inPath), notAllowed);
      }
      const { id: _, ...notification } = forbidden;
      await send(notification);
      expect(stub.methods).toEqual([]);
      const batch = [
        call(read, 'a'),
        { ...forbidden, id: 'b' },
        call(heavy[0] ?? '', 'c'),
        notification,
        call(read, 'd'),
      ];
      const answers: unknown = await (await send(batch)).json();
      expect(answers).toMatchObject([
        { id: 'a', result: expect.anything() },
        { id: 'b', error: { code: -32601, data: { reason: 'method_blocked' } } },
        { id: 'c', error: { code: -32601, data: { reason: 'method_not_enabled' } } },
        { id: 'd', result: expect.anything() },
      ]);
      // Equal calls are coalesced (contract/cache#identical).
      expect(stub.methods).toEqual([read]);
    });

    for (const forbidden of blocked.slice(0, 2).concat('stop', 'getIdentity', 'sendtoaddress')) {
      const { disguised, refusedOutright, carriers } = methodSpellings(forbidden, read);
      test(`no spelling of ${forbidden} reaches the node (contract/json-rpc#spelling)`, async () => {
        for (const [name, body] of Object.entries(disguised)) {
          const data = await expectRpcError(await send(body), notAllowed);
          expect([name, data]).toEqual([name, { reason: 'method_blocked', method: forbidden }]);
        }
        for (const [name, body] of Object.entries(refusedOutright)) {
          const answer = await send(body);
          const text = await answer.text();
          expect([name, answer.status !== 200 || text.startsWith('['), text]).toEqual([
            ...[name, true],
            expect.stringMatching(/-32(?:[67]00|601)/),
          ]);
        }
        for (const [name, [headers, body, status]] of Object.entries(carriers)) {
          const answer = await gateway.fetch(`${path}/${key}`, { method: 'POST', headers, body });
          expect([name, answer.status]).toEqual([name, status]);
        }
        expect(stub.methods).toEqual([]);
      });
    }

    test('names that only resemble a published one are refused', async () => {
      const names = [read, submit].flatMap((name) => [
        ...[name.toUpperCase(), ` ${name}`, `${name} `, `${name}\u0000`, `\ufeff${name}`, `${name}\u200b`, `${name}\n`],
        ...[name.replace('e', 'е'), `${name}/../stop`, `${name};stop`, `wallet/${name}`, `${name}${name}`, `_${name}`],
        ...[name.slice(0, -1), `${name}x`, `eth_${name}`, name.replace('t', 'T'), '', ' ', '__proto__', 'constructor'],
      ]);
      for (const method of names) await expectRefused(method);
      expect(stub.methods).toEqual([]);
    });
  },
);

describe('a signed transaction', () => {
  test.each([
    ['solana', solanaGenesis, 'sendTransaction', startSolanaStub],
    ['bitcoin', bitcoinGenesis, 'sendrawtransaction', startBitcoinStub],
  ] as const)(
    'of %s is never sent to a second node (contract/json-rpc#nodes)',
    async (family, genesisHash, method, start) => {
      const nodes: LedgerStub[] = [start(), start()];
      const network = {
        ...{ dlt: 'ledgers', networkId: 'two', family, genesisHash },
        nodes: nodes.map(({ url }, nth) => ({ nodeId: `two-${nth}`, url })),
      };
      const running = await startGateway({ config: { outbound: { nodeTimeoutSeconds: 0.6 }, networks: [network] } });
      try {
        const { apiKey } = await running.mint();
        for (const node of nodes) node.hang();
        const answer = await running.rpc(apiKey, call(method), pathOf('two'));
        const message = await expectStandardError(answer, { status: 502, error: 'Bad gateway', path: pathOf('two') });
        expect(message).toContain('may have received');
        expect(nodes.flatMap(({ methods }) => methods)).toEqual([method]);
      } finally {
        await Promise.all([running, ...nodes].map((each) => each.stop()));
      }
    },
  );
});

describe('JSON-RPC 1.0 (contract/json-rpc#bitcoin)', () => {
  const send = (body: unknown, networkId = 'bitcoin') => gateway.rpc(key, body, pathOf(networkId));
  const difficulty = '86388558925171.02';

  test.each(['bitcoin', 'bitcoin-open'])(
    'a call of version 1.0, or without a version, gets an answer of the same form: %s',
    async (networkId) => {
      for (const version of ['"jsonrpc":"1.0",', '']) {
        const body = `{${version}"id":"curltest","method":"getdifficulty","params":[]}`;
        const answer = await send(body, networkId);
        expect([answer.status, await answer.text()]).toEqual([
          200,
          `{"result":${difficulty},"error":null,"id":"curltest"}`,
        ]);
        const failed = await send(`{${version}"id":1,"method":"getblockhash","params":[99]}`, networkId);
        const error = '{"code":-8,"message":"Block height out of range"}';
        expect([failed.status, await failed.text()]).toEqual([200, `{"result":null,"error":${error},"id":1}`]);
      }
      const strict = await send(call('getdifficulty'), networkId);
      expect(await strict.text()).toBe(`{"jsonrpc":"2.0","id":1,"result":${difficulty}}`);
      expect((await send({ jsonrpc: '2.0', method: 'getdifficulty' }, networkId)).status).toBe(204);
    },
  );

  test('calls are accepted as clients send them: with a version member, without a content type, but never as text', async () => {
    const body = '{"version": "1.1", "method": "getdifficulty", "params": [], "id": 1}';
    const post = (headers: Record<string, string>) =>
      gateway.fetch(`${pathOf('bitcoin')}/${key}`, { method: 'POST', headers, body: Buffer.from(body) });
    for (const headers of [{}, { 'Content-Type': 'application/json' }])
      expect(await (await post(headers)).text()).toBe(`{"result":${difficulty},"error":null,"id":1}`);
    expect((await post({ 'Content-Type': 'text/plain;' })).status).toBe(415);
  });

  test('version 1.0 has no notifications: a call without an id is answered with the id null', async () => {
    expect(await (await send({ method: 'getdifficulty' })).text()).toBe(
      `{"result":${difficulty},"error":null,"id":null}`,
    );
  });

  test('a refused call gets an error of the same form and reaches no node', async () => {
    for (const version of [{ jsonrpc: '1.0' }, {}]) {
      for (const [method, reason] of [
        ['stop', 'method_blocked'],
        ['sendtoaddress', 'method_blocked'],
        ['gettxoutsetinfo', 'method_not_enabled'],
      ] as const) {
        const answer = await send({ ...version, id: 7, method });
        const error = { code: -32601, message: 'Method not allowed.', data: { reason, method } };
        expect([answer.status, await jsonBody(answer)]).toEqual([403, { result: null, error, id: 7 }]);
      }
      const invalid = await send({ ...version, id: 7, method: 1 });
      expect([invalid.status, await jsonBody(invalid)]).toMatchObject([
        400,
        { result: null, error: { code: -32600 }, id: 7 },
      ]);
    }
    const { disguised, refusedOutright } = methodSpellings('stop', 'getdifficulty');
    for (const version of ['"jsonrpc":"1.0",', '']) {
      for (const body of [...Object.values(disguised), ...Object.values(refusedOutright)]) {
        const answer = await send(body.replaceAll(/"jsonrpc"\s*:\s*"2\.0"\s*,/g, version));
        const text = await answer.text();
        expect([body, answer.status !== 200 || text.startsWith('[')]).toEqual([body, true]);
        expect(text).toMatch(/-32(?:[67]00|601)/);
      }
    }
    expect(stubs.bitcoin.methods).toEqual([]);
  });

  test('in a batch each message is answered in its own version, in order', async () => {
    const batch = [
      { id: 1, method: 'getdifficulty' },
      { jsonrpc: '2.0', id: 2, method: 'getdifficulty' },
      { jsonrpc: '2.0', method: 'getblockcount' },
      { jsonrpc: '1.0', id: 3, method: 'stop' },
      { jsonrpc: '2.0', id: 4, method: 'stop' },
      { jsonrpc: '1.0', id: 5, method: 'getblockhash', params: [5] },
    ];
    const answer = await send(batch);
    const error = { code: -32601, message: 'Method not allowed.', data: { reason: 'method_blocked', method: 'stop' } };
    expect<unknown>(await answer.json()).toEqual([
      { result: Number(difficulty), error: null, id: 1 },
      { jsonrpc: '2.0', result: Number(difficulty), id: 2 },
      { result: null, error, id: 3 },
      { jsonrpc: '2.0', error, id: 4 },
      { result: null, error: { code: -8, message: 'Block height out of range' }, id: 5 },
    ]);
    expect(stubs.bitcoin.methods).toEqual(['getdifficulty', 'getblockcount', 'getblockhash']);
  });

  test('large results are passed on, alone and in a batch (contract/bounds#bytes)', async () => {
    const ids = JSON.stringify(bitcoinMempool);
    expect(ids.length).toBeGreaterThan(65_536);
    const alone = await send({ id: 'a', method: 'getrawmempool' });
    expect(await alone.text()).toBe(`{"result":${ids},"error":null,"id":"a"}`);
    const batch = [
      { id: 'a', method: 'getrawmempool' },
      { jsonrpc: '2.0', id: 'b', method: 'getrawmempool' },
    ];
    const both = `[{"result":${ids},"error":null,"id":"a"},{"jsonrpc":"2.0","id":"b","result":${ids}}]`;
    expect(await (await send(batch)).text()).toBe(both);
  });

  test('other families accept only version 2.0 (contract/json-rpc#messages)', async () => {
    for (const version of [{ jsonrpc: '1.0' }, {}])
      await expectRpcError(await send({ ...version, id: 1, method: 'getSlot' }, 'solana'), {
        ...{ status: 400, code: -32600, message: 'Invalid request.', id: 1 },
      });
    expect(stubs.solana.methods).toEqual([]);
  });
});
