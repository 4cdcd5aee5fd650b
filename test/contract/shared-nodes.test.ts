/**
 * A user's shared node that returns false data, with the operator's nodes: the answers to callers over HTTP and
 * WebSocket, in single calls and batches (contract/nodes#what-shared-nodes-are-asked,
 * contract/heads#the-head-never-goes-back).
 */

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { type Chance, chanceFrom } from '@flowgate/testing/seeded-chance';
import { until } from '@flowgate/testing/until';
import { newProviderKey, nodeClient, nodesHere } from '../../apps/gateway/test/fixtures/node-client.ts';
import { type RunningGateway, startGateway } from '../../apps/gateway/test/fixtures/running-gateway.ts';
import { createSimChain } from '../../apps/gateway/test/fixtures/sim-chain.ts';
import { startSimNode } from '../../apps/gateway/test/fixtures/sim-node.ts';
import { brokenBy, type SimCall, shownBy, someCall } from '../../apps/gateway/test/fixtures/simulated-calls.ts';
import { forgeFor } from '../../apps/gateway/test/fixtures/simulated-lies.ts';

const seed = Number(process.env['ENGINE_SEED'] ?? 1);
const chain = createSimChain({ seed });
chain.mine(30);
const own = [startSimNode(chain), startSimNode(chain)];
const liar = startSimNode(chain);
const forge = forgeFor(chain, own, { ahead: 1 });
liar.lie((honest, method, params) => forge({ method, params: undefined }, params, honest));
let gateway: RunningGateway;
let apiKey: string;
/** The highest head that a caller has seen. */
let floor = 0;

type Answer = { readonly id: number; readonly result?: unknown; readonly error?: unknown };

const messageOf = ({ method, params }: SimCall, id: number) => ({ jsonrpc: '2.0', id, method, params });

async function overHttp(body: unknown): Promise<Answer | readonly Answer[]> {
  return JSON.parse(await (await gateway.rpc(apiKey, body)).text());
}

async function openSocket() {
  const socket = new WebSocket(`${gateway.url.replace('http', 'ws')}/rpc/${apiKey}`);
  const waiting: ((answer: Answer | readonly Answer[]) => void)[] = [];
  socket.addEventListener('message', ({ data }) => waiting.shift()?.(JSON.parse(String(data))));
  await new Promise((resolve) => socket.addEventListener('open', resolve));
  return (body: unknown): Promise<Answer | readonly Answer[]> =>
    new Promise((resolve) => {
      waiting.push(resolve);
      socket.send(JSON.stringify(body));
    });
}

beforeAll(async () => {
  gateway = await startGateway({
    config: {
      ...nodesHere,
      networks: [
        {
          ...{ dlt: 'ethereum', networkId: 'dev', chainId: 31337, default: true },
          nodes: own.map(({ httpUrl }, nth) => ({ nodeId: `own-${nth}`, url: httpUrl })),
          logs: { maxBlockRange: 6 },
        },
      ],
    },
  });
  apiKey = (await gateway.mint('carol')).apiKey;
  const { nodeId } = await nodeClient(gateway, { sub: 'alice' }).register(`${liar.httpUrl}/v2/${newProviderKey()}`);
  const admin = nodeClient(gateway, { sub: 'admin', roles: ['admin'] });
  const shared = await admin.ask('PATCH', `/admin/nodes/${nodeId}`, { shared: true });
  expect(shared.status).toBe(200);
  await until('a head was reported', async () => {
    const answer = await overHttp(messageOf({ method: 'eth_blockNumber', params: [], about: { kind: 'newest' } }, 1));
    floor = !Array.isArray(answer) && 'result' in answer ? Number(answer.result) : 0;
    return floor === chain.head().number;
  });
});
afterAll(async () => {
  await gateway.stop();
  for (const node of [...own, liar]) node.stop();
});

/** Checks the answers of one message against the chain, and returns the highest head in them. */
async function checked(
  send: (body: unknown) => Promise<Answer | readonly Answer[]>,
  calls: readonly SimCall[],
  min = floor,
): Promise<{ readonly shown: number; readonly results: number }> {
  const [first] = calls;
  const isSingle = calls.length === 1 && first !== undefined;
  const given = await send(isSingle ? messageOf(first, 0) : calls.map(messageOf));
  const answers = [given].flat();
  let shown = min;
  let results = 0;
  for (const [nth, call] of calls.entries()) {
    const answer = answers[nth];
    if (answer === undefined || !('result' in answer)) continue;
    const text = JSON.stringify(answer.result);
    expect({ seed, call, text, broken: brokenBy(chain, call, text, min) }).toMatchObject({ broken: undefined });
    shown = Math.max(shown, shownBy(call, text));
    results++;
  }
  return { shown, results };
}

const someCalls = (by: Chance) => Array.from({ length: by(3) === 0 ? 2 + by(5) : 1 }, () => someCall(chain, by, floor));

test('no answer is forged, incomplete or older than an earlier one, while nodes of the operator lag and fail', async () => {
  const by = chanceFrom(seed);
  const ways = [overHttp, await openSocket(), await openSocket()];
  const [, second] = own;
  let results = 0;
  for (let round = 0; round < 60; round++) {
    if (by(3) === 0) chain.mine();
    if (by(6) === 0) second?.freeze();
    if (by(6) === 0) second?.heal();
    const failing = by(3) === 0 ? own[by(2)]?.fail({ kind: 'status', status: 503 }, /eth_(call|get)/, 3) : undefined;
    const all = await Promise.all(ways.map((send) => checked(send, someCalls(by))));
    failing?.();
    floor = Math.max(...all.map(({ shown }) => shown));
    results += all.reduce((sum, each) => sum + each.results, 0);
  }
  expect(results).toBeGreaterThan(150);
});

test('while every node of the operator fails, callers receive data up to the blocks that those have reported, or none; afterwards the head is the same', async () => {
  const by = chanceFrom(seed + 1);
  const send = await openSocket();
  const endings = own.map((node) => node.fail({ kind: 'status', status: 503 }));
  for (let round = 0; round < 30; round++) await checked(send, someCalls(by));
  const old: SimCall = {
    ...{ method: 'eth_getBalance', params: [chain.accounts[0], '0x5'] },
    about: { kind: 'height', height: 5 },
  };
  expect((await checked(send, [old])).results).toBe(1);
  expect(liar.askedFor('eth_getBalance')).toContainEqual(expect.objectContaining({ params: old.params }));
  for (const end of endings) end();
  const head: SimCall = { method: 'eth_blockNumber', params: [], about: { kind: 'newest' } };
  const balance: SimCall = {
    method: 'eth_getBalance',
    params: [chain.accounts[0], 'latest'],
    about: { kind: 'newest' },
  };
  await until('the newest block is answered again', async () => {
    const { results, shown } = await checked(overHttp, [head, balance]);
    return results === 2 && shown <= chain.head().number;
  });
});
