import { expect, test } from 'bun:test';
import { createTimeSlices } from '@flowgate/async/time-slices';
import type { TimerWheel } from '@flowgate/async/timer-wheel';
import { systemClock } from '@flowgate/base/clock';
import { systemRandomBytes } from '@flowgate/base/random';
import { rangeOf } from '@flowgate/bytes/byte-range';
import { until } from '@flowgate/testing/until';
import { logsOf, noBloom } from '../../../test/fixtures/sim-block.ts';
import { createSimChain } from '../../../test/fixtures/sim-chain.ts';
import { createSimHeads, createSimPort } from '../../../test/fixtures/sim-heads.ts';
import {
  createSubscriptionClient,
  replayHeads,
  replayLogs,
  type SubscriptionClient,
  wantedLogs,
} from '../../../test/fixtures/subscription-client.ts';
import type { NodeFeed } from '../../upstream/port/node-feed.ts';
import type { RpcTarget } from '../target.ts';
import { createSubscriptions } from './create-subscriptions.ts';
import type { SubscriptionSettings } from './feed.ts';

/** Timers that a test fires by hand. */
function manualTimers() {
  const armed = new Map<{ callback: () => void }, number>();
  const timerWheel: TimerWheel = {
    arm(ms, callback) {
      const deadline = { callback };
      armed.set(deadline, ms);
      return deadline;
    },
    disarm: (deadline) => void armed.delete(deadline),
  };
  return {
    timerWheel,
    /** Fires all timers of this many milliseconds. */
    fire(ms: number): number {
      const due = [...armed].filter(([, each]) => each === ms).map(([deadline]) => deadline);
      for (const deadline of due) armed.delete(deadline);
      for (const { callback } of due) callback();
      return due.length;
    },
    armed: () => [...armed.values()],
  };
}

const target = { ledger: {} } as unknown as RpcTarget;

type Options = {
  readonly nodeIds?: readonly string[];
  readonly settings?: Partial<SubscriptionSettings>;
  readonly feeds?: readonly NodeFeed[];
  readonly seed?: number;
  /** Time slice of the event loop; 0: one step per turn. */
  readonly sliceMs?: number;
};

function started({ nodeIds = ['a', 'b'], settings = {}, feeds = [], seed = 1, sliceMs = 3 }: Options = {}) {
  const chain = createSimChain({ seed });
  chain.mine(20);
  const heads = createSimHeads(chain);
  const nodes = createSimPort(chain, nodeIds);
  const timers = manualTimers();
  let now = 0;
  const subscriptions = createSubscriptions({
    viewOf: () => ({
      name: 'ethereum/dev',
      heads,
      nodes,
      feeds: () => feeds,
      settings: { pending: false, logsBloom: true, ...settings },
      close: () => {},
    }),
    clock: { monotonic: () => now },
    timerWheel: timers.timerWheel,
    slices: createTimeSlices(systemClock, sliceMs),
    randomBytes: systemRandomBytes,
  });
  const signal = new AbortController().signal;
  function ask(params: unknown, client: SubscriptionClient, userId = 'u1') {
    return subscriptions.subscribe(
      target,
      rangeOf(JSON.stringify(params)),
      { userId, request: { signal } },
      client.subscriber,
    );
  }
  async function subscribed(params: unknown, client = createSubscriptionClient()) {
    const subscription = await ask(params, client);
    if (!subscription.ok) throw new Error(subscription.message);
    return { ...client, start: chain.head(), subscription };
  }
  return {
    ...{ chain, heads, nodes, timers, subscriptions, ask, subscribed },
    async begun(params: unknown, client = createSubscriptionClient()) {
      const one = await subscribed(params, client);
      one.subscription.begin();
      return one;
    },
    pass: (ms: number) => {
      now += ms;
    },
  };
}

const nothing = { kind: 'result', raw: rangeOf('[]') } as const;

test('heads are reported from the first block after the answer, without members that headers lack', async () => {
  const { chain, begun, heads } = started();
  const one = await begun(['newHeads']);
  chain.mine(3);
  await until(() => one.reported.length === 3);
  expect(replayHeads(one.reported, one.start).at(-1)).toBe(chain.head().hash);
  expect(one.reported[0]).not.toContainKeys(['transactions', 'uncles', 'size', 'totalDifficulty', 'withdrawals']);
  expect(one.reported[0]).toContainKeys(['logsBloom', 'baseFeePerGas', 'withdrawalsRoot', 'mixHash']);
  expect(heads.reportedHeight()).toBe(chain.head().number);
});

