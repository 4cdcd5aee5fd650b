/**
 * Batches over HTTP that mix all ways to answer a message: cached, called, split, by filter, by transaction, refused,
 * and without an answer.
 */

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { chanceFrom } from '@flowgate/testing/seeded-chance';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { type RunningGateway, startGateway } from '../../apps/gateway/test/fixtures/running-gateway.ts';
import { createSimChain } from '../../apps/gateway/test/fixtures/sim-chain.ts';
import { type SimNode, startSimNode } from '../../apps/gateway/test/fixtures/sim-node.ts';

const chain = createSimChain({ finalDepth: 6, logs: 3 });
const nodes: SimNode[] = [];
const path = (networkId: string) => `/dlts/test/networks/${networkId}/rpc`;
const networks = ['plain', 'uncached', 'hedged', 'single'];
let gateway: RunningGateway;
const keys: Record<string, string> = {};

beforeAll(async () => {
  chain.mine(60);
  nodes.push(startSimNode(chain), startSimNode(chain, { lag: 1 }), startSimNode(chain));
  const network = (networkId: string, more = {}, count = 3) => ({
    ...{ dlt: 'test', networkId, chainId: chain.chainId, logs: { maxBlockRange: 10 } },
    nodes: nodes.slice(0, count).map(({ httpUrl: url }, at) => ({ nodeId: `${networkId}-${at}`, url })),
    ...more,
  });
  gateway = await startGateway({
    config: {
      limits: { userPerMinute: 100_000 },
      networks: [
        network('plain'),
        network('uncached', { cache: { maxBytes: 0 } }),
        network('hedged', { routing: { hedge: { afterMs: 1, maxPercent: 50 } } }),
        network('single', {}, 1),
      ],
    },
  });
  for (const name of ['alice', 'bob']) keys[name] = (await gateway.mint(name)).apiKey;
});
afterAll(async () => {
  await gateway.stop();
  for (const node of nodes) node.stop();
});

const account = privateKeyToAccount(generatePrivateKey());
const fees = { maxFeePerGas: 2n, maxPriorityFeePerGas: 1n, gas: 21_000n };
const holder = '0xAbCdEf0123456789aBcDeF0123456789abcdef01';

/** A message, and the expected answer; `undefined` for no answer. */
type Asked = {
  readonly message: { readonly jsonrpc: string; readonly id?: unknown; readonly method: unknown };
  readonly fits: ((answer: Record<string, unknown>) => void) | undefined;
};

const of = (method: string, ...params: unknown[]) => ({ jsonrpc: '2.0', method, params });
const withCode = (code: number) => expect.objectContaining({ error: expect.objectContaining({ code }) });

function questions(id: unknown, transaction: string): readonly Asked[] {
  const block = chain.at().byNumber(7);
  const logs = of('eth_getLogs', { fromBlock: '0x1', toBlock: '0x28' });
  const asked = (message: Asked['message'], fits: Asked['fits']): Asked => ({ message: { ...message, id }, fits });
  return [
    asked(of('eth_getBlockByNumber', '0x7', false), ({ result }) =>
      expect(result).toMatchObject({ hash: block?.hash }),
    ),
    asked(of('eth_getBalance', holder, '0x7'), ({ result }) => expect(result).toBe('0x0')),
    asked(of('eth_getBalance', holder.toLowerCase(), '0x7'), ({ result }) => expect(result).toBe('0x0')),
    asked(of('eth_blockNumber'), ({ result }) => expect(Number(result)).toBeGreaterThanOrEqual(60)),
    asked(of('eth_getBlockByNumber', 'latest', false), ({ result }) =>
      expect(result).toMatchObject({ number: expect.any(String) }),
    ),
    asked(of('eth_getBlockByNumber', '0xffffff', false), ({ result }) => expect(result).toBeNull()),
    asked(logs, ({ result }) => {
      const heights = (Array.isArray(result) ? result : []).map(({ blockNumber }) => Number(blockNumber));
      expect(heights.length).toBeGreaterThan(10);
      expect(heights).toEqual(heights.toSorted((one, two) => one - two));
      expect(Math.max(...heights)).toBeLessThanOrEqual(40);
    }),
    asked(of('eth_getFilterChanges', '0x1'), ({ error }) =>
      expect(error).toEqual({ code: -32000, message: 'filter not found' }),
    ),
    asked(of('eth_newBlockFilter'), ({ result }) => expect(String(result).length).toBeGreaterThan(30)),
    asked(of('eth_sendRawTransaction', transaction), ({ result }) => expect(result).toMatch(/^0x[0-9a-f]{64}$/)),
    asked(of('eth_accounts'), ({ error, result }) => expect(error ?? result).toBeDefined()),
    asked(of('admin_peers'), (answer) => expect(answer).toEqual(withCode(-32601))),
    asked({ jsonrpc: '2.0', method: 7 }, (answer) => expect(answer).toEqual(withCode(-32600))),
    asked(of('eth_call', { to: holder, data: '0x01' }, '0x7'), ({ result }) => expect(result).toBeString()),
    { message: of('eth_getBalance', holder, '0x7'), fits: undefined },
    { message: of('eth_getCode', holder, 'latest'), fits: undefined },
  ];
}

test.each(networks)(
  'on network %s every message of mixed batches has its own answer, in order, under its id, while other callers send calls',
  async (networkId) => {
    const chance = chanceFrom(12);
    let nonce = 0;
    const timesAsked = new Map<string, number>();
    for (const node of nodes) node.asked.length = 0;
    const signed = () =>
      account.signTransaction({ chainId: chain.chainId, nonce: nonce++, to: account.address, ...fees });
    for (let round = 0; round < 5; round++) {
      const batches = await Promise.all(
        ['alice', 'bob', 'alice', 'bob'].map(async (user, nth) => {
          const transaction = await signed();
          const asked = Array.from({ length: 24 }, (_, at) => {
            const all = questions(`${user}-${nth}-${at}`, transaction);
            const one: Asked = all[chance(all.length)] ?? { message: of(''), fits: undefined };
            if (one.message.method === 'eth_sendRawTransaction')
              timesAsked.set(transaction, (timesAsked.get(transaction) ?? 0) + 1);
            return one;
          });
          return { user, asked };
        }),
      );
      await Promise.all(
        batches.map(async ({ user, asked }) => {
          const response = await gateway.rpc(
            keys[user] ?? '',
            asked.map(({ message }) => message),
            path(networkId),
          );
          const text = await response.text();
          const wanted = asked.filter(({ fits }) => fits !== undefined);
          const answers: Record<string, unknown>[] = JSON.parse(text);
          expect(answers.map((answer) => answer['id'])).toEqual(wanted.map(({ message }) => message.id));
          for (const [at, { fits }] of wanted.entries()) fits?.(answers[at] ?? {});
        }),
      );
      if (round % 3 === 1) chain.reorganize(2);
      chain.mine(1);
    }
    for (const node of nodes) {
      const raws = node.askedFor('eth_sendRawTransaction').map(({ params }) => String(params[0]));
      for (const raw of new Set(raws))
        expect(raws.filter((each) => each === raw).length).toBeLessThanOrEqual(timesAsked.get(raw) ?? 0);
    }
  },
  30_000,
);
