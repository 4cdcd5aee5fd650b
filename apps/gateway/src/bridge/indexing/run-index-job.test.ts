/** The indexer on a simulated bridge whose nodes lag, lie, refuse and go. Over 250 lines: one fixture of one stream serves them all. */

import { afterEach, expect, test } from 'bun:test';
import { Unavailable } from '@flowgate/base/unavailable';
import { isJsonObject } from '@flowgate/json/json-object';
import { until } from '@flowgate/testing/until';
import { type IndexedOptions, openIndexedStream } from '../../../test/fixtures/indexed-stream.ts';
import { createMemoryIndexStore } from '../../../test/fixtures/memory-index-store.ts';
import { createSimBridge, type SimBridge } from '../../../test/fixtures/sim-bridge.ts';
import {
  logLies,
  type RangeRefusal,
  rangeRefusals,
  type SimBridgeNodeOptions,
  startSimBridgeNode,
} from '../../../test/fixtures/sim-bridge-node.ts';

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

const person = `0x${'a1'.repeat(20)}`;
const madeUp = (digit: number) => `0x${String(digit).repeat(64)}`;

/** The number of blocks, with a deposit in each `every`th. */
function bridgeOf(blocks: number, every = 3, seed = 1): SimBridge {
  const bridge = createSimBridge({ seed });
  for (let block = 1; block <= blocks; block++) {
    if (block % every === 0)
      bridge.deposit({ from: person, to: person, amount: BigInt(block), times: (block % 2) + 1 });
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

test('everything from the start block on is read, in ranges, each block once', async () => {
  const bridge = bridgeOf(250);
  const index = indexed(bridge, { nodes: [nodeOf(bridge)], maxBlockRange: 40 });
  await agrees(index);
  expect(index.reported().length).toBeGreaterThan(100);
  let next = 0;
  for (const { from, to } of index.store.commits) {
    expect(from).toBe(next);
    expect(to - from).toBeLessThan(40);
    next = to + 1;
  }
  expect(index.state()).toMatchObject({ nextBlock: 251, epoch: 1, head: { number: 250, hash: bridge.l1.head().hash } });
});

test('new blocks are stored soon, and blocks below the start block never', async () => {
  const bridge = bridgeOf(30);
  const index = indexed(bridge, { nodes: [nodeOf(bridge)], startBlock: 20 });
  await until('the index is at the head', index.isAtHead);
  expect(index.reported()).toEqual(
    index.wanted().filter(({ blockHash }) => bridge.l1.block({ hash: blockHash }).number >= 20),
  );
  for (let more = 0; more < 5; more++) {
    bridge.deposit({ from: person, to: person, amount: 5n });
    bridge.mine('l1');
    await until('the new block is stored', index.isAtHead);
  }
  expect(index.reported()).toHaveLength(
    index.wanted().filter(({ blockHash }) => bridge.l1.block({ hash: blockHash }).number >= 20).length,
  );
});

for (const refusal of Object.keys(rangeRefusals) as RangeRefusal[])
  test(`a node that refuses ranges as ${refusal} does gets shorter ones`, async () => {
    const bridge = bridgeOf(120);
    const node = nodeOf(bridge, { refusal, limits: { blockRange: 17, results: 12 } });
    const index = indexed(bridge, { nodes: [node] });
    await agrees(index);
    expect(node.askedFor('eth_getLogs').length).toBeLessThan(60);
  });

test('a block that is refused as a range is read by its hash, or from its receipts', async () => {
  const bridge = bridgeOf(12, 4);
  bridge.deposit({ from: person, to: person, amount: 1n, times: 30 });
  bridge.mine('l1');
  const node = nodeOf(bridge, { limits: { results: 10 } });
  const index = indexed(bridge, { nodes: [node] });
  await agrees(index);
  const other = nodeOf(bridge, { limits: { results: 10 } });
  other.lie((answer, method, [filter]) =>
    method === 'eth_getLogs' && JSON.stringify(filter).includes('blockHash') ? { error: rangeRefusals.infura } : answer,
  );
  await agrees(indexed(bridge, { nodes: [other] }));
  expect(other.askedFor('eth_getBlockReceipts').length).toBeGreaterThan(0);
});

test('a block that no node returns is trouble, never skipped, and read once a node returns it', async () => {
  const bridge = bridgeOf(12, 4);
  bridge.deposit({ from: person, to: person, amount: 1n, times: 30 });
  bridge.mine('l1');
  bridge.mine('l1', 3);
  const node = nodeOf(bridge, { limits: { results: 10 } });
  const end = node.lie((answer, method, [filter]) =>
    method === 'eth_getBlockReceipts' || (method === 'eth_getLogs' && JSON.stringify(filter).includes('blockHash'))
      ? { error: rangeRefusals.infura }
      : answer,
  );
  const index = indexed(bridge, { nodes: [node] });
  await until('the trouble is reported', () => index.state()?.trouble !== undefined);
  expect(index.state()).toMatchObject({ nextBlock: 13, trouble: expect.stringContaining('block 13') });
  end();
  await agrees(index);
  expect(index.state()?.trouble).toBeUndefined();
});

test('a chain whose head is known, and whose logs no node returns, counts as unread (contract/bridge#stale)', async () => {
  const bridge = bridgeOf(250);
  const node = nodeOf(bridge);
  const end = node.lie((answer, method) =>
    method === 'eth_getLogs' || method === 'eth_getBlockReceipts' ? { error: rangeRefusals.infura } : answer,
  );
  const index = indexed(bridge, { nodes: [node], maxBlockRange: 40 });
  await until('the head is noted and the trouble is reported', () => index.state()?.trouble !== undefined);
  await until('it is tried again', () => node.askedFor('eth_getLogs').length > 20);
  expect(index.state()).toMatchObject({ head: { number: 250 }, trouble: expect.any(String) });
  expect(index.state()?.readAtMs).toBeUndefined();
  end();
  await agrees(index);
  expect(index.state()?.readAtMs).toBeNumber();
});

test('omitted logs are found by the blooms, by hash from the same node or from another one', async () => {
  const bridge = bridgeOf(60);
  const liar = nodeOf(bridge);
  liar.lie((answer, method, [filter]) =>
    method === 'eth_getLogs' && !JSON.stringify(filter).includes('blockHash') ? { result: [] } : answer,
  );
  const index = indexed(bridge, { nodes: [liar] });
  await agrees(index);
  expect(index.holes.length).toBeGreaterThan(0);
  const worse = nodeOf(bridge);
  worse.lieAboutLogs(logLies.nothing);
  await agrees(indexed(bridge, { nodes: [worse, nodeOf(bridge)] }));
});

for (const name of ['doubled', 'wrongBlocks', 'removed', 'reversed'] as const)
  test(`logs that are ${name} are refused`, async () => {
    const bridge = bridgeOf(40, 2);
    const liar = nodeOf(bridge);
    const end = liar.lieAboutLogs(logLies[name]);
    const index = indexed(bridge, { nodes: [liar] });
    await until('the trouble is reported', () => index.state()?.trouble !== undefined);
    expect(index.reported().length).toBe(0);
    end();
    await agrees(index);
  });

test('where blooms cannot be trusted, an answer without logs is accepted', async () => {
  const bridge = bridgeOf(30);
  const liar = nodeOf(bridge);
  liar.lieAboutLogs(logLies.nothing);
  const index = indexed(bridge, { nodes: [liar], usesBlooms: false });
  await until('the index is at the head', index.isAtHead);
  expect(index.reported()).toEqual([]);
});

for (const keep of [true, false] as const)
  test(`reorganizations of every depth, where transactions are ${keep ? 'mined again' : 'gone'}`, async () => {
    const bridge = bridgeOf(60, 2, 7);
    const index = indexed(bridge, { nodes: [nodeOf(bridge), nodeOf(bridge)] });
    await agrees(index);
    for (const depth of [1, 2, 5, 20, 45]) {
      bridge.reorganize('l1', depth, keep);
      await agrees(index);
    }
    expect(index.reorganizations.map(({ depth }) => depth)).toEqual([1, 2, 5, 20, 45]);
    expect(index.state()?.epoch).toBe(6);
  });

test('a chain that changes below all remembered blocks is read again as a whole', async () => {
  const bridge = bridgeOf(30);
  const index = indexed(bridge, { nodes: [nodeOf(bridge)], startBlock: 10 });
  await until('the index is at the head', index.isAtHead);
  bridge.reorganize('l1', 28, false);
  await until('the index is at the head', index.isAtHead);
  expect(index.state()).toMatchObject({ epoch: 2 });
  expect(index.reported()).toEqual([]);
});

test('a node on another fork, alone against two, changes nothing', async () => {
  const bridge = bridgeOf(40);
  const [stray, ...others] = [nodeOf(bridge), nodeOf(bridge), nodeOf(bridge)];
  const index = indexed(bridge, { nodes: [stray, ...others].filter((node) => node !== undefined) });
  await agrees(index);
  stray?.follow(bridge.fork('l1', 6, 9));
  await until('the disagreement is seen', () => index.troubles.some(({ fault }) => fault === 'disagreement'));
  bridge.deposit({ from: person, to: person, amount: 9n });
  bridge.mine('l1', 6);
  await agrees(index);
  expect(index.reorganizations).toEqual([]);
});

test('a head that does not exist, or moves back, changes nothing', async () => {
  const bridge = bridgeOf(40);
  const node = nodeOf(bridge);
  const index = indexed(bridge, { nodes: [node] });
  await agrees(index);
  node.boast(50);
  bridge.deposit({ from: person, to: person, amount: 9n });
  bridge.mine('l1', 2);
  await until('the head is requested', () =>
    node.askedFor('eth_getBlockByNumber').some(({ params }) => params[0] === '0x29'),
  );
  node.boast(0);
  await agrees(index);
  node.show(() => bridge.l1.at(20));
  await until('the head is seen again', () => (index.state()?.readAtMs ?? 0) > 0);
  bridge.mine('l1', 3);
  node.show(undefined);
  await agrees(index);
  expect(index.reorganizations).toEqual([]);
});

test('while no node answers the stream reports it, and continues when one does', async () => {
  const bridge = bridgeOf(20);
  const node = nodeOf(bridge);
  const index = indexed(bridge, { nodes: [node] });
  await agrees(index);
  const end = node.fail({ kind: 'dead' });
  bridge.deposit({ from: person, to: person, amount: 9n });
  bridge.mine('l1');
  await until('the trouble is reported', () => index.state()?.trouble === 'no node answers');
  end();
  await until('the index is at the head', index.isAtHead);
  expect(index.reported()).toEqual(index.wanted());
  expect(index.state()?.trouble).toBeUndefined();
});

test('a head that is not confirmed is its own trouble: it is not reported as a network without answers', async () => {
  const bridge = bridgeOf(20);
  const node = nodeOf(bridge);
  const index = indexed(bridge, { nodes: [node] });
  await agrees(index);
  const end = node.lie((answer, method, [block]) =>
    method === 'eth_getBlockByNumber' && block === 'latest' && 'result' in answer && isJsonObject(answer.result)
      ? { result: { ...answer.result, number: '0x1000', hash: madeUp(1), parentHash: madeUp(2) } }
      : answer,
  );
  bridge.deposit({ from: person, to: person, amount: 9n });
  bridge.mine('l1');
  await until('the trouble is reported', () => index.state()?.trouble !== undefined);
  expect(index.state()?.trouble).toMatch(/^the newest block that node \S+ reports, 4096, is not confirmed$/);
  expect(index.troubles.map(({ fault }) => fault)).not.toContain('away');
  end();
  await agrees(index);
});

test('a store that fails at any moment causes no gap', async () => {
  const bridge = bridgeOf(80);
  let calls = 0;
  const store = createMemoryIndexStore(() => {
    calls += 1;
    if (calls % 3 === 1) throw new Unavailable('database', 'a test');
  });
  const index = indexed(bridge, { nodes: [nodeOf(bridge)], maxBlockRange: 30, store });
  await agrees(index);
  expect(index.troubles.map(({ fault }) => fault)).toContain('storage');
});

test('a reread while the chain continues replaces what was stored, which is never missing meanwhile', async () => {
  const bridge = bridgeOf(60);
  const index = indexed(bridge, { nodes: [nodeOf(bridge)], maxBlockRange: 10 });
  await agrees(index);
  const before = index.reported().length;
  expect(await index.store.reindex('main/l1', 0)).toBe(0);
  bridge.mine('l1');
  await until('it is read again', () => {
    expect(index.reported()).toHaveLength(before);
    return index.isAtHead() && index.state()?.rereadTo === undefined;
  });
  await agrees(index);
});

test('settlers have rounds during a back-fill and at each head; one that fails stops no other', async () => {
  const bridge = bridgeOf(40);
  const rounds: number[] = [];
  const index = indexed(bridge, {
    nodes: [nodeOf(bridge)],
    settlers: [
      { name: 'broken', settle: () => Promise.reject(new Error('a bug')) },
      {
        name: 'counting',
        async settle({ states: [state] }) {
          rounds.push(state?.nextBlock ?? -1);
          return rounds.length < 3 ? 'more' : 'done';
        },
      },
    ],
  });
  await until('all was settled', () => rounds.includes(41) && rounds.length >= 3);
  bridge.mine('l1');
  await until('the head was settled', () => rounds.includes(42));
  expect(index.errors.length).toBeGreaterThan(0);
});

test('a node with inconsecutive blocks does not stop a stream that other nodes serve; alone, it is trouble', async () => {
  const bridge = bridgeOf(40);
  const [torn, right] = [nodeOf(bridge), nodeOf(bridge)];
  const [both, alone] = [indexed(bridge, { nodes: [torn, right] }), indexed(bridge, { nodes: [torn] })];
  await agrees(both);
  await agrees(alone);
  const end = torn.lie((answer, method, [number]) =>
    method === 'eth_getBlockByNumber' && number === '0x29' && 'result' in answer && answer.result !== null
      ? { result: { ...Object(answer.result), parentHash: `0x${'ab'.repeat(32)}` } }
      : answer,
  );
  bridge.mine('l1', 3);
  await agrees(both);
  await until('the trouble is reported', () => alone.state()?.trouble?.includes('block 40') === true);
  end();
  await agrees(alone);
  expect(alone.state()?.trouble).toBeUndefined();
});

for (const part of ['stream', 'settler'] as const)
  test(`a job ends soon, although a ${part} waits forever`, async () => {
    const bridge = bridgeOf(40);
    let isWaiting = false;
    const never = <T>() => {
      isWaiting = true;
      return new Promise<T>(() => {});
    };
    const store = createMemoryIndexStore();
    const index = indexed(bridge, {
      nodes: [nodeOf(bridge)],
      store: part === 'stream' ? { ...store, commit: never<boolean> } : store,
      settlers: part === 'settler' ? [{ name: 'waiting', settle: never<'done'> }] : [],
    });
    await until('it waits', () => isWaiting);
    const startedMs = performance.now();
    await index.stop();
    expect(performance.now() - startedMs).toBeLessThan(20_000);
  });

test('a block with a time that cannot be written is refused', async () => {
  const bridge = bridgeOf(20);
  const liar = nodeOf(bridge);
  const end = liar.lie((answer, method, [number]) =>
    method === 'eth_getBlockByNumber' && number === '0x5' && 'result' in answer && answer.result !== null
      ? { result: { ...Object(answer.result), timestamp: '0x1fffffffffffff' } }
      : answer,
  );
  const index = indexed(bridge, { nodes: [liar] });
  await until('the trouble is reported', () => index.state()?.trouble?.includes('block 5') === true);
  expect(index.reported()).toEqual([]);
  end();
  await agrees(index);
});
