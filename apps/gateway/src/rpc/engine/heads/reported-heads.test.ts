import { describe, expect, test } from 'bun:test';
import { BudgetedBuffer } from '@flowgate/bytes/budgeted-buffer';
import { ByteBudget } from '@flowgate/bytes/byte-budget';
import { rangeOf } from '@flowgate/bytes/byte-range';
import { evm } from '@flowgate/chain/families/evm';
import { createManualTime } from '@flowgate/testing/manual-time';
import { chanceFrom } from '@flowgate/testing/seeded-chance';
import { createSimChain } from '../../../../test/fixtures/sim-chain.ts';
import { simHeadNode } from '../../../../test/fixtures/sim-head-node.ts';
import { createNetworkHeads } from '../../../upstream/heads/create-network-heads.ts';
import type { BatchAnswer, NodeAnswer, NodeBatch, NodeCall, NodeReply } from '../../../upstream/port/node-port.ts';
import { createReportedHeads } from './reported-heads.ts';

/**
 * A pool that calls the node that the test names, regardless of the height that the call needs. If this node is excluded, it calls the next one, as if every
 * better node were gone.
 */
function scene(count = 2) {
  const chain = createSimChain({ logs: 1 });
  chain.mine(40);
  const time = createManualTime();
  const nodes = Array.from({ length: count }, (_, nth) => simHeadNode(chain, `node-${nth}`));
  const asked: { readonly nodeId: string; readonly call: NodeCall | NodeBatch }[] = [];
  const budget = new ByteBudget({ totalBytes: 10_000_000, ownerBytes: 10_000_000 });
  let first = 0;
  /** A node that a user shares. It is not one of `nodes`. */
  const stranger = simHeadNode(chain, 'stranger');
  let isStranger = false;

  function nodeFor(call: NodeCall | NodeBatch) {
    if (isStranger && call.leftOut?.has('stranger') !== true) return stranger;
    const others = nodes.filter(({ nodeId }) => call.leftOut?.has(nodeId) !== true);
    return others[first] ?? others[0] ?? stranger;
  }
  const noteHead = (nodeId: string, height: number) => {
    const node = nodes.find((each) => each.nodeId === nodeId);
    if (node !== undefined) node.head = Math.max(node.head ?? 0, height);
  };
  const own = { nodes: () => nodes.map(({ node }) => node), noteHead };
  const { clock, timerWheel } = time;
  const heads = createNetworkHeads({
    ...{ ...own, clock, timerWheel, confirmations: 12 },
    heightOf: (nodeId) => nodes.find((each) => each.nodeId === nodeId)?.head,
  });
  const port = createReportedHeads({
    ...{
      heads,
      noteHead,
      clock,
      timerWheel,
      budget,
      family: evm,
      reads: evm.reads,
      timeoutMs: 30_000,
      isNodeError: () => false,
    },
    ownNodes: () => nodes,
  })({
    send(call) {
      const node = nodeFor(call);
      asked.push({ nodeId: node.nodeId, call });
      return node.node.pool.send(call);
    },
    async sendBatch(batch): Promise<NodeReply<BatchAnswer>> {
      const node = nodeFor(batch);
      asked.push({ nodeId: node.nodeId, call: batch });
      const answers = await Promise.all(
        batch.questions.map(async ({ method, params }) => {
          const reply = await node.node.pool.send({ method, params, repeatable: true });
          return reply.ok && reply.answer.kind !== 'buffered' ? reply.answer : undefined;
        }),
      );
      return { ok: true, nodeId: node.nodeId, answer: { kind: 'batch', answers } };
    },
  });
  const callOf = (method: string, params: readonly unknown[] = []) => ({
    method,
    params: rangeOf(JSON.stringify(params)),
  });
  return {
    ...{ chain, time, nodes, heads, asked, budget, port, callOf, stranger },
    prefer: (nth: number) => {
      first = nth;
    },
    useStranger: () => {
      isStranger = true;
    },
    async ask(method: string, params: readonly unknown[] = [], more: Partial<NodeCall> = {}) {
      const repeatable = evm.reads.has(method);
      const reply = Promise.resolve(port.send({ ...callOf(method, params), repeatable, ...more }));
      await time.pass(0);
      return reply;
    },
  };
}

