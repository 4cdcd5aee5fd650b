/** Nodes that return some of a block's logs and omit others: another node or the receipts reveal them, and the node is named (contract/indexer#reading). */

import { afterEach, expect, test } from 'bun:test';
import type { BlockHeader } from '@flowgate/chain/blocks/block-header';
import { until } from '@flowgate/testing/until';
import { type IndexedOptions, openIndexedStream } from '../../../test/fixtures/indexed-stream.ts';
import { createSimBridge, type SimBridge } from '../../../test/fixtures/sim-bridge.ts';
import { logLies, type SimBridgeNodeOptions, startSimBridgeNode } from '../../../test/fixtures/sim-bridge-node.ts';
import { askSecondNode } from './second-node.ts';
import { createStreamFilter } from './stream-filter.ts';

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

const person = `0x${'a1'.repeat(20)}`;

/** The number of blocks, with two or three deposits in each `every`th. */
function bridgeOf(blocks: number, every = 3): SimBridge {
  const bridge = createSimBridge({ seed: 1 });
  for (let block = 1; block <= blocks; block++) {
    if (block % every === 0)
      bridge.deposit({ from: person, to: person, amount: BigInt(block), times: 2 + (block % 2) });
    bridge.mine('l1');
  }
  return bridge;
}
function nodeOf(bridge: SimBridge, options: SimBridgeNodeOptions = {}) {
  const node = startSimBridgeNode(bridge, 'l1', options);
  ends.push(() => node.stop());
  return node;
}
function indexed(bridge: SimBridge, options: IndexedOptions) {
  const index = openIndexedStream(bridge, options);
  ends.push(() => index.stop());
  return index;
}
async function agrees(index: ReturnType<typeof indexed>): Promise<void> {
  await until('the index is at the head', index.isAtHead);
  expect(index.reported()).toEqual(index.wanted());
  expect(index.errors).toEqual([]);
}

for (const [place, others] of [
  ['asked first', 'after'],
  ['asked second', 'before'],
] as const)
  for (const alsoReceipts of [false, true])
    test(`single logs that a node omits${alsoReceipts ? ', of receipts as well,' : ''} are found where it is ${place}, and it is named`, async () => {
      const bridge = bridgeOf(90);
      const [liar, honest] = [nodeOf(bridge), nodeOf(bridge)];
      liar.lieAboutLogs(logLies.singles(bridge.chance, 3));
      if (alsoReceipts) liar.lieAboutReceipts(logLies.singles(bridge.chance, 3));
      const nodes = others === 'after' ? [liar, honest] : [honest, liar];
      const index = indexed(bridge, { nodes, maxBlockRange: 20 });
      await agrees(index);
      for (let more = 0; more < 5; more++) {
        bridge.deposit({ from: person, to: person, amount: 5n, times: 3 });
        bridge.mine('l1');
        await agrees(index);
      }
      expect(new Set(index.holes)).toEqual(new Set([others === 'after' ? 'n0' : 'n1']));
    });

test('alone, a node that omits single logs is found out by its receipts, at the head and where blocks have few logs', async () => {
  const bridge = bridgeOf(60);
  const liar = nodeOf(bridge);
  liar.lieAboutLogs(logLies.singles(bridge.chance, 2));
  const index = indexed(bridge, { nodes: [liar], maxBlockRange: 20 });
  await agrees(index);
  bridge.deposit({ from: person, to: person, amount: 5n, times: 5 });
  bridge.mine('l1');
  await agrees(index);
  expect(new Set(index.holes)).toEqual(new Set(['n0']));
});

test('alone, a node that omits single logs from its receipts as well is trouble, until it returns them', async () => {
  const bridge = bridgeOf(20);
  const liar = nodeOf(bridge);
  const index = indexed(bridge, { nodes: [liar] });
  await agrees(index);
  const lies = [liar.lieAboutLogs((logs) => logs.slice(1)), liar.lieAboutReceipts((logs) => logs.slice(1))];
  bridge.deposit({ from: person, to: person, amount: 5n, times: 3 });
  bridge.mine('l1');
  await until('the trouble is reported', () => index.state()?.trouble?.includes('block 21') === true);
  for (const end of lies) end();
  await agrees(index);
});

