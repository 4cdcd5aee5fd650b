import { describe, expect, test } from 'bun:test';
import { createManualTime } from '@flowgate/testing/manual-time';
import { chanceFrom } from '@flowgate/testing/seeded-chance';
import { createSimChain, type SimChainOptions } from '../../../test/fixtures/sim-chain.ts';
import { type SimHeadNode, simHeadNode } from '../../../test/fixtures/sim-head-node.ts';
import { createNetworkHeads } from './create-network-heads.ts';
import type { Block, ChainChange, NetworkHeads } from './network-heads.ts';
import { readBlock } from './read-block.ts';

type Options = SimChainOptions & { readonly nodes?: number; readonly feeds?: boolean; readonly blocks?: number };

function scene({ nodes: count = 1, feeds = false, blocks = 40, ...chainOptions }: Options = {}) {
  const chain = createSimChain({ logs: 0, ...chainOptions });
  chain.mine(blocks);
  const time = createManualTime();
  const nodes = Array.from({ length: count }, (_, nth) => simHeadNode(chain, `node-${nth}`, feeds));
  const cordoned = new Set<string>();
  const heads = createNetworkHeads({
    nodes: () => nodes.filter(({ nodeId }) => !cordoned.has(nodeId)).map(({ node }) => node),
    heightOf: (nodeId) => nodes.find((each) => each.nodeId === nodeId)?.head,
    noteHead(nodeId, height) {
      const node = nodes.find((each) => each.nodeId === nodeId);
      if (node !== undefined) node.head = Math.max(node.head ?? 0, height);
    },
    confirmations: 12,
    ...{ clock: time.clock, timerWheel: time.timerWheel },
  });
  return { chain, time, nodes, first: nodes[0] ?? simHeadNode(chain, ''), cordoned, heads };
}

/** A follower that verifies that each change connects to its chain. */
function checkedFollower(heads: NetworkHeads) {
  const known: Block[] = [];
  const problems: string[] = [];
  const changes: ChainChange[] = [];
  let lost = 0;
  let reported = 0;
  const end = heads.follow({
    changed(change) {
      changes.push(change);
      for (const block of change.removed) {
        const top = known.pop();
        if (top !== undefined && top.hash !== block.hash) problems.push(`removed ${block.number} below another`);
      }
      const base = known.at(-1) ?? change.added[0];
      let parent = known.at(-1);
      for (const block of change.added) {
        if (parent !== undefined && (block.parentHash !== parent.hash || block.number !== parent.number + 1))
          problems.push(`${block.number} does not follow ${parent.number}`);
        if (readBlock(block.header)?.hash !== block.hash) problems.push(`another header at ${block.number}`);
        known.push(block);
        parent = block;
      }
      if (base === undefined && change.removed.length === 0) problems.push('an empty change');
      const tip = known.at(-1);
      if (tip !== undefined && heads.head()?.hash !== tip.hash)
        problems.push('the head is not the newest reported block');
      if (change.removed.length > 0 && tip !== undefined) reported = Math.min(reported, tip.number);
    },
    lost() {
      lost++;
      known.length = 0;
    },
  });
  return {
    known,
    problems,
    changes,
    end,
    lost: () => lost,
    /** Records the head as reported to callers, and verifies that it does not decrease. */
    report() {
      const height = heads.head()?.number ?? 0;
      heads.noteReported(height);
      const now = heads.reportedHeight() ?? 0;
      if (now < reported) problems.push(`reported ${now} after ${reported}`);
      reported = now;
    },
  };
}

const numbers = (blocks: readonly Block[]) => blocks.map(({ number }) => number);

