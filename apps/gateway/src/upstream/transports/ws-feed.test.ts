import { afterEach, expect, test } from 'bun:test';
import { createTimeSlices } from '@flowgate/async/time-slices';
import { createTimerWheel } from '@flowgate/async/timer-wheel';
import { TurnBudget } from '@flowgate/async/turn-budget';
import { systemClock } from '@flowgate/base/clock';
import { systemRandomBytes } from '@flowgate/base/random';
import { ByteBudget } from '@flowgate/bytes/byte-budget';
import { ledgerFamilies } from '@flowgate/chain/families/ledger-families';
import { quietLog } from '@flowgate/testing/quiet-log';
import { endAll, endsWith } from '@flowgate/testing/raw-http1-server';
import { until } from '@flowgate/testing/until';
import { keccak256 } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { evmChain } from '../../../test/fixtures/chain-questions.ts';
import { startRawSocketNode } from '../../../test/fixtures/raw-socket-node.ts';
import { createSimChain } from '../../../test/fixtures/sim-chain.ts';
import { startSimNode } from '../../../test/fixtures/sim-node.ts';
import { createNodeOpener, type NodeSettings } from '../networks/node-opener.ts';
import type { Chain } from '../port/chain-proof.ts';
import type { FeedKind, NodeFeed } from '../port/node-feed.ts';

afterEach(endAll);

const chainId = 31337;
const limits = { nodeTimeoutSeconds: 1, maxResponseBytes: 1_000_000, maxConnectionsPerNode: 4 };

function openNode(settings: Partial<NodeSettings> & { readonly url: string }, chain: Chain = evmChain(chainId)) {
  const openOne = createNodeOpener(limits, {
    ...{ log: quietLog(), timerWheel: createTimerWheel(systemClock, 5), clock: systemClock },
    turns: new TurnBudget(systemClock),
    ...{ randomBytes: systemRandomBytes, slices: createTimeSlices(systemClock), health: { intervalSeconds: 3_600 } },
    answerBudget: new ByteBudget({ totalBytes: 1_000_000, ownerBytes: 1_000_000 }),
  });
  const node = openOne({ nodeId: 'a', ...settings }, chain);
  endsWith(node.close);
  return node;
}

function simulated() {
  const chain = createSimChain({ chainId });
  const node = startSimNode(chain);
  endsWith(node.stop);
  return { chain, node };
}

/** What a listener hears. */
async function listen(feed: NodeFeed | undefined, kind: FeedKind = 'newHeads') {
  const heard: string[] = [];
  const cancel = await feed?.subscribe(kind, {
    notified: (result) => void heard.push(result.text()),
    lost: () => void heard.push('lost'),
  });
  return { heard, cancel };
}
const numbers = (heard: readonly string[]) =>
  heard.map((text) => (text === 'lost' ? text : Number(JSON.parse(text).number)));

test('a node over WebSocket reports heads and pending transactions in the order of its messages, over one connection', async () => {
  const { chain, node } = simulated();
  const { feed } = openNode({ url: node.socketUrl });
  const [heads, again, pending] = [
    await listen(feed),
    await listen(feed),
    await listen(feed, 'newPendingTransactions'),
  ];
  expect(node.connections()).toBe(1);
  chain.mine();
  chain.mine();
  await until('heads are reported', () => heads.heard.length === 2 && again.heard.length === 2);
  expect(numbers(heads.heard)).toEqual([1, 2]);
  const account = privateKeyToAccount(`0x${'1'.repeat(64)}`);
  const raw = await account.signTransaction({ chainId, nonce: 0, gas: 21_000n, gasPrice: 1n, to: account.address });
  chain.submit(raw, node.view());
  await until('it is reported', () => pending.heard.length === 1);
  expect(pending.heard).toEqual([JSON.stringify(keccak256(raw))]);
});