test('events before the id is sent are reported after the id', async () => {
  const { chain, subscribed } = started();
  const one = await subscribed(['newHeads']);
  chain.mine(2);
  await Bun.sleep(0);
  expect(one.reported).toEqual([]);
  one.subscription.begin();
  expect(one.reported.map(({ hash }) => hash)).toEqual([chain.at().byNumber(21)?.hash, chain.at().byNumber(22)?.hash]);
});

test('a reorganization is reported as nodes do: removed logs in reverse order, then the heads, then their logs', async () => {
  const { chain, begun } = started();
  const log = (data: string) => ({ address: chain.contracts[0] ?? '', topics: [], data });
  const sequence: unknown[] = [];
  const client = createSubscriptionClient({
    notify: (result) => sequence.push(JSON.parse(Buffer.from(result).toString())),
  });
  await begun(['newHeads'], client);
  await begun(['logs', {}], client);
  const lost = chain.mine(1, [log('0x01'), log('0x02')]);
  await until(() => sequence.length === 3);
  sequence.length = 0;
  const head = chain.reorganize(1, 2);
  const expected = wantedLogs(head, {}).length - wantedLogs(chain.at().byNumber(20) ?? head, {}).length;
  await until(() => sequence.length === 2 + 2 + expected);
  expect(sequence.slice(0, 4)).toMatchObject([
    { blockHash: lost.hash, logIndex: '0x1', data: '0x02', removed: true },
    { blockHash: lost.hash, logIndex: '0x0', data: '0x01', removed: true },
    { hash: head.parentHash },
    { hash: head.hash },
  ]);
  for (const rest of sequence.slice(4)) expect(rest).toMatchObject({ removed: false });
});

test('one call for each block serves all subscribers, and a block without logs needs no call', async () => {
  const { chain, begun, nodes } = started();
  const all = await Promise.all(Array.from({ length: 50 }, () => begun(['logs', {}])));
  const asked = () => nodes.asked.filter(({ method }) => method === 'eth_getLogs').length;
  chain.mine(1, [{ address: chain.contracts[0] ?? '', topics: [], data: '0x' }]);
  await until(() => all.every(({ reported }) => reported.length === 1));
  const before = asked();
  chain.mine(4, []);
  expect(chain.head().logsBloom).toBe(noBloom);
  chain.mine(1, [{ address: chain.contracts[1] ?? '', topics: [], data: '0x' }]);
  await until(() => all.every(({ reported }) => reported.length === 2));
  expect(asked() - before).toBe(1);
});

test('an answer that omits logs shown by the bloom is not trusted: other nodes are called', async () => {
  const { chain, begun, nodes } = started();
  const one = await begun(['logs', {}]);
  nodes.behave('a', ({ method }) => (method === 'eth_getLogs' ? nothing : undefined));
  const block = chain.mine(1, [{ address: chain.contracts[0] ?? '', topics: [], data: '0x' }]);
  await until(() => one.reported.length === 1);
  expect(one.reported[0]).toMatchObject({ blockHash: block.hash });
  expect(nodes.asked.slice(-2)).toEqual([
    { method: 'eth_getLogs', nodeId: 'a' },
    { method: 'eth_getLogs', nodeId: 'b' },
  ]);
});

test('an answer with only some of the logs, or with logs of another block, is not used', async () => {
  const { chain, begun, nodes } = started();
  const one = await begun(['logs', {}]);
  const before = chain.mine(1, [{ address: chain.contracts[5] ?? '', topics: [], data: '0x' }]);
  await until(() => one.reported.length === 1);
  const text = JSON.stringify([one.reported[0]]);
  nodes.behave('a', () => ({ kind: 'result', raw: rangeOf(text) }));
  const both = [0, 5].map((at) => ({ address: chain.contracts[at] ?? '', topics: [], data: '0x' }));
  const block = chain.mine(1, both);
  await until(() => one.reported.length === 3);
  const half = JSON.stringify([one.reported[2]]);
  nodes.behave('a', () => ({ kind: 'result', raw: rangeOf(half.replaceAll(block.hash, chain.head().hash)) }));
  chain.mine(1, both);
  await until(() => one.reported.length === 5);
  expect(replayLogs(one.reported, one.start, {})).toEqual(wantedLogs(chain.head(), {}));
  expect(before.number).toBeLessThan(block.number);
});