describe('changes of the chain (contract/heads#changes)', () => {
  for (const feeds of [false, true])
    test(`each block is reported once, in order, with its header; ${feeds ? 'from a subscription' : 'from polls'}`, async () => {
      const { chain, time, heads, first } = scene({ feeds });
      const follower = checkedFollower(heads);
      await time.pass(100);
      for (let n = 0; n < 10; n++) {
        chain.mine();
        await time.pass(1_000);
      }
      chain.mine(5);
      await time.pass(1_000);
      expect(follower.problems).toEqual([]);
      expect(numbers(follower.known)).toEqual(Array.from({ length: 15 }, (_, nth) => 41 + nth));
      expect(heads.head()).toMatchObject({ number: 55, hash: chain.head().hash, nodeId: 'node-0' });
      expect([heads.hashAt(50), heads.hashAt(56), heads.heightOf('node-0')]).toEqual([
        chain.at().byNumber(50)?.hash,
        undefined,
        55,
      ]);
      expect(first.subscribed()).toBe(feeds ? 1 : 0);
      follower.end();
    });

  test('a reorganization is reported with the removed blocks, newest first', async () => {
    const { chain, time, heads } = scene();
    const follower = checkedFollower(heads);
    await time.pass(100);
    chain.mine(6);
    await time.pass(1_000);
    const before = follower.changes.length;
    chain.reorganize(4, 6);
    await time.pass(1_000);
    expect(numbers(follower.changes[before]?.removed ?? [])).toEqual([46, 45, 44, 43]);
    expect(numbers(follower.changes[before]?.added ?? [])).toEqual([43, 44, 45, 46, 47, 48]);
    expect(follower.problems).toEqual([]);
  });

  test('a reorganization to the same or a lower height is reported after the node repeats it', async () => {
    const { chain, time, heads } = scene();
    const follower = checkedFollower(heads);
    await time.pass(100);
    chain.mine(6);
    await time.pass(1_000);
    heads.noteReported(46);
    chain.reorganize(3, 3);
    await time.pass(3_000);
    expect(heads.head()?.hash).toBe(chain.head().hash);
    expect(heads.reportedHeight()).toBe(46);
    chain.reorganize(4, 2);
    await time.pass(3_000);
    expect([heads.head()?.number, heads.reportedHeight()]).toEqual([44, 44]);
    expect(follower.problems).toEqual([]);
  });

  test('a reorganization deeper than the remembered blocks is reported as lost', async () => {
    const { chain, time, heads } = scene({ blocks: 5 });
    const follower = checkedFollower(heads);
    await time.pass(100);
    for (let n = 0; n < 30; n++) {
      chain.mine(10);
      await time.pass(1_000);
    }
    expect([follower.lost(), follower.known.length]).toEqual([0, 300]);
    chain.reorganize(280, 290);
    await time.pass(3_000);
    expect([follower.lost(), heads.head()?.hash]).toEqual([1, chain.head().hash]);
    chain.mine(2);
    await time.pass(1_000);
    expect(follower.problems).toEqual([]);
    expect(follower.known).toHaveLength(2);
  });

  test('a deep reorganization is accepted if its node has the ancestors of its head, although their timestamps are earlier', async () => {
    for (const count of [1, 2, 3]) {
      const { chain, time, heads } = scene({ nodes: count });
      const follower = checkedFollower(heads);
      await time.pass(3_000);
      chain.shiftTime(-100_000);
      chain.reorganize(30, 60);
      await time.pass(12_000);
      expect([count, heads.head()?.hash, follower.problems]).toEqual([count, chain.head().hash, []]);
      heads.close();
    }
  });

  test('after the followed node is gone, the next node is followed and no block is missing', async () => {
    for (const feeds of [false, true]) {
      const { chain, time, heads, first } = scene({ nodes: 2, feeds });
      const follower = checkedFollower(heads);
      await time.pass(1_000);
      chain.mine(2);
      await time.pass(1_000);
      first.state = 'dead';
      first.loseFeed();
      chain.mine(40);
      await time.pass(4_000);
      expect(heads.head()).toMatchObject({ number: 82, nodeId: 'node-1' });
      expect(numbers(follower.known)).toEqual(Array.from({ length: 42 }, (_, nth) => 41 + nth));
      expect([follower.problems, follower.lost()]).toEqual([[], 0]);
    }
  });

  test('a follower that comes while the head is old starts with the next head', async () => {
    const { chain, time, heads } = scene();
    await heads.refresh();
    await time.pass(100_000);
    chain.mine(500);
    const follower = checkedFollower(heads);
    await time.pass(1_000);
    expect([follower.lost(), follower.known.length, heads.head()?.number]).toEqual([0, 0, 540]);
    chain.mine();
    await time.pass(1_000);
    expect(numbers(follower.known)).toEqual([541]);
  });

  test('an observer causes no polls and receives the changes that other polls find', async () => {
    const { chain, time, heads, first } = scene();
    let lost = 0;
    const seen: number[] = [];
    heads.observe({ changed: ({ added }) => seen.push(...numbers(added)), lost: () => lost++ });
    await time.pass(60_000);
    expect(first.asked).toEqual([]);
    await heads.refresh();
    chain.mine(3);
    await time.pass(1_500);
    expect(seen).toEqual([41, 42, 43]);
    await time.pass(100_000);
    chain.mine(100);
    await heads.refresh();
    expect([seen.length, lost]).toEqual([3, 1]);
  });
});

