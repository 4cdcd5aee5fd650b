import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { nodeCaller } from '../../../test/fixtures/node-caller.ts';
import { type NodeFacts, pooledNode } from '../../../test/fixtures/pooled-node.ts';
import { type Choice, lastTier, nextOf, type PooledNode } from './candidates.ts';

/** Random numbers from a seed. */
function seeded(seed: number): () => number {
  let state = seed | 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

const ordered: Choice = { strategy: 'ordered', random: () => 0 };
const fastest = (random = seeded(87)): Choice => ({ strategy: 'fastest', random });

function choose(
  facts: readonly NodeFacts[],
  choice = ordered,
  call: { fromHeight?: number; ownOnly?: true; repeatable?: boolean; caller?: undefined } = {},
) {
  const nodes = facts.map((each, at) => pooledNode(`${at}`, each).node);
  return nextOf(nodes, undefined, { repeatable: true, caller: nodeCaller, ...call }, choice, 0, 0)?.nodeId;
}

describe('a shared node (contract/nodes#what-shared-nodes-are-asked)', () => {
  const shared = { isShared: true };

  test.each<readonly [string, readonly NodeFacts[], string | undefined]>([
    ['that reports no head', [{ head: 7 }, { head: 6 }, shared], '0'],
    ['that claims to have the block', [{ head: 7 }, { isShared: true, head: 99 }], '0'],
    ['when the circuits of the others are open', [{ head: 7, isCircuitOpen: true }, shared], '0'],
    ['when the others have reported no head', [{ isUnhealthy: true }, shared], '0'],
    ['when the others are on another chain', [{ isOut: true }, shared], undefined],
  ])('is not asked about a block that no node of the operator has reached: one %s', (_name, facts, chosen) => {
    expect(choose(facts, ordered, { fromHeight: 8 })).toBe(chosen);
  });

  test('is asked about a block that a node of the operator has reached, before a node that lacks it', () => {
    expect(choose([{ head: 8, isOut: true }, { head: 6 }, shared], ordered, { fromHeight: 8 })).toBe('2');
  });

  test('does not receive calls that are for the operator’s nodes only, regardless of their state', () => {
    expect(choose([{ isCircuitOpen: true, isUnhealthy: true }, shared], ordered, { ownOnly: true })).toBe('0');
    expect(choose([{ isOut: true }, shared], ordered, { ownOnly: true })).toBeUndefined();
    expect(choose([{ head: 9, isCircuitOpen: true }, shared], ordered, { fromHeight: 8, ownOnly: true })).toBe('0');
  });

  test('is asked about all blocks while the pool has no node of the operator', () => {
    expect(choose([shared, shared], ordered, { fromHeight: 8, ownOnly: true })).toBe('0');
  });
});

describe('of several nodes (contract/routing#candidates)', () => {
  test.each<readonly [string, readonly NodeFacts[], string | undefined]>([
    ['none', [], undefined],
    ['the first', [{}, {}], '0'],
    ['the lowest tier', [{ tier: 2 }, { tier: 1 }, { tier: 1 }], '1'],
    [
      'the next tier if all circuits of the lowest are open',
      [{ isCircuitOpen: true }, { isUnhealthy: true }, { tier: 1 }],
      '2',
    ],
    ['a node of the operator before a shared one, regardless of its tier', [{ isShared: true }, { tier: 100 }], '1'],
    ['a shared node before one with an open circuit', [{ isCircuitOpen: true }, { isShared: true }], '1'],
    ['a node with an open circuit before one that is behind', [{ isBehind: true }, { isCircuitOpen: true }], '1'],
    ['a node that is behind before none', [{ isBehind: true }, { isOut: true }], '0'],
    [
      'the node with the shortest time to its probe',
      [
        { isCircuitOpen: true, coolDownMs: 2 },
        { isCircuitOpen: true, coolDownMs: 1 },
      ],
      '1',
    ],
    [
      'the highest node of those that are behind',
      [
        { isBehind: true, head: 3 },
        { isBehind: true, head: 7 },
      ],
      '1',
    ],
    ['no node of another chain', [{ isOut: true }], undefined],
    ['the node whose probe is due', [{}, { isCircuitOpen: true, isDue: true }], '1'],
    ['not an unhealthy node whose probe is due', [{}, { isCircuitOpen: true, isDue: true, isUnhealthy: true }], '0'],
    ['not a node of a higher tier whose probe is due', [{}, { isCircuitOpen: true, isDue: true, tier: 1 }], '0'],
    [
      'not a node that is behind and whose probe is due',
      [{}, { isCircuitOpen: true, isDue: true, isBehind: true }],
      '0',
    ],
  ])('%s', (_name, facts, chosen) => {
    expect(choose(facts)).toBe(chosen);
  });

  test('a request of the gateway itself probes no node', () => {
    expect(choose([{}, { isCircuitOpen: true, isDue: true }], ordered, { caller: undefined })).toBe('0');
  });

  test('a call that must not be repeated probes no node, and avoids the node whose last call failed', () => {
    const once = { repeatable: false };
    expect(choose([{}, { isCircuitOpen: true, isDue: true }], ordered, once)).toBe('0');
    expect(choose([{ hasFailedLast: true }, {}], ordered, once)).toBe('1');
    expect(choose([{ hasFailedLast: true }, { hasFailedLast: true }], ordered, once)).toBe('0');
    expect(choose([{ hasFailedLast: true }, { tier: 1 }], ordered, once)).toBe('0');
  });
});

describe('the faster node (contract/routing#strategy)', () => {
  const times = (node: ReturnType<typeof pooledNode>, ms: number, count = 1) => {
    for (let at = 0; at < count; at++) {
      node.load.begin(0, 0);
      node.load.end(0, ms, true, 0);
    }
  };
  const call = { repeatable: true };

  test('of two is chosen; the slower one if calls in flight make it the faster', () => {
    const [slow, quick] = [pooledNode('slow'), pooledNode('quick')];
    times(slow, 30);
    times(quick, 10);
    const choice = fastest();
    const next = () => nextOf([slow.node, quick.node], undefined, call, choice, 0, 0);
    for (let at = 0; at < 100; at++) expect(next()?.nodeId).toBe('quick');
    for (let at = 0; at < 3; at++) quick.load.begin(0, 0);
    for (let at = 0; at < 100; at++) expect(next()?.nodeId).toBe('slow');
  });

  test('new nodes are tried by one call at a time', () => {
    const nodes = ['a', 'b', 'c'].map((nodeId) => pooledNode(nodeId));
    const choice = fastest();
    const asked = new Set<string>();
    for (let at = 0; at < 50 && asked.size < 3; at++) {
      const next = nextOf(
        nodes.map(({ node }) => node),
        undefined,
        call,
        choice,
        0,
        0,
      );
      next?.load.begin(0, 0);
      asked.add(next?.nodeId ?? '');
    }
    expect(asked).toEqual(new Set(['a', 'b', 'c']));
  });

  test('equal nodes share the calls evenly', () => {
    const nodes = ['a', 'b', 'c', 'd'].map((nodeId) => pooledNode(nodeId));
    for (const node of nodes) times(node, 10);
    const counts = new Map<string | undefined, number>();
    const choice = fastest();
    for (let at = 0; at < 4_000; at++) {
      const next = nextOf(
        nodes.map(({ node }) => node),
        undefined,
        call,
        choice,
        0,
        0,
      );
      counts.set(next?.nodeId, (counts.get(next?.nodeId) ?? 0) + 1);
    }
    for (const count of counts.values()) expect(Math.abs(count - 1_000)).toBeLessThan(150);
  });

  test('nodes that are all unhealthy also share the calls', () => {
    const nodes = ['a', 'b', 'c'].map((nodeId) => pooledNode(nodeId, { isUnhealthy: true }));
    for (const node of nodes) times(node, 10);
    const choice = fastest();
    const asked = Array.from({ length: 100 }, () =>
      nextOf(
        nodes.map(({ node }) => node),
        undefined,
        call,
        choice,
        0,
        0,
      ),
    );
    expect(new Set(asked.map((node) => node?.nodeId)).size).toBe(3);
  });

  test('the slowest of three is never asked while all are idle', () => {
    const nodes = [30, 10, 10].map((ms, at) => {
      const node = pooledNode(`${at}`);
      times(node, ms);
      return node.node;
    });
    const choice = fastest();
    for (let at = 0; at < 300; at++) expect(nextOf(nodes, undefined, call, choice, 0, 0)?.nodeId).not.toBe('0');
  });
});

const factsOf = fc.record({
  tier: fc.integer({ min: 0, max: 2 }),
  isShared: fc.boolean(),
  head: fc.option(fc.integer({ min: 0, max: 3 }), { nil: undefined }),
  isBehind: fc.boolean(),
  isUnhealthy: fc.boolean(),
  isCircuitOpen: fc.boolean(),
  isDue: fc.boolean(),
  hasFailedLast: fc.boolean(),
  isOut: fc.boolean(),
});
type DrawnFacts = typeof factsOf extends fc.Arbitrary<infer Facts> ? Facts : never;

test('the chosen node satisfies the contract for all states of the nodes', () => {
  const draw = fc.record({
    all: fc.array(factsOf, { maxLength: 6 }),
    fromHeight: fc.option(fc.integer({ min: 0, max: 3 }), { nil: undefined }),
    repeatable: fc.boolean(),
    ownOnly: fc.boolean(),
    strategy: fc.constantFrom('fastest' as const, 'ordered' as const),
    seed: fc.nat(),
  });
  fc.assert(
    fc.property(draw, ({ all, fromHeight, repeatable, ownOnly, strategy, seed }) => {
      const nodes = all.map((facts, at) => pooledNode(`${at}`, clean(facts)).node);
      const call = { repeatable, fromHeight, ownOnly: ownOnly || undefined };
      const chosen = nextOf(nodes, undefined, call, { strategy, random: seeded(seed) }, 0, 0);
      // A head that a shared node reports does not count, and a shared node is not asked about a block that no node of the operator has reached.
      const own = nodes.filter(({ tier }) => tier !== lastTier);
      const isReached = fromHeight === undefined || own.some((node) => (node.head() ?? -1) >= fromHeight);
      const withShared = own.length === 0 || nodes.length === 1 || (isReached && !ownOnly);
      const askable = nodes.filter((node) => !node.isOut() && (withShared || node.tier !== lastTier));
      expect(chosen === undefined).toBe(askable.length === 0);
      if (chosen === undefined) return;
      expect(askable).toContain(chosen);
      const headOf = (node: PooledNode) => (node.tier === lastTier ? 9 : (node.head() ?? 9));
      const lacks = (node: PooledNode) => headOf(node) < (fromHeight ?? 0);
      const knows = (node: PooledNode) =>
        fromHeight === undefined || (node.tier !== lastTier && (node.head() ?? -1) >= fromHeight);
      // Never a node that is known to lack the block while another may have it.
      if (lacks(chosen)) expect(askable.every(lacks)).toBe(true);
      const isReady = (node: PooledNode) =>
        !node.isCircuitOpen() && !node.isUnhealthy() && !node.isBehind() && knows(node);
      const ready = askable.filter(isReady);
      if (ready.length === 0) return;
      // A candidate of the lowest tier, or the probe of a node that would be one.
      const lowest = Math.min(...ready.map(({ tier }) => tier));
      if (isReady(chosen)) expect(chosen.tier).toBe(lowest);
      else {
        expect([repeatable, chosen.isDue(0), chosen.isUnhealthy(), chosen.isBehind(), knows(chosen)]).toEqual([
          ...[true, true, false, false, true],
        ]);
        expect(chosen.tier).toBeLessThanOrEqual(lowest);
      }
      const trusted = ready.filter((node) => node.tier === lowest && !node.hasFailedLast());
      if (!repeatable && trusted.length > 0) expect(chosen.hasFailedLast()).toBe(false);
    }),
    { numRuns: 2_000, seed: 87 },
  );
});

function clean({ head, ...facts }: DrawnFacts): NodeFacts {
  return head === undefined ? facts : { ...facts, head };
}
