/** Nodes that tell some of a block's logs and leave out others: found by another node and by the receipts, and named (contract/indexer#reading). */

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

/** So many blocks, with two or three deposits in each `every`th. */
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
    test(`single logs that a node leaves out${alsoReceipts ? ', of receipts as well,' : ''} are found where it is ${place}, and it is named`, async () => {
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

test('alone, a node that leaves single logs out is found by its receipts, at the head and where little happens', async () => {
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

test('alone, a node that leaves single logs out of its receipts as well is trouble, until it tells them', async () => {
  const bridge = bridgeOf(20);
  const liar = nodeOf(bridge);
  const index = indexed(bridge, { nodes: [liar] });
  await agrees(index);
  const lies = [liar.lieAboutLogs((logs) => logs.slice(1)), liar.lieAboutReceipts((logs) => logs.slice(1))];
  bridge.deposit({ from: person, to: person, amount: 5n, times: 3 });
  bridge.mine('l1');
  await until('the trouble is told', () => index.state()?.trouble?.includes('block 21') === true);
  for (const end of lies) end();
  await agrees(index);
});

test('blocks of which a node tells nothing, by hash either, are found by its receipts while no other node answers, after whatever false alarms', async () => {
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

test('alone, a node whose receipts have roots of another kind is believed where they tell the same, also after others were proven', async () => {
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

test('where blooms are not to be believed another node finds whole blocks that were left out, too', async () => {
  const bridge = bridgeOf(40);
  const liar = nodeOf(bridge);
  liar.lieAboutLogs(logLies.holes(bridge.chance, 2));
  await agrees(indexed(bridge, { nodes: [liar, nodeOf(bridge)], usesBlooms: false }));
});

test('the other node is asked in pieces where it takes fewer blocks', async () => {
  const bridge = bridgeOf(64, 2);
  const liar = nodeOf(bridge);
  liar.lieAboutLogs(logLies.singles(bridge.chance, 3));
  const strict = nodeOf(bridge, { limits: { blockRange: 5, results: 8 }, refusal: 'alchemy' });
  await agrees(indexed(bridge, { nodes: [liar, strict], maxBlockRange: 32 }));
});

test('a node that has not got so far is no witness, and is not accused', async () => {
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

test('the other node is asked once for a range, and not at all where blooms tell of no log', async () => {
  const questions = async (blocks: number, every: number) => {
    const bridge = bridgeOf(blocks, every);
    const nodes = [nodeOf(bridge), nodeOf(bridge)];
    const index = indexed(bridge, { nodes, maxBlockRange: 16 });
    await agrees(index);
    // Whether they prove anything on this chain is found out once, of four ranges that are read at the same time.
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

test('a node that does not answer soon is not waited for', async () => {
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