describe('faulty nodes (contract/heads#which-node-is-followed)', () => {
  test('a made-up head is refused at any lead, from any node, at the start and later', async () => {
    for (const ahead of [3, 12, 1_000, 100_000])
      for (const count of [1, 2, 3]) {
        const { chain, time, heads, first } = scene({ nodes: count });
        first.ahead = ahead;
        const seen = heads.refresh();
        await time.pass(6_000);
        expect([ahead, count, (await seen)?.number]).toEqual([ahead, count, count === 1 ? undefined : 40]);
        first.heal();
        const follower = checkedFollower(heads);
        await time.pass(12_000);
        first.ahead = ahead;
        chain.mine();
        await time.pass(12_000);
        expect([ahead, count, heads.head()?.number]).toEqual([ahead, count, count === 1 ? 40 : 41]);
        first.heal();
        chain.mine();
        await time.pass(12_000);
        expect([heads.head()?.number, follower.problems, follower.lost()]).toEqual([42, [], 0]);
        heads.close();
      }
  });

  test('a node with an old head does not delay the others, and its head is not accepted', async () => {
    const { chain, time, heads, first } = scene({ nodes: 2 });
    first.frozen = chain.step();
    chain.mine(30);
    const follower = checkedFollower(heads);
    await time.pass(12_000);
    for (let n = 0; n < 20; n++) {
      chain.mine();
      await time.pass(2_000);
      follower.report();
    }
    expect([heads.head()?.number, follower.problems, follower.lost()]).toEqual([90, [], 0]);
    expect(heads.heightOf('node-0')).toBe(40);
  });

  test('a fork of one node is refused while another node contradicts it', async () => {
    const { chain, time, heads } = scene({ nodes: 1 });
    // The second node's chain forks after the common first blocks.
    const other = createSimChain({ logs: 0 });
    other.mine(40);
    const fork = simHeadNode(other, 'fork');
    const nodes: SimHeadNode[] = [simHeadNode(chain, 'good-0'), simHeadNode(chain, 'good-1'), fork];
    const tracked = createNetworkHeads({
      nodes: () => nodes.map(({ node }) => node),
      ...{ heightOf: () => undefined, noteHead: () => {}, confirmations: 12 },
      ...{ clock: time.clock, timerWheel: time.timerWheel },
    });
    const follower = checkedFollower(tracked);
    await time.pass(1_000);
    other.reorganize(2, 3);
    for (let n = 0; n < 30; n++) {
      const [one, two] = nodes;
      if (one !== undefined && two !== undefined) {
        // One of the correct nodes does not answer for a while, so that the others are asked.
        one.state = n % 3 === 0 ? 'silent' : 'well';
        if (n % 3 !== 0) one.heal();
        two.lag = n % 2;
      }
      chain.mine();
      await time.pass(3_000);
      follower.report();
    }
    await time.pass(10_000);
    expect(follower.changes.every(({ removed }) => removed.length === 0)).toBe(true);
    expect([follower.problems, follower.lost()]).toEqual([[], 0]);
    expect(tracked.head()?.hash).toBe(chain.head().hash);
    heads.close();
    tracked.close();
  });

  test('two nodes that are behind on the abandoned branch do not restore it', async () => {
    const { chain, time, heads, nodes, first } = scene({ nodes: 3 });
    const follower = checkedFollower(heads);
    chain.mine(2);
    await time.pass(1_500);
    const behind = nodes.slice(1);
    for (const node of behind) node.frozen = chain.step();
    const { hash } = chain.reorganize(1, 2);
    await time.pass(1_500);
    expect(heads.head()).toMatchObject({ number: 43, hash, nodeId: first.nodeId });
    first.state = 'dead';
    const changes = follower.changes.length;
    await time.pass(1_500);
    for (const node of nodes) node.heal();
    await time.pass(3_000);
    expect([follower.changes.length, follower.lost(), heads.head()?.hash]).toEqual([changes, 0, hash]);
  });

  test('one address with two nodes, one of them behind, reports no head twice and no lower head', async () => {
    const { chain, time, heads, first } = scene();
    const follower = checkedFollower(heads);
    await time.pass(100);
    const chance = chanceFrom(7);
    for (let n = 0; n < 60; n++) {
      first.lag = chance(3);
      if (n % 2 === 0) chain.mine();
      await time.pass(500);
      follower.report();
    }
    first.lag = 0;
    await time.pass(2_000);
    expect([follower.problems, follower.lost(), heads.head()?.number]).toEqual([[], 0, 70]);
    expect(follower.changes.every(({ removed }) => removed.length === 0)).toBe(true);
  });

  test('a rollback is accepted after each node that answers reports it for a while', async () => {
    const { chain, time, heads, first } = scene();
    const follower = checkedFollower(heads);
    await time.pass(1_000);
    chain.mine(12);
    await time.pass(1_000);
    heads.noteReported(52);
    first.frozen = chain.step() - 10;
    await time.pass(3_000);
    expect([heads.head()?.number, heads.reportedHeight()]).toEqual([52, 52]);
    await time.pass(60_000);
    expect([heads.head()?.number, heads.reportedHeight()]).toEqual([42, 42]);
    expect(follower.changes.at(-1)).toMatchObject({ added: [] });
    first.heal();
    await time.pass(3_000);
    expect([heads.head()?.number, follower.problems, follower.lost()]).toEqual([52, [], 0]);
  });

  test('a node that never answers, or sends invalid answers, delays a poll only briefly', async () => {
    for (const state of ['silent', 'rubbish'] as const) {
      const { time, heads, first } = scene({ nodes: 2 });
      first.state = state;
      const asked = heads.refresh();
      await time.pass(2_000);
      expect((await asked)?.nodeId).toBe('node-1');
    }
  });

  test('a cordoned node is not followed', async () => {
    const { chain, time, heads, cordoned } = scene({ nodes: 2 });
    await heads.refresh();
    expect(heads.head()?.nodeId).toBe('node-0');
    cordoned.add('node-0');
    chain.mine();
    await heads.refresh();
    await time.settle();
    expect([heads.head()?.nodeId, heads.heightOf('node-0')]).toEqual(['node-1', undefined]);
  });
});

