import { expect, test } from 'bun:test';
import { systemClock } from '@flowgate/base/clock';
import { Unavailable } from '@flowgate/base/unavailable';
import { quietLog } from '@flowgate/testing/quiet-log';
import { until } from '@flowgate/testing/until';
import { checkNodes, checksAtOnce } from './check-nodes.ts';
import type { NodeCheck } from './node-check.ts';
import { nodeRecord } from './node-store.contract.ts';
import type { CheckOutcome, NodeRecord } from './node-store.ts';

const healthy: NodeCheck = { kind: 'healthy', blockHeight: 7, latencyMs: 1 };
const silent: NodeCheck = { kind: 'no-answer', detail: 'nothing' };
const tick = { now: systemClock.now, monotonic: systemClock.monotonic };

type Stored = CheckOutcome & { readonly raise: boolean };

/** The leader's job, over nodes that the test changes. */
function leading(records: readonly NodeRecord[], check: (record: NodeRecord) => Promise<NodeCheck>, intervalMs = 50) {
  let nodes = records;
  let revision = 0;
  let fails = false;
  const stored: Stored[] = [];
  const changes: number[] = [];
  const stop = new AbortController();
  const done = checkNodes(
    {
      ...{ nodes: () => nodes, revision: () => revision, check, intervalMs, clock: tick, log: quietLog() },
      store: {
        async recordChecks(outcomes, raise) {
          if (fails) throw new Unavailable('database', 'down');
          stored.push(...outcomes.map((each) => ({ ...each, raise })));
        },
        forgetRemoved: async () => {},
      },
      changed: async () => void changes.push(stored.length),
    },
    stop.signal,
  );
  return {
    ...{ stored, changes },
    follow(next: readonly NodeRecord[]) {
      nodes = next;
      revision++;
    },
    failStores(now: boolean) {
      fails = now;
    },
    of: (nodeId: string) => stored.filter((each) => each.nodeId === nodeId),
    async [Symbol.asyncDispose]() {
      stop.abort();
      await done;
    },
  };
}

test('one success makes a node healthy, three failures in a row make it unhealthy, and only changes are published to all gateways (contract/nodes#checks)', async () => {
  const record = nodeRecord();
  const answers = [healthy, healthy, silent, silent, healthy, silent, silent, silent, silent, healthy];
  await using leader = leading([record], async () => answers.shift() ?? healthy);
  await until(
    () =>
      answers.length === 0 &&
      leader.of(record.nodeId).some((each) => each.raise && each.status === 'healthy') &&
      leader.changes.length >= 3,
  );
  const reported = leader.of(record.nodeId).filter(({ raise }) => raise);
  expect(reported.map(({ status }) => status)).toEqual(['healthy', 'unhealthy', 'healthy']);
  expect(leader.changes).toHaveLength(3);
});

test('a node on another chain is unhealthy at once, until a check proves the right chain (contract/nodes#checks)', async () => {
  const record = nodeRecord({ status: 'healthy' });
  const answers: NodeCheck[] = [{ kind: 'wrong-chain', found: '5' }, silent, healthy];
  await using leader = leading([record], async () => answers.shift() ?? healthy);
  await until(() => leader.changes.length === 2);
  const seen = leader.of(record.nodeId).filter(({ raise }) => raise);
  expect(seen.map(({ status, isOnOtherChain }) => [status, isOnOtherChain])).toEqual([
    ['unhealthy', true],
    ['healthy', false],
  ]);
});