test('subscriptions to logs end without a gap when no node returns the logs of a block in time; heads continue', async () => {
  const { chain, begun, nodes, pass, timers } = started();
  const logs = await begun(['logs', {}]);
  const heads = await begun(['newHeads']);
  for (const nodeId of ['a', 'b']) nodes.behave(nodeId, () => nothing);
  chain.mine(2, [{ address: chain.contracts[0] ?? '', topics: [], data: '0x' }]);
  await until(() => timers.armed().includes(250));
  pass(31_000);
  timers.fire(250);
  await until(() => logs.isLost());
  expect(logs.reported).toEqual([]);
  expect(heads.reported).toHaveLength(2);
  expect(heads.isLost()).toBe(false);
});

test('a reorganization that is too deep ends all subscriptions of the chain', async () => {
  const { begun, heads, subscriptions, chain } = started();
  const all = [await begun(['newHeads']), await begun(['logs', {}])];
  heads.lose();
  expect(all.map(({ isLost }) => isLost())).toEqual([true, true]);
  expect(heads.followers()).toBe(0);
  expect(subscriptions.counts()).toEqual({ newHeads: 0, logs: 0, newPendingTransactions: 0, syncing: 0 });
  // A client that subscribes again is served.
  const again = await begun(['newHeads']);
  chain.mine();
  await until(() => again.reported.length === 1);
});

test('logs of a block that is older than the subscription are reported as removed, too', async () => {
  const { chain, begun } = started();
  const log = { address: chain.contracts[0] ?? '', topics: [], data: '0x' };
  chain.mine(2, [log]);
  const one = await begun(['logs', {}]);
  chain.reorganize(2, 3);
  await until(
    () =>
      one.reported.length >=
      2 + wantedLogs(chain.head(), {}).length - wantedLogs(chain.at().byNumber(20) ?? chain.head(), {}).length,
  );
  expect(replayLogs(one.reported, one.start, {})).toEqual(wantedLogs(chain.head(), {}));
});

test('the logs of a block that is lost before they are read are not reported', async () => {
  const { chain, begun, nodes } = started();
  const one = await begun(['logs', {}]);
  const asked = Promise.withResolvers<void>();
  nodes.behave('a', async ({ method }) => {
    if (method === 'eth_getLogs') await asked.promise;
    return undefined;
  });
  chain.mine(1, [{ address: chain.contracts[0] ?? '', topics: [], data: '0x' }]);
  chain.reorganize(1, 2);
  asked.resolve();
  await until(() => one.reported.length >= wantedLogs(chain.head(), {}).length - wantedLogs(one.start, {}).length);
  expect(one.reported.every(({ removed }) => removed === false)).toBe(true);
  expect(replayLogs(one.reported, one.start, {})).toEqual(wantedLogs(chain.head(), {}));
});

test('a subscriber that joins after the loss of a block receives no report of that block', async () => {
  const { chain, begun, nodes } = started();
  const first = await begun(['logs', {}]);
  chain.mine(1, [{ address: chain.contracts[0] ?? '', topics: [], data: '0x' }]);
  await until(() => first.reported.length === 1);
  const answers = Promise.withResolvers<void>();
  nodes.behave('a', async () => void (await answers.promise));
  chain.mine(1, [{ address: chain.contracts[0] ?? '', topics: [], data: '0x' }]);
  chain.reorganize(2, 3);
  const late = await begun(['logs', {}]);
  answers.resolve();
  chain.mine(1, [{ address: chain.contracts[2] ?? '', topics: [], data: '0x' }]);
  await until(() => late.reported.length === 1);
  expect(late.reported[0]).toMatchObject({ removed: false, blockHash: chain.head().hash });
  expect(replayLogs(first.reported, first.start, {})).toEqual(wantedLogs(chain.head(), {}));
});

test('a subscriber that joins while a block is being reported receives the next block first', async () => {
  const { chain, begun } = started({ sliceMs: 0 });
  const all = await Promise.all(Array.from({ length: 64 }, () => begun(['newHeads'])));
  chain.mine();
  expect(all.filter(({ reported }) => reported.length > 0).length).toBeLessThan(64);
  const late = await begun(['newHeads']);
  const next = chain.mine();
  await until(() => [...all, late].every(({ reported }) => reported.at(-1)?.['hash'] === next.hash));
  expect(late.reported).toHaveLength(1);
  expect(all.every(({ reported }) => reported.length === 2)).toBe(true);
});