describe('how often nodes are polled (contract/heads#how-often-nodes-are-polled)', () => {
  const askedIn = async (time: ReturnType<typeof createManualTime>, node: SimHeadNode, ms: number) => {
    const before = node.asked.length;
    await time.pass(ms);
    return node.asked.length - before;
  };

  test('not without a follower or caller, and until 30 seconds after the last one', async () => {
    const { time, heads, first } = scene();
    expect(await askedIn(time, first, 600_000)).toBe(0);
    heads.isFresh();
    expect(await askedIn(time, first, 30_000)).toBeGreaterThan(20);
    await time.pass(2_000);
    expect(await askedIn(time, first, 600_000)).toBe(0);
    expect(time.isSleeping()).toBe(true);
  });

  test('four times in one block time', async () => {
    for (const [blockSeconds, max] of [
      [1, 260],
      [4, 65],
      [12, 24],
    ] as const) {
      const { chain, time, heads, first } = scene({ blockSeconds });
      const follower = checkedFollower(heads);
      for (let n = 0; n < 8; n++) {
        chain.mine();
        await time.pass(blockSeconds * 1_000);
      }
      const asked = await askedIn(time, first, 60_000);
      expect([blockSeconds, asked <= max, asked > max / 2]).toEqual([blockSeconds, true, true]);
      follower.end();
    }
  });

  test('concurrent callers share one poll', async () => {
    const { time, heads, first } = scene();
    await heads.refresh();
    await time.settle();
    const before = first.asked.length;
    await Promise.all(Array.from({ length: 50 }, () => heads.refresh()));
    expect(first.asked.length - before).toBe(1);
  });

  test('the other nodes are asked once for their height, and again while they are behind', async () => {
    const { chain, time, heads, nodes } = scene({ nodes: 2 });
    const follower = checkedFollower(heads);
    await time.pass(3_000);
    const second = nodes[1];
    if (second === undefined) throw new Error('two nodes');
    second.lag = 1;
    const before = second.asked.length;
    chain.mine();
    await time.pass(1_050);
    expect([heads.head()?.number, heads.heightOf('node-1')]).toEqual([41, 40]);
    second.lag = 0;
    await time.pass(1_000);
    expect(heads.heightOf('node-1')).toBe(41);
    expect(second.asked.length - before).toBeLessThan(10);
    expect(await askedIn(time, second, 10_000)).toBeLessThan(5);
    follower.end();
  });

  test('the other nodes are asked for their height while the followed one hangs', async () => {
    const { chain, time, heads, nodes, first } = scene({ nodes: 3 });
    heads.isFresh();
    await heads.refresh();
    for (const node of nodes.slice(1)) node.frozen = chain.step();
    chain.mine();
    await heads.refresh();
    first.state = 'silent';
    const looking = heads.refresh();
    const [, second] = nodes;
    if (second !== undefined) second.frozen = undefined;
    expect(nodes.map(({ head }) => head)).toEqual([41, 40, 40]);
    await time.pass(600);
    expect(nodes.map(({ head }) => head)).toEqual([41, 41, 40]);
    await time.pass(10_000);
    await looking;
  });

  test('a lost subscription is renewed after a pause, and missed blocks are read', async () => {
    const { chain, time, heads, first } = scene({ feeds: true });
    const follower = checkedFollower(heads);
    await time.pass(100);
    for (let n = 0; n < 5; n++) {
      first.loseFeed();
      chain.mine(2);
      await time.pass(200);
    }
    expect(first.asked.length).toBeLessThan(60);
    await time.pass(60_000);
    expect([first.subscribed(), heads.head()?.number, follower.problems]).toEqual([1, 50, []]);
  });
});