test('twenty hanging nodes of one owner do not delay other owners’ checks (docs/decisions/0073)', async () => {
  const hanging = Array.from({ length: 20 }, () => nodeRecord({ ownerId: 'mallory', status: 'healthy' }));
  const others = Array.from({ length: 200 }, (_, at) => nodeRecord({ ownerId: `user ${at % 50}`, status: 'healthy' }));
  const checks = new Map<string, number>();
  let inFlight = 0;
  let max = 0;
  const never = Promise.withResolvers<NodeCheck>();
  const check = async ({ nodeId, ownerId }: NodeRecord) => {
    checks.set(nodeId, (checks.get(nodeId) ?? 0) + 1);
    if (ownerId !== 'mallory') return healthy;
    inFlight++;
    max = Math.max(max, inFlight);
    return never.promise;
  };
  await using leader = leading([...hanging, ...others], check);
  await until(() => others.every(({ nodeId }) => (checks.get(nodeId) ?? 0) >= 3));
  expect(leader.stored.filter(({ status }) => status !== 'healthy')).toEqual([]);
  // Checks of one owner's nodes are bounded, so the other slots are free for other owners.
  expect(max).toBe(checksAtOnce.answering.maxRunningOfOwner);
  expect(hanging.filter(({ nodeId }) => checks.has(nodeId))).toHaveLength(max);
  never.resolve(silent);
});

test('nodes that failed have slots of their own, so that any number of them does not delay nodes that answer (docs/decisions/0073)', async () => {
  const failing = Array.from({ length: 400 }, (_, at) => nodeRecord({ ownerId: `bad ${at}`, status: 'unhealthy' }));
  const others = Array.from({ length: 100 }, (_, at) => nodeRecord({ ownerId: `good ${at}`, status: 'healthy' }));
  const never = Promise.withResolvers<NodeCheck>();
  const checks = new Map<string, number>();
  let hanging = 0;
  const check = async ({ nodeId, status }: NodeRecord) => {
    checks.set(nodeId, (checks.get(nodeId) ?? 0) + 1);
    if (status === 'healthy') return healthy;
    hanging++;
    return never.promise;
  };
  await using leader = leading([...failing, ...others], check);
  await until(() => others.every(({ nodeId }) => (checks.get(nodeId) ?? 0) >= 3));
  expect(hanging).toBe(checksAtOnce.failing.maxRunning);
  expect(leader.stored.length).toBeGreaterThan(0);
  never.resolve(silent);
});

test('outcomes that could not be stored are stored later, decisive ones are published, and newer ones replace older ones', async () => {
  const record = nodeRecord();
  await using leader = leading([record], async () => healthy);
  leader.failStores(true);
  await until(() => leader.stored.length === 0 && leader.changes.length === 0);
  leader.failStores(false);
  await until(() => leader.of(record.nodeId).length > 1);
  expect(leader.of(record.nodeId)[0]).toMatchObject({ raise: true, status: 'healthy' });
  expect(leader.changes.length).toBe(1);
});

test('a new node is checked at once, a removed node no more, and a node with a new URL like a new one', async () => {
  const [first, second] = [nodeRecord(), nodeRecord()];
  const checked: string[] = [];
  const pending = Promise.withResolvers<NodeCheck>();
  await using leader = leading(
    [first],
    async ({ nodeId, addressDigest }) => {
      checked.push(addressDigest);
      return nodeId === first.nodeId && addressDigest === first.addressDigest ? pending.promise : healthy;
    },
    60_000,
  );
  await until(() => checked.includes(first.addressDigest));
  leader.follow([{ ...first, addressDigest: 'new' }, second]);
  await until(() => checked.includes(second.addressDigest));
  pending.resolve({ kind: 'wrong-chain', found: '5' });
  await until(() => checked.includes('new'));
  await until(() => leader.of(first.nodeId).length > 0);
  // The outcome for the old URL does not apply to the new one.
  expect(leader.of(first.nodeId).map(({ addressDigest, status }) => [addressDigest, status])).toEqual([
    ['new', 'healthy'],
  ]);
});

test('a check for which this gateway had no capacity says nothing about the node and is repeated soon (docs/decisions/0073)', async () => {
  // A node that was checked before would be due at any time within the interval.
  const record = nodeRecord({ status: 'pending' });
  let asked = 0;
  await using leader = leading([record], async () => (++asked < 3 ? { kind: 'not-asked' } : healthy), 60_000);
  await until(() => leader.of(record.nodeId).length > 0);
  expect(leader.of(record.nodeId).map(({ status }) => status)).toEqual(['healthy']);
});