const resultIn = (reply: NodeReply<NodeAnswer>): unknown =>
  reply.ok && reply.answer.kind !== 'buffered' ? JSON.parse(reply.answer.raw.text()) : undefined;
const numberIn = (reply: NodeReply<NodeAnswer>): number => {
  const value = resultIn(reply);
  const text = typeof value === 'object' && value !== null && 'number' in value ? value.number : value;
  return Number(text);
};

describe('eth_blockNumber (contract/heads#the-head-never-goes-back)', () => {
  test('is answered from the followed head, in the same turn while the head is fresh, and no call reaches a node', async () => {
    const { ask, asked, chain, time, port, callOf } = scene();
    expect(numberIn(await ask('eth_blockNumber'))).toBe(40);
    const reply = port.send({ ...callOf('eth_blockNumber'), repeatable: true });
    expect(reply).toMatchObject({ ok: true, nodeId: 'node-0', from: 'cache', attempts: 0 });
    expect(port.send({ method: 'eth_blockNumber', params: undefined, repeatable: true })).toBe(reply);
    chain.mine();
    await time.pass(1_500);
    expect(numberIn(await ask('eth_blockNumber'))).toBe(41);
    expect(asked).toEqual([]);
  });

  test('leads to one check for all waiting callers when the head is old', async () => {
    const { time, chain, nodes, port, callOf } = scene(1);
    const before = nodes[0]?.asked.length ?? 0;
    const replies = Array.from({ length: 30 }, () => port.send({ ...callOf('eth_blockNumber'), repeatable: true }));
    await time.settle();
    expect(new Set((await Promise.all(replies)).map(numberIn))).toEqual(new Set([40]));
    await time.pass(60_000);
    chain.mine();
    const late = Array.from({ length: 30 }, () => port.send({ ...callOf('eth_blockNumber'), repeatable: true }));
    await time.settle();
    expect(new Set((await Promise.all(late)).map(numberIn))).toEqual(new Set([41]));
    expect((nodes[0]?.asked ?? []).slice(before).filter(({ method }) => method === 'eth_blockNumber')).toEqual([]);
  });

  test('goes to the nodes when none reports its newest block, and when the caller may not call some of them', async () => {
    const { ask, asked, nodes } = scene(1);
    expect(numberIn(await ask('eth_blockNumber', [], { leftOut: new Set(['node-7']) }))).toBe(40);
    expect(asked).toHaveLength(1);
    if (nodes[0] !== undefined) nodes[0].ahead = 100_000;
    const other = scene(1);
    if (other.nodes[0] !== undefined) other.nodes[0].ahead = 100_000;
    expect(numberIn(await other.ask('eth_blockNumber'))).toBe(100_040);
    expect(other.heads.reportedHeight()).toBeUndefined();
  });
});

describe('the height that a call needs of its node (contract/heads#the-head-never-goes-back)', () => {
  test('is the reported head, the height that the call names, or none', async () => {
    const { ask, asked } = scene();
    await ask('eth_blockNumber');
    const needs = async (method: string, params?: readonly unknown[]) => {
      asked.length = 0;
      await ask(method, params);
      return asked[0]?.call.fromHeight;
    };
    const address = `0x${'ab'.repeat(20)}`;
    for (const tag of ['latest', 'safe', 'finalized', 'pending'])
      expect([tag, await needs('eth_getBalance', [address, tag])]).toEqual([tag, 40]);
    expect(await needs('eth_gasPrice')).toBe(40);
    expect(await needs('eth_getBalance', [address, '0x7'])).toBe(7);
    expect(await needs('eth_getLogs', [{ fromBlock: '0x1', toBlock: '0x9' }])).toBe(9);
    expect(await needs('eth_getLogs', [{ fromBlock: '0x1' }])).toBe(40);
    expect(await needs('eth_getBalance', [address, 'earliest'])).toBeUndefined();
    expect(await needs('eth_chainId')).toBeUndefined();
    expect(await needs('eth_getTransactionReceipt', [`0x${'00'.repeat(32)}`])).toBeUndefined();
    expect(await needs('eth_sendRawTransaction', ['0x00'])).toBeUndefined();
  });
});