describe('the final height', () => {
  test('is the lower finalized block of two nodes, and never decreases', async () => {
    const { chain, time, heads, nodes } = scene({ nodes: 2 });
    const follower = checkedFollower(heads);
    expect(heads.finalHeight()).toBeUndefined();
    await time.pass(1_000);
    expect(heads.finalHeight()).toBe(28);
    if (nodes[1] !== undefined) nodes[1].frozen = chain.step();
    for (let n = 0; n < 40; n++) {
      chain.mine();
      await time.pass(1_000);
    }
    expect(heads.finalHeight()).toBe(28);
    nodes[1]?.heal();
    chain.mine(10);
    await time.pass(15_000);
    expect(heads.finalHeight()).toBe(78);
    follower.end();
  });

  test('is the head minus the confirmations if nodes do not support the tag', async () => {
    const { chain, time, heads, first } = scene();
    first.finalizes = false;
    const follower = checkedFollower(heads);
    await time.pass(1_000);
    expect(heads.finalHeight()).toBe(28);
    chain.mine(2);
    await time.pass(1_000);
    expect(heads.finalHeight()).toBe(30);
    follower.end();
  });
});

test('a node that showed a newer block in an answer is asked before the followed node, regardless of its earlier claims', async () => {
  const { heads, time, chain, nodes, first } = scene({ nodes: 2 });
  const [, second] = nodes;
  void heads.refresh();
  await time.pass(500);
  first.frozen = chain.step();
  if (second !== undefined) second.lag = 2;
  chain.mine(2);
  void heads.refresh();
  await time.pass(3_500);
  expect([heads.head()?.number, second?.head]).toEqual([40, 40]);
  if (second !== undefined) Object.assign(second, { lag: 0, head: 42 });
  void heads.refresh();
  await time.pass(100);
  expect(heads.head()).toMatchObject({ number: 42, nodeId: second?.nodeId });
});