test('an ended subscription receives nothing more, and the connection closes with the last one', async () => {
  const { chain, node } = simulated();
  const { feed } = openNode({ url: node.socketUrl });
  const [first, second] = [await listen(feed), await listen(feed)];
  first.cancel?.();
  first.cancel?.();
  await until('the node knows', () => node.askedFor('eth_unsubscribe').length === 1);
  chain.mine();
  await until('the other subscription receives it', () => second.heard.length === 1);
  expect(first.heard).toEqual([]);
  second.cancel?.();
  await until('it is closed', () => node.connections() === 0);
  expect([first.heard, numbers(second.heard)]).toEqual([[], [1]]);
  // The next subscription opens another connection.
  expect((await listen(feed)).cancel).toBeFunction();
});

test('a listener is notified once that its subscription is lost, with the connection or with the feed', async () => {
  const { node } = simulated();
  const opened = openNode({ url: node.socketUrl });
  const [one, two] = [await listen(opened.feed), await listen(opened.feed, 'newPendingTransactions')];
  node.kill();
  await until('both are lost', () => one.heard.length === 1 && two.heard.length === 1);
  one.cancel?.();
  expect((await listen(opened.feed)).cancel).toBeUndefined();
  node.revive();
  const third = await listen(opened.feed);
  expect(third.cancel).toBeFunction();
  opened.close();
  expect([one.heard, two.heard, third.heard]).toEqual([['lost'], ['lost'], ['lost']]);
  expect((await listen(opened.feed)).cancel).toBeUndefined();
});

test('a node that refuses, is on another chain or sends invalid answers has no subscription', async () => {
  const { node } = simulated();
  node.fail({ kind: 'error', code: -32601, message: 'no subscriptions' }, 'eth_subscribe');
  const { feed } = openNode({ url: node.socketUrl });
  expect((await listen(feed)).cancel).toBeUndefined();
  await until('its connection is closed', () => node.connections() === 0);
  expect((await listen(openNode({ url: node.socketUrl }, evmChain(1)).feed)).cancel).toBeUndefined();
  for (const result of [7, null, ['0x1'], 'x'.repeat(200)]) {
    node.heal();
    node.fail({ kind: 'result', result }, 'eth_subscribe');
    expect((await listen(feed)).cancel).toBeUndefined();
  }
});

test('other messages are ignored, and a very long one ends the subscription', async () => {
  const reported = (subscription: unknown, result: unknown, more = {}) =>
    JSON.stringify({ jsonrpc: '2.0', method: 'eth_subscription', params: { subscription, result }, ...more });
  const { url } = startRawSocketNode(
    ({ id }, peer) => {
      peer.say(`{"jsonrpc":"2.0","id":${id},"result":"0xa"}`);
      for (const text of [
        reported('0xb', 1),
        reported(10, 2),
        reported('0xa', 3, { method: 'other' }),
        '{"jsonrpc":"2.0","method":"eth_subscription"}',
        '{"jsonrpc":"2.0","method":"eth_subscription","params":[]}',
        '{"jsonrpc":"2.0","method":"eth_subscription","params":{"subscription":"0xa"}}',
        '{"jsonrpc":"2.0","method":"eth_subscription","params":{"subscription":"0xa","result":1,"result":2}}',
        `{ "method" : "eth_subscription", "params" : { "result" : [ 1.0 ], "subscription":"0xa"} }`,
        reported('0xa', 'x'.repeat(70_000)),
      ])
        peer.say(text);
    },
    { chainId },
  );
  const { heard } = await listen(openNode({ url }).feed);
  await until('it is lost', () => heard.at(-1) === 'lost');
  expect(heard).toEqual(['[ 1.0 ]', 'lost']);
});

test('next to an HTTP URL the feed has its own URL, and calls use the first', async () => {
  const { chain, node } = simulated();
  const opened = openNode({ url: node.httpUrl, wsUrl: node.socketUrl });
  const { heard } = await listen(opened.feed);
  await opened.pool.send({ method: 'eth_blockNumber', params: undefined, repeatable: true });
  chain.mine();
  await until('it receives a head', () => heard.length === 1);
  expect(node.askedFor('eth_blockNumber').map(({ over }) => over)).toEqual(['http']);
  expect(openNode({ url: node.httpUrl }).feed).toBeUndefined();
  const genesis = '000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f';
  expect(openNode({ url: node.socketUrl }, { family: ledgerFamilies.bitcoin, identity: genesis }).feed).toBeUndefined();
});