describe('the reported head (contract/heads#the-head-never-goes-back)', () => {
  test('is the highest block in any result of any method', async () => {
    const { ask, chain, heads, time, nodes } = scene(1);
    await ask('eth_blockNumber');
    const reported = async (method: string, params: readonly unknown[]) => {
      const head = chain.mine(1, [{ address: `0x${'aa'.repeat(20)}`, topics: [], data: '0x' }]);
      const [transaction] = head.transactions;
      const hash = transaction?.hash ?? '';
      await ask(method, JSON.parse(JSON.stringify(params).replaceAll('HASH', head.hash).replaceAll('TX', hash)));
      const now = heads.reportedHeight();
      await heads.refresh();
      await time.settle();
      return [method, now, head.number];
    };
    const height = () => `0x${(chain.head().number + 1).toString(16)}`;
    for (const [method, params] of [
      ['eth_getBlockByNumber', ['latest', true]],
      ['eth_getBlockByHash', ['HASH', false]],
      ['eth_getTransactionReceipt', ['TX']],
      ['eth_getTransactionByHash', ['TX']],
      ['eth_getLogs', [{ fromBlock: '0x1' }]],
      ['eth_getBlockByNumber', [height(), false]],
    ] as const) {
      const [name, now, wanted] = await reported(
        method,
        method === 'eth_getBlockByNumber' && params[0] !== 'latest' ? [height(), false] : params,
      );
      expect([name, now]).toEqual([name, wanted]);
    }
    expect(nodes[0]?.head).toBe(chain.head().number);
  });

  test("is never a height that only a node from the future or a user's shared node shows", async () => {
    const { ask, heads, nodes, useStranger, stranger, prefer } = scene();
    await ask('eth_blockNumber');
    const [, second] = nodes;
    if (second === undefined) throw new Error('two nodes');
    prefer(1);
    second.ahead = 9;
    expect(numberIn(await ask('eth_getBlockByNumber', ['latest', false]))).toBe(40);
    expect(heads.reportedHeight()).toBe(40);
    second.heal();
    useStranger();
    stranger.ahead = 1;
    expect(numberIn(await ask('eth_getBlockByNumber', ['latest', false]))).toBe(40);
    expect(heads.reportedHeight()).toBe(40);
  });
});