test('logs of a lost head are reported as removed even when no node has lost blocks; older lost blocks end the subscriptions that they concern', async () => {
  const { chain, begun, nodes, pass, timers } = started();
  const log = { address: chain.contracts[0] ?? '', topics: [], data: '0x' };
  chain.mine(2, [log]);
  for (const nodeId of ['a', 'b'])
    nodes.behave(nodeId, ({ params }) => {
      const block = chain.at().byHash(/0x[0-9a-f]{64}/.exec(params?.text() ?? '')?.[0] ?? '');
      if (block === undefined || chain.at().isCanonical(block)) return undefined;
      return { kind: 'error', raw: rangeOf('{"code":-32000,"message":"unknown block"}') };
    });
  const one = await begun(['logs', {}]);
  const other = await begun(['logs', { address: chain.contracts[1] }]);
  await until(() => nodes.asked.length > 0);
  await Bun.sleep(0);
  const lost = chain.head();
  chain.reorganize(1, 1);
  await until(() => one.reported.length > 0);
  expect(one.reported[0]).toMatchObject({ blockHash: lost.hash, removed: true });
  chain.reorganize(2, 2);
  await until(() => timers.armed().includes(250));
  pass(3_001);
  timers.fire(250);
  await until(() => one.isLost());
  expect(other.isLost()).toBe(true);
});

test('without subscribers no chain is followed', async () => {
  const { begun, heads, timers, subscriptions, chain, nodes } = started();
  expect(heads.followers()).toBe(0);
  const all = await Promise.all([begun(['newHeads']), begun(['newHeads']), begun(['logs', {}])]);
  expect(heads.followers()).toBe(1);
  expect(subscriptions.counts()).toMatchObject({ newHeads: 2, logs: 1 });
  for (const { subscription } of all) {
    subscription.cancel();
    subscription.cancel();
  }
  expect(heads.followers()).toBe(0);
  expect(timers.armed()).toEqual([]);
  const asked = nodes.asked.length;
  chain.mine(3);
  await Bun.sleep(0);
  expect(nodes.asked).toHaveLength(asked);
  expect(all.every(({ reported }) => reported.length === 0)).toBe(true);
});

test('a subscription ends within half a second after its caller loses the permission', async () => {
  const { begun, timers, chain } = started();
  let may: boolean | Promise<boolean> = true;
  const one = await begun(['newHeads'], createSubscriptionClient({ isPermitted: () => may }));
  const other = await begun(['newHeads'], createSubscriptionClient({ isPermitted: () => true }));
  expect(timers.fire(500)).toBe(1);
  await until(() => timers.armed().includes(500));
  expect(one.isLost()).toBe(false);
  may = Promise.resolve(false);
  timers.fire(500);
  await until(() => one.isLost());
  chain.mine();
  await until(() => other.reported.length === 1);
  expect(one.reported).toEqual([]);
});

test('ids are different and cannot be guessed', async () => {
  const { subscribed } = started();
  const ids = await Promise.all(
    Array.from({ length: 100 }, async () => (await subscribed(['newHeads'])).subscription.id),
  );
  expect(new Set(ids).size).toBe(100);
  for (const id of ids) expect(id).toMatch(/^0x[0-9a-f]{32}$/);
});

test('the total number of addresses and topics in the filters of one user is bounded', async () => {
  const { ask } = started();
  const address = Array.from({ length: 1_000 }, (_, at) => `0x${at.toString(16).padStart(40, '0')}`);
  const asked = await Promise.all(
    Array.from({ length: 51 }, () => ask(['logs', { address }], createSubscriptionClient(), 'heavy')),
  );
  expect(asked.filter(({ ok }) => ok)).toHaveLength(19);
  expect(asked.at(-1)).toMatchObject({ ok: false, code: -32005 });
  expect(await ask(['logs', { address }], createSubscriptionClient(), 'other')).toMatchObject({ ok: true });
  for (const each of asked) if (each.ok) each.cancel();
  expect(await ask(['logs', { address }], createSubscriptionClient(), 'heavy')).toMatchObject({ ok: true });
});