test('a reported head that no node confirms for 30 seconds is dropped, and not before (contract/heads#the-head-never-goes-back)', async () => {
  const { heads, time, chain } = scene({ nodes: 2 });
  const wait = async (ms: number) => {
    for (let left = ms; left > 0; left -= 500) {
      void heads.refresh();
      await time.pass(500);
    }
  };
  await wait(500);
  heads.noteReported(41);
  await wait(20_000);
  expect(heads.reportedHeight()).toBe(41);
  chain.mine();
  await wait(2_000);
  heads.noteReported(42);
  await wait(29_000);
  expect(heads.reportedHeight()).toBe(42);
  await wait(2_000);
  expect([heads.head()?.number, heads.reportedHeight()]).toEqual([41, 41]);
  heads.noteReported(42);
  expect(heads.reportedHeight()).toBe(42);
});

test('the reported head is at most one block above the head, regardless of the claims of nodes', async () => {
  const { time, heads } = scene();
  heads.noteReported(1_000);
  expect(heads.reportedHeight()).toBeUndefined();
  await heads.refresh();
  await time.settle();
  heads.noteReported(1_000);
  expect(heads.reportedHeight()).toBe(41);
  heads.noteReported(5);
  expect(heads.reportedHeight()).toBe(41);
});

/** Runs one random history: blocks, reorganizations, and nodes that are behind, stop, lie, fail and return. Returns the problems found. */
async function history(seed: number): Promise<readonly string[]> {
  const chance = chanceFrom(seed);
  const { chain, time, heads, nodes } = scene({ seed, nodes: 1 + chance(3), feeds: chance(2) === 0, blocks: 30 });
  const follower = checkedFollower(heads);
  await time.pass(2_000);
  const anyNode = () => nodes[chance(nodes.length)];
  const steps: (() => void)[] = [
    ...Array.from({ length: 6 }, () => () => void chain.mine(1 + chance(3))),
    () => void chain.reorganize(1 + chance(5)),
    () => void chain.reorganize(1 + chance(3), 1 + chance(3)),
    () => Object.assign(anyNode() ?? {}, { lag: chance(4) }),
    () => Object.assign(anyNode() ?? {}, { frozen: chain.step() }),
    () => Object.assign(anyNode() ?? {}, { ahead: 1 + chance(40) }),
    () => Object.assign(anyNode() ?? {}, { state: 'dead' }),
    () => Object.assign(anyNode() ?? {}, { state: 'silent' }),
    () => anyNode()?.loseFeed(),
    () => anyNode()?.heal(),
    () => {
      for (const node of nodes) node.heal();
    },
  ];
  for (let n = 0; n < 40; n++) {
    steps[chance(steps.length)]?.();
    await time.pass(200 + chance(2_500));
    follower.report();
  }
  for (const node of nodes) node.heal();
  chain.mine(2);
  await time.pass(90_000);
  const problems = [...follower.problems];
  if (follower.lost() > 0) problems.push('lost');
  if (heads.head()?.hash !== chain.head().hash) problems.push('not at the head');
  const behind = follower.known.filter(({ number, hash }) => chain.at().byNumber(number)?.hash !== hash);
  if (behind.length > 0) problems.push('a block that is lost was not removed');
  heads.close();
  await time.pass(20_000);
  if (!time.isSleeping()) problems.push('a timer is left');
  return problems;
}

test('random histories: each change once, in order, connected; the reported head decreases only after a rollback', async () => {
  const runs = Number(process.env['HEAD_HISTORIES'] ?? 40);
  for (let seed = Number(process.env['HEAD_FIRST'] ?? 1); seed <= runs; seed++)
    expect([seed, await history(seed)]).toEqual([seed, []]);
});