describe('an answer older than the reported head (contract/heads#the-head-never-goes-back)', () => {
  test('leads to a call to another node', async () => {
    const { ask, asked, nodes, prefer, chain } = scene();
    const [, second] = nodes;
    if (second === undefined) throw new Error('two nodes');
    second.frozen = chain.step();
    chain.mine(2);
    expect(numberIn(await ask('eth_blockNumber'))).toBe(42);
    prefer(1);
    expect(numberIn(await ask('eth_getBlockByNumber', ['latest', false]))).toBe(42);
    expect(asked.map(({ nodeId }) => nodeId)).toEqual(['node-1', 'node-0']);
    // The answer shows no height, and the node is not known to have reached the reported head.
    asked.length = 0;
    await ask('eth_getBalance', [`0x${'ab'.repeat(20)}`, 'latest']);
    expect(asked.map(({ nodeId }) => nodeId)).toEqual(['node-1', 'node-0']);
  });

  test('leads to repeated calls while nodes catch up, and is never returned: 502 at the end', async () => {
    const { nodes, chain, time, port, callOf, ask, budget } = scene(1);
    const [only] = nodes;
    if (only === undefined) throw new Error('a node');
    chain.mine(3);
    expect(numberIn(await ask('eth_blockNumber'))).toBe(43);
    only.lag = 1;
    const waiting = port.send({ ...callOf('eth_getBlockByNumber', ['latest', false]), repeatable: true });
    await time.pass(900);
    only.lag = 0;
    await time.pass(2_000);
    expect(numberIn(await waiting)).toBe(43);
    only.frozen = chain.step() - 2;
    const failing = port.send({
      ...callOf('eth_getBlockByNumber', ['latest', false]),
      repeatable: true,
      timeoutMs: 3_000,
    });
    await time.pass(10_000);
    expect(await failing).toMatchObject({ ok: false, failure: 'not-reached' });
    expect(budget.reservedBytes).toBe(0);
  });

  test('is no longer too old after the chain has been rolled back', async () => {
    const { nodes, chain, time, heads, ask } = scene(1);
    await ask('eth_blockNumber');
    chain.mine(5);
    await time.pass(1_500);
    expect(numberIn(await ask('eth_blockNumber'))).toBe(45);
    if (nodes[0] !== undefined) nodes[0].frozen = chain.step() - 2;
    heads.isFresh();
    for (let n = 0; n < 25; n++) {
      await time.pass(1_000);
      heads.isFresh();
    }
    expect([
      numberIn(await ask('eth_blockNumber')),
      numberIn(await ask('eth_getBlockByNumber', ['latest', false])),
    ]).toEqual([43, 43]);
  });

  test('a call is not repeated after its caller has disconnected', async () => {
    const { nodes, chain, time, port, callOf, ask, asked } = scene(1);
    chain.mine(3);
    await ask('eth_blockNumber');
    if (nodes[0] !== undefined) nodes[0].lag = 2;
    const request = new AbortController();
    const call = { ...callOf('eth_getBlockByNumber', ['latest', false]), repeatable: true };
    const waiting = port.send({ ...call, caller: { userId: 'alice', request } });
    await time.pass(50);
    request.abort();
    await time.pass(300);
    const before = asked.length;
    await time.pass(10_000);
    expect([(await waiting).ok, asked.length - before]).toEqual([false, 0]);
  });

  test('a block that callers know of is requested from another node before it is reported absent', async () => {
    const { ask, asked, nodes, prefer, chain } = scene();
    const [, second] = nodes;
    if (second === undefined) throw new Error('two nodes');
    second.frozen = chain.step();
    chain.mine(2);
    await ask('eth_blockNumber');
    prefer(1);
    expect(numberIn(await ask('eth_getBlockByNumber', ['0x2a', false]))).toBe(42);
    expect(asked.map(({ nodeId }) => nodeId)).toEqual(['node-1', 'node-0']);
    expect(resultIn(await ask('eth_getBlockByNumber', ['0xffff', false]))).toBe(null);
  });
});

describe('batches (contract/heads#the-head-never-goes-back)', () => {
  test('get the head from memory, and the rest goes to a node as one batch', async () => {
    const { ask, asked, port, callOf } = scene();
    await ask('eth_blockNumber');
    const number = callOf('eth_blockNumber');
    expect(port.sendBatch({ questions: [number, number], repeatable: true })).toMatchObject({
      ok: true,
      from: 'cache',
    });
    expect(asked).toEqual([]);
    const questions = [callOf('eth_chainId'), number, callOf('eth_getBlockByNumber', ['latest', false])];
    const reply = await port.sendBatch({ questions, repeatable: true });
    if (!reply.ok || reply.answer.kind !== 'batch') throw new Error('a batch');
    expect(reply.answer.answers.map((each) => each?.kind)).toEqual(['result', 'result', 'result']);
    expect(asked.map(({ call }) => ('questions' in call ? [call.questions.length, call.fromHeight] : 1))).toEqual([
      [2, 40],
    ]);
  });

  test('an element older than the reported head is repeated on its own', async () => {
    const { ask, asked, nodes, prefer, chain, port, callOf } = scene();
    const [, second] = nodes;
    if (second === undefined) throw new Error('two nodes');
    second.frozen = chain.step();
    chain.mine(2);
    await ask('eth_blockNumber');
    prefer(1);
    const questions = [callOf('eth_chainId'), callOf('eth_getBlockByNumber', ['latest', false])];
    const reply = await port.sendBatch({ questions, repeatable: true });
    if (!reply.ok || reply.answer.kind !== 'batch') throw new Error('a batch');
    const [, block] = reply.answer.answers;
    if (block?.kind !== 'result') throw new Error('a result');
    expect(JSON.parse(block.raw.text())).toMatchObject({ number: '0x2a' });
    expect(asked.map(({ nodeId }) => nodeId)).toEqual(['node-1', 'node-1', 'node-0']);
  });
});