test('blocks of which a node returns no logs, by hash either, are found by its receipts while no other node answers, despite many false alarms', async () => {
  const bridge = bridgeOf(3);
  const [liar, gone] = [nodeOf(bridge), nodeOf(bridge)];
  const index = indexed(bridge, { nodes: [liar, gone] });
  await agrees(index);
  gone.fail({ kind: 'dead' });
  for (let more = 0; more < 12; more++) {
    bridge.decoy('l1', person);
    bridge.mine('l1');
    await agrees(index);
  }
  liar.lieAboutLogs(logLies.nothing);
  bridge.deposit({ from: person, to: person, amount: 5n });
  bridge.mine('l1');
  await agrees(index);
});

test('alone, a node whose receipts have roots of another kind is trusted when they contain the same logs, also after others were proven', async () => {
  const bridge = bridgeOf(12);
  const node = nodeOf(bridge);
  const index = indexed(bridge, { nodes: [node] });
  await agrees(index);
  node.lie((answer, method) =>
    method === 'eth_getBlockByNumber' && 'result' in answer && answer.result !== null
      ? { result: { ...Object(answer.result), receiptsRoot: `0x${'ab'.repeat(32)}` } }
      : answer,
  );
  bridge.deposit({ from: person, to: person, amount: 5n, times: 2 });
  bridge.mine('l1');
  await agrees(index);
});

test('where blooms cannot be trusted, another node also reveals whole blocks that were omitted', async () => {
  const bridge = bridgeOf(40);
  const liar = nodeOf(bridge);
  liar.lieAboutLogs(logLies.holes(bridge.chance, 2));
  await agrees(indexed(bridge, { nodes: [liar, nodeOf(bridge)], usesBlooms: false }));
});

test('the other node is asked in pieces where it accepts fewer blocks', async () => {
  const bridge = bridgeOf(64, 2);
  const liar = nodeOf(bridge);
  liar.lieAboutLogs(logLies.singles(bridge.chance, 3));
  const strict = nodeOf(bridge, { limits: { blockRange: 5, results: 8 }, refusal: 'alchemy' });
  await agrees(indexed(bridge, { nodes: [liar, strict], maxBlockRange: 32 }));
});

test('a node that is behind is no witness, and is not reported', async () => {
  const bridge = bridgeOf(30);
  const [first, late] = [nodeOf(bridge), nodeOf(bridge)];
  late.lagBehind(3);
  const index = indexed(bridge, { nodes: [first, late] });
  await agrees(index);
  for (let more = 0; more < 5; more++) {
    bridge.deposit({ from: person, to: person, amount: 5n, times: 2 });
    bridge.mine('l1');
    await agrees(index);
  }
  expect(index.holes).toEqual([]);
});

test('the other node is asked once for a range, and not at all where no bloom indicates a log', async () => {
  const questions = async (blocks: number, every: number) => {
    const bridge = bridgeOf(blocks, every);
    const nodes = [nodeOf(bridge), nodeOf(bridge)];
    const index = indexed(bridge, { nodes, maxBlockRange: 16 });
    await agrees(index);
    // Whether receipts prove anything on this chain is tried once, for four ranges that are read concurrently.
    expect(nodes.flatMap((node) => node.askedFor('eth_getBlockReceipts')).length).toBeLessThanOrEqual(4);
    return [index.store.commits.length, nodes.reduce((sum, node) => sum + node.askedFor('eth_getLogs').length, 0)];
  };
  for (const blocks of [64, 128]) {
    const [ranges = 0, asked = 0] = await questions(blocks, 2);
    expect(asked).toBeLessThanOrEqual(2 * ranges + 2);
    const [quietRanges = 0, quietlyAsked = 0] = await questions(blocks, 1_000);
    expect(quietlyAsked).toBeLessThanOrEqual(quietRanges + 1);
  }
});

test('a node that does not answer soon is not awaited', async () => {
  const hash = `0x${'1'.repeat(64)}` as const;
  const header: BlockHeader = {
    ...{ number: 1, hash, parentHash: hash, timestampMs: 0, bloom: undefined, receiptsRoot: undefined },
  };
  const silent = (isWell: boolean) => ({
    ...{ nodeId: 'silent', isWell: () => isWell, ask: () => new Promise<never>(() => {}) },
  });
  const filter = createStreamFilter([]);
  const asked = askSecondNode([silent(true), silent(false)], filter, [header], new Map(), { wellMs: 1, unwellMs: 1 });
  expect(await asked).toBeUndefined();
});