test('pending transactions are reported once each, only where the operator enables them, and from the next node when a node is lost', async () => {
  const off = started();
  expect(await off.ask(['newPendingTransactions'], createSubscriptionClient())).toMatchObject({
    ok: false,
    code: -32601,
  });
  const listeners: { notified: (hash: string) => void; lost: () => void }[] = [];
  const feed: NodeFeed = {
    subscribe: async (_kind, { notified, lost }) => {
      listeners.push({ notified: (hash) => notified(rangeOf(JSON.stringify(hash))), lost });
      return () => {};
    },
  };
  const { begun, timers } = started({ settings: { pending: true }, feeds: [feed, feed] });
  const one = await begun(['newPendingTransactions']);
  const hashes = [1, 2, 3].map((at) => `0x${String(at).padStart(64, '0')}`);
  expect(listeners).toHaveLength(1);
  for (const hash of [hashes[0], hashes[0], hashes[1]]) listeners[0]?.notified(hash ?? '');
  listeners[0]?.notified('0x12');
  await until(() => one.reported.length === 2);
  listeners[0]?.lost();
  timers.fire(1_000);
  await until(() => listeners.length === 2);
  for (const hash of [hashes[1], hashes[2]]) listeners[1]?.notified(hash ?? '');
  await until(() => one.reported.length === 3);
  expect(one.reported.map(String)).toEqual(hashes);
});

test('a filter of a node is polled when no node pushes pending transactions', async () => {
  const { begun, nodes, timers } = started({ settings: { pending: true } });
  const hash = `0x${'ab'.repeat(32)}`;
  nodes.behave('a', ({ method }) => ({
    kind: 'result',
    raw: rangeOf(method === 'eth_getFilterChanges' ? JSON.stringify([hash]) : '"0x1"'),
  }));
  const one = await begun(['newPendingTransactions']);
  for (let polls = 0; polls < 3; polls++) {
    await until(() => timers.fire(1_000) === 1);
    await until(() => timers.armed().includes(1_000));
  }
  expect(one.reported.map(String)).toEqual([hash]);
});

test('the syncing state is reported at once and after each change', async () => {
  const { begun, nodes, timers } = started();
  let state = 'false';
  nodes.behave('a', () => ({ kind: 'result', raw: rangeOf(state) }));
  const one = await begun(['syncing']);
  expect(one.reported.map((each) => JSON.stringify(each))).toEqual(['false']);
  state = '{"currentBlock":"0x1","highestBlock":"0x9"}';
  timers.fire(10_000);
  await until(() => one.reported.length === 2);
  timers.fire(10_000);
  await until(() => timers.armed().includes(10_000));
  expect(one.reported.slice(1)).toEqual([{ syncing: true, status: { currentBlock: '0x1', highestBlock: '0x9' } }]);
});

test('chains without blooms, and chains whose blooms omit logs, are followed, too', async () => {
  const { chain, begun, nodes } = started({ settings: { logsBloom: false } });
  const one = await begun(['logs', {}]);
  chain.mine(1, []);
  await until(() => nodes.asked.at(-1)?.method === 'eth_getLogs');
  const made = { address: chain.contracts[0], topics: [], data: '0x', logIndex: '0x0', removed: false };
  nodes.behave('a', ({ params }) => {
    const blockHash = /0x[0-9a-f]{64}/.exec(params?.text() ?? '')?.[0];
    return { kind: 'result', raw: rangeOf(JSON.stringify([{ ...made, blockHash }])) };
  });
  chain.mine(1, []);
  await until(() => one.reported.length === 1);
  expect(one.reported[0]).toMatchObject({ blockHash: chain.head().hash });
});

test('after a log that its bloom omits, logs are also read for blocks with an empty bloom', async () => {
  const { chain, begun, nodes } = started();
  const one = await begun(['logs', {}]);
  const system = { address: chain.contracts[5], topics: [], data: '0x', logIndex: '0x9', removed: false };
  nodes.behave('a', ({ params }) => {
    const block = chain.at().byHash(/0x[0-9a-f]{64}/.exec(params?.text() ?? '')?.[0] ?? '');
    const logs = block === undefined ? [] : [...logsOf(block), { ...system, blockHash: block.hash }];
    return { kind: 'result', raw: rangeOf(JSON.stringify(logs)) };
  });
  chain.mine(1, [{ address: chain.contracts[0] ?? '', topics: [], data: '0x' }]);
  await until(() => one.reported.length === 2);
  chain.mine(1, []);
  await until(() => one.reported.length === 3);
  expect(one.reported[2]).toMatchObject({ blockHash: chain.head().hash, logIndex: '0x9' });
});

test('a subscription that is cancelled while it starts leaves nothing behind', async () => {
  const { ask, heads, subscriptions } = started();
  const waiting = ask(['newHeads'], createSubscriptionClient());
  subscriptions.close();
  expect(await waiting).toMatchObject({ ok: false, code: -32603 });
  expect(heads.followers()).toBe(0);
  expect(subscriptions.counts().newHeads).toBe(0);
});