test('a long result shows its height too, and is released when the call is repeated', async () => {
  const { heads, budget, ask, time } = scene(1);
  await ask('eth_blockNumber');
  const text = JSON.stringify({ hash: '0x1', logsBloom: 'f'.repeat(512), number: '0x29', more: 'x'.repeat(200_000) });
  const buffer = new BudgetedBuffer(budget, 'alice');
  buffer.append(Buffer.from(text), 0, text.length);
  let released = 0;
  const port = createReportedHeads({
    ...{ heads, noteHead: () => {}, clock: time.clock, timerWheel: time.timerWheel, budget },
    ...{ family: evm, reads: evm.reads, timeoutMs: 1_000, ownNodes: () => [], isNodeError: () => false },
  })({
    send: () => ({
      ok: true,
      nodeId: 'node-0',
      answer: {
        kind: 'buffered',
        buffers: [buffer],
        parts: [{ source: buffer, start: 0, end: text.length }],
        release: () => released++,
      },
    }),
    sendBatch: () => ({ ok: false, failure: 'unreachable', maybeDelivered: false }),
  });
  const call = { method: 'eth_getBlockByNumber', params: rangeOf('["latest",true]'), repeatable: true };
  expect(await port.send(call)).toMatchObject({ ok: true });
  expect([heads.reportedHeight(), released]).toEqual([41, 0]);
});

test('with random nodes that lag, no caller gets a lower head than any caller got before', async () => {
  for (let seed = 1; seed <= 15; seed++) {
    const chance = chanceFrom(seed);
    const { chain, time, nodes, prefer, port, callOf, heads } = scene(2 + chance(2));
    const shown: { after: number; number: number | undefined }[] = [];
    let highest = 0;
    // When every node has reported a lower head for seconds, the chain has been rolled back.
    heads.observe({
      changed: ({ removed }) => {
        if (removed.length === 0) return;
        highest = Math.min(highest, heads.head()?.number ?? 0);
        for (const one of shown) if (one.number === undefined) one.after = Math.min(one.after, highest);
      },
      lost: () => {},
    });
    const follow = async (method: string, params: readonly unknown[]) => {
      const one: (typeof shown)[number] = { after: highest, number: undefined };
      shown.push(one);
      const reply = await port.send({ ...callOf(method, params), repeatable: true });
      if (!reply.ok) return;
      one.number = numberIn(reply);
      highest = Math.max(highest, one.number);
    };
    for (let n = 0; n < 60; n++) {
      if (chance(3) === 0) chain.mine(1 + chance(2));
      const node = nodes[chance(nodes.length)];
      if (node !== undefined) node.lag = chance(4) === 0 ? chance(3) : 0;
      prefer(chance(nodes.length));
      void (chance(2) === 0 ? follow('eth_blockNumber', []) : follow('eth_getBlockByNumber', ['latest', false]));
      await time.pass(chance(700));
    }
    await time.pass(20_000);
    expect([seed, shown.filter(({ after, number }) => number !== undefined && number < after)]).toEqual([seed, []]);
    expect(shown.filter(({ number }) => number !== undefined).length).toBeGreaterThan(40);
    heads.close();
  }
});
