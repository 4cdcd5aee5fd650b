/** Which calls are answered from memory, which are coalesced, and which never are (contract/cache). */

import { beforeEach, describe, expect, test } from 'bun:test';
import { BudgetedBuffer } from '@flowgate/bytes/budgeted-buffer';
import { ByteBudget } from '@flowgate/bytes/byte-budget';
import { rangeOf } from '@flowgate/bytes/byte-range';
import { bitcoin } from '@flowgate/chain/families/bitcoin';
import { evm } from '@flowgate/chain/families/evm';
import { withTexts } from '../../../../test/fixtures/with-texts.ts';
import type { HeadsFollower } from '../../../upstream/heads/network-heads.ts';
import type {
  BatchAnswer,
  CallPort,
  NodeAnswer,
  NodeBatch,
  NodeCall,
  NodeReply,
} from '../../../upstream/port/node-port.ts';
import { AnswerCache, type AnswerCacheDeps } from './answer-cache.ts';
import { createCachedPort } from './cached-port.ts';

const hashOf = (height: number, fork = 'a') => `0x${fork}${height.toString(16).padStart(63, '0')}`;
const address = '0xAbCdEf0123456789aBcDeF0123456789abcdef01';
const result = (raw: string): NodeAnswer => ({ kind: 'result', raw: rangeOf(raw) });

type Given = NodeReply<NodeAnswer>;
type Pending = { readonly call: NodeCall; readonly give: (reply: Given) => void };

/** Heads at 100, where 90 is final, and a node whose answers the test sets. */
class Scene {
  head = { number: 100, hash: hashOf(100), parentHash: hashOf(99), nodeId: 'a' };
  isFresh = true;
  /** The height of the oldest known block. */
  remembered = 0;
  final = 90;
  reported: number | undefined = 100;
  fork = 'a';
  follower: HeadsFollower | undefined;
  nowMs = 0;
  readonly heights = new Map([
    ['a', 100],
    ['b', 95],
  ]);
  readonly budget = new ByteBudget({ totalBytes: 1 << 26, ownerBytes: 1 << 20 });
  readonly pending: Pending[] = [];
  readonly batches: NodeBatch[] = [];
  readonly counts = { hits: { value: 0 }, misses: { value: 0 }, coalesced: { value: 0 } };
  readonly cache: AnswerCache;
  readonly port: CallPort;

  constructor(more: Partial<AnswerCacheDeps> = {}) {
    const heads = {
      head: () => this.head,
      isFresh: () => this.isFresh,
      finalHeight: () => this.final,
      hashAt: (height: number) =>
        height <= this.head.number && height >= this.remembered
          ? hashOf(height, height > 90 ? this.fork : 'a')
          : undefined,
      heightOf: (nodeId: string) => this.heights.get(nodeId),
      reportedHeight: () => this.reported,
      observe: (follower: HeadsFollower) => {
        this.follower = follower;
        return () => {};
      },
    };
    const clock = { monotonic: () => this.nowMs };
    const common = {
      family: evm,
      nodeIds: ['a', 'b'],
      maxBytes: 1 << 24,
      budget: this.budget,
      counts: this.counts,
      seed: 7,
      timeoutMs: 30_000,
    };
    this.cache = new AnswerCache({ heads, clock, ...common, ...more });
    const send = (call: NodeCall) =>
      new Promise<Given>((give) => {
        this.pending.push({ call, give });
      });
    this.port = createCachedPort(
      {
        send,
        sendBatch: async (batch) => {
          this.batches.push(batch);
          const answers = batch.questions.map(({ params }) => ({
            kind: 'result' as const,
            raw: params ?? rangeOf('1'),
          }));
          return { ok: true, nodeId: 'a', answer: { kind: 'batch', answers } };
        },
      },
      this.cache,
    );
  }

  mine(fork = this.fork): void {
    const number = this.head.number + 1;
    const removed = fork === this.fork ? [] : [this.head];
    this.fork = fork;
    this.head = { number, hash: hashOf(number, fork), parentHash: hashOf(number - 1, fork), nodeId: 'a' };
    this.reported = number;
    this.follower?.changed({ removed, added: [] });
  }

  call(method: string, params: unknown, more: Partial<NodeCall> & { user?: string } = {}): NodeCall {
    const { user = 'alice', ...terms } = more;
    const text = typeof params === 'string' ? params : JSON.stringify(params);
    const caller = { userId: user, request: new AbortController() };
    return { method, params: rangeOf(text), repeatable: evm.reads.has(method), caller, ...terms };
  }

  /** The reply when the node gives this answer; undefined: the call must be answered without a node. */
  async ask(call: NodeCall, raw?: string, nodeId = 'a'): Promise<string> {
    const sent = this.port.send(call);
    const asked = this.pending.shift();
    if (raw === undefined && asked !== undefined) return 'asked';
    const kind = raw?.startsWith('{"code"') === true ? 'error' : 'result';
    asked?.give({ ok: true, nodeId, answer: { kind, raw: rangeOf(raw ?? '') } });
    const reply = await sent;
    if (!reply.ok || reply.answer.kind === 'buffered') return reply.ok ? 'buffered' : reply.failure;
    return `${reply.from ?? reply.nodeId} ${reply.answer.raw.text()}`;
  }
}

let scene: Scene;
beforeEach(() => {
  scene = new Scene();
});

/** Whether the second of two equal calls is answered from memory. */
async function isCached(method: string, params: unknown, raw: string, nodeId = 'a'): Promise<boolean> {
  await scene.ask(scene.call(method, params), raw, nodeId);
  return (await scene.ask(scene.call(method, params, { user: 'bob' }))) === `cache ${raw}`;
}

const block = (height: number, fork = 'a') =>
  JSON.stringify({
    number: `0x${height.toString(16)}`,
    hash: hashOf(height, fork),
    parentHash: hashOf(height - 1, fork),
  });
const receipt = (height: number, fork = 'a') =>
  JSON.stringify({ blockHash: hashOf(height, fork), blockNumber: `0x${height.toString(16)}` });

describe('cached', () => {
  test('answers about a final block, for every spelling of the question, with the bytes of the node', async () => {
    expect(await scene.ask(scene.call('eth_getBalance', [address, '0x5a']), '"0x 1"')).toBe('a "0x 1"');
    const other = scene.call('eth_getBalance', `[ "${address.toLowerCase()}" ,"0x\\u0035a" ]`);
    expect(await scene.ask(other)).toBe('cache "0x 1"');
    scene.isFresh = false;
    scene.mine('b');
    expect(await scene.ask(other)).toBe('cache "0x 1"');
    expect(await scene.ask(scene.call('eth_getBalance', [address, '0x5b']))).toBe('asked');
  });

  test('for a day', async () => {
    const call = scene.call('eth_getBalance', [address, '0x1']);
    await scene.ask(call, '"0x1"');
    scene.nowMs = 86_400_000;
    expect(await scene.ask(call)).toBe('cache "0x1"');
    scene.nowMs++;
    expect(await scene.ask(call)).toBe('asked');
  });

  for (const [method, params, raw, what] of [
    ['eth_chainId', [], '"0x1"', 'constants'],
    ['eth_getBalance', [address, 'latest'], '"0x1"', 'state at the head'],
    ['eth_gasPrice', [], '"0x1"', 'prices at the head'],
    ['eth_getBalance', [address, { blockHash: hashOf(95) }], '"0x1"', 'state of a block by its hash'],
    ['eth_getBlockByNumber', ['latest', false], block(100), 'the head'],
    ['eth_getBlockByNumber', ['0x5f', false], block(95), 'a block of the chain that is not final'],
    ['eth_getBlockByHash', [hashOf(95), true], block(95), 'a block that is not final, by its hash'],
    ['eth_getTransactionReceipt', [hashOf(1, 'f')], receipt(50), 'a receipt of a final block'],
    ['eth_getTransactionReceipt', [hashOf(2, 'f')], receipt(95), 'a receipt of a block of the chain'],
    ['eth_getLogs', [{ fromBlock: '0x1', toBlock: '0x5a' }], '[]', 'logs of final blocks'],
    ['eth_getBlockReceipts', ['0x10'], '[]', 'an empty list of receipts of a final block'],
    ['eth_call', [{ to: address }, '0x1'], '{"code":3,"message":"execution reverted"}', 'a revert'],
    ['debug_traceBlockByNumber', ['0x1'], '[]', 'heavy answers of final blocks'],
    ['eth_getBalance', [address, { blockHash: hashOf(7, 'c') }], '"0x1"', 'state of a block whose height is unknown'],
    [
      'eth_getBalance',
      [address, hashOf(7, 'c')],
      '"0x1"',
      'state of a block whose height is unknown, with the hash as a text',
    ],
    ['eth_call', [{ to: address }, { blockHash: hashOf(7, 'c') }], '"0x1"', 'a call at such a block'],
    ['eth_call', [{ to: address }, hashOf(7, 'c')], '{"code":3,"message":"execution reverted"}', 'its revert'],
    ['eth_getLogs', [{ blockHash: hashOf(7, 'c') }], '[{"x":1}]', 'logs of such a block'],
    ['eth_getLogs', [{ blockHash: hashOf(7) }], '[]', 'an empty list of logs, from a node with the block'],
    ['eth_getBlockTransactionCountByHash', [hashOf(7, 'c')], '"0x1"', 'the number of transactions of such a block'],
    ['eth_getUncleByBlockHashAndIndex', [hashOf(7, 'c'), '0x0'], '{}', 'an uncle of such a block'],
    ['eth_getBlockByHash', [hashOf(105), false], block(105), 'a block beyond the head, by its hash'],
    ['eth_getBlockReceipts', [{ blockHash: hashOf(105) }], `[${receipt(105)}]`, 'its receipts'],
    ['eth_getTransactionByBlockHashAndIndex', [hashOf(105), '0x0'], receipt(105), 'a transaction of it'],
    ['debug_traceBlockByHash', [hashOf(7, 'c')], '[1]', 'heavy answers of a block by its hash'],
  ] as const)
    test(what, async () => {
      expect(await isCached(method, params, raw)).toBeTrue();
    });
});

describe('not cached', () => {
  for (const [method, params, raw, what] of [
    ['eth_getBalance', [address, 'pending'], '"0x1"', 'pending'],
    ['eth_getBalance', [address, 'finalized'], '"0x1"', 'tags other than latest'],
    ['eth_getBalance', [address, '0x5f'], '"0x1"', 'state at a height that may be lost'],
    [
      'eth_getBalance',
      [address, { blockHash: hashOf(95, 'b'), requireCanonical: true }],
      '"0x1"',
      'state of a block that must be canonical, and is not known to be',
    ],
    ['eth_getBlockByHash', [hashOf(95, 'b'), false], block(95, 'b'), 'a block at whose height the chain has another'],
    [
      'eth_getLogs',
      [{ blockHash: hashOf(7, 'c') }],
      '[]',
      'an empty list of logs, from a node that may lack the block',
    ],
    [
      'eth_getBlockReceipts',
      [hashOf(101, 'c')],
      '[]',
      'an empty list of receipts, from a node that may lack the block',
    ],
    ['eth_getBlockByHash', [hashOf(7, 'c'), false], 'null', 'null for a hash'],
    ['eth_getBlockByNumber', ['0x5f', false], block(95, 'b'), 'a block of another fork'],
    ['eth_getBlockByNumber', ['latest', false], block(101), 'a head that differs from the observed head'],
    ['eth_getBlockByNumber', ['0x1', false], block(2), 'a block at another height than was asked'],
    ['eth_getBlockByHash', [hashOf(50), false], block(51), 'a block with another hash than was asked'],
    ['eth_getBlockByNumber', ['0x1', false], 'null', 'null'],
    ['eth_getTransactionReceipt', [hashOf(1, 'f')], 'null', 'null for a transaction'],
    ['eth_getUncleByBlockNumberAndIndex', ['0x1', '0x0'], 'null', 'null for a part of a block'],
    ['eth_getTransactionByHash', [hashOf(1, 'f')], '{"blockHash":null,"blockNumber":null}', 'a pending transaction'],
    ['eth_getTransactionReceipt', [hashOf(1, 'f')], receipt(95, 'b'), 'a receipt of another fork'],
    ['eth_getTransactionReceipt', [hashOf(1, 'f')], receipt(101), 'a receipt beyond the head'],
    ['eth_getLogs', [{ fromBlock: '0x1', toBlock: '0x5b' }], '[]', 'logs of blocks that may be lost'],
    ['eth_getLogs', [{ fromBlock: '0x1', toBlock: 'latest' }], '[]', 'logs up to the head'],
    ['eth_call', [{ to: address }, '0x1'], '{"code":-32000,"message":"header not found"}', "a node's own failure"],
    [
      'eth_getBalance',
      [address, '0x1'],
      '{"code":3,"message":"reverted"}',
      'an error of a method that executes nothing',
    ],
    ['debug_traceCall', [{ to: address }, 'latest'], '{}', 'heavy answers at the head'],
    ['web3_clientVersion', [], '"Geth"', 'data of a node and not of the chain'],
    ['eth_syncing', [], 'false', 'whether a node is behind'],
  ] as const)
    test(what, async () => {
      expect(await isCached(method, params, raw)).toBeFalse();
    });

  test('state at a height that was not final when the call was sent, even if it is final later', async () => {
    const call = () => scene.call('eth_getBalance', [address, '0x5f']);
    await scene.ask(call(), '"0x1"');
    scene.final = 95;
    expect(await scene.ask(call())).toBe('asked');
  });

  test('a call sent at one head and answered at another', async () => {
    const sent = scene.port.send(scene.call('eth_getBalance', [address, 'latest']));
    const old = scene.head;
    scene.mine();
    scene.head = old;
    scene.reported = 100;
    scene.pending.shift()?.give({ ok: true, nodeId: 'a', answer: result('"0x1"') });
    await sent;
    expect(await scene.ask(scene.call('eth_getBalance', [address, 'latest']))).toBe('asked');
  });

  test('an answer of a node that users share, or of a node that may be behind', async () => {
    expect(await isCached('eth_chainId', [], '"0x1"', 'shared')).toBeFalse();
    expect(await isCached('eth_getBalance', [address, '0x1'], '"0x1"', 'shared')).toBeFalse();
    expect(await isCached('eth_getBalance', [address, 'latest'], '"0x1"', 'b')).toBeFalse();
    scene = new Scene();
    scene.heights.set('b', 80);
    expect(await isCached('eth_getLogs', [{ fromBlock: '0x1', toBlock: '0x5a' }], '[]', 'b')).toBeFalse();
    // Now the node has the blocks, and is known to have had them before the next call.
    scene.heights.set('b', 100);
    scene.mine();
    expect(await isCached('eth_getLogs', [{ fromBlock: '0x1', toBlock: '0x5a' }], '[]', 'b')).toBeTrue();
  });

  test('logs of a node that reached their blocks only during the call', async () => {
    scene.heights.set('b', 80);
    const logs = () => scene.call('eth_getLogs', [{ fromBlock: '0x1', toBlock: '0x5a' }]);
    const sent = scene.port.send(logs());
    scene.heights.set('b', 100);
    scene.mine();
    void scene.port.send(scene.call('eth_gasPrice', []));
    scene.pending.shift()?.give({ ok: true, nodeId: 'b', answer: result('[]') });
    await sent;
    scene.pending.length = 0;
    expect(await scene.ask(logs())).toBe('asked');
  });

  test('an answer larger than a hundredth of maxBytes', async () => {
    scene = new Scene({ maxBytes: 100_000 });
    expect(await isCached('eth_getBalance', [address, '0x1'], `"${'1'.repeat(998)}"`)).toBeTrue();
    expect(await isCached('eth_getBalance', [address, '0x2'], `"${'1'.repeat(999)}"`)).toBeFalse();
  });

  test('any answer with maxBytes 0, or on a network whose chain is not followed; equal calls are still coalesced', async () => {
    for (const more of [{ maxBytes: 0 }, { heads: undefined }, { family: bitcoin }]) {
      scene = new Scene(more);
      const method = more.family === bitcoin ? 'getblockcount' : 'eth_chainId';
      const calls = [1, 2].map(() => scene.port.send(scene.call(method, [])));
      scene.pending[0]?.give({ ok: true, nodeId: 'a', answer: result('"0x1"') });
      const froms = (await Promise.all(calls)).map((reply) => reply.ok && reply.from);
      expect([scene.pending.length, ...froms]).toEqual([1, undefined, 'coalesced']);
      scene.pending.length = 0;
      expect(await scene.ask(scene.call(method, []))).toBe('asked');
    }
  });
});

describe('a cached answer about the newest block', () => {
  const latest = () => scene.call('eth_getBalance', [address, 'latest']);

  test('is valid until the next head, also when the old head comes back', async () => {
    await scene.ask(latest(), '"0x1"');
    expect(await scene.ask(latest())).toBe('cache "0x1"');
    const old = scene.head;
    scene.mine();
    scene.head = old;
    scene.reported = 100;
    expect(await scene.ask(latest())).toBe('asked');
  });

  test('is not returned while the head is old, or lower than the reported head', async () => {
    await scene.ask(latest(), '"0x1"');
    scene.isFresh = false;
    expect(await scene.ask(latest())).toBe('asked');
    scene.isFresh = true;
    scene.reported = 101;
    expect(await scene.ask(latest())).toBe('asked');
    scene.reported = 100;
    expect(await scene.ask(latest())).toBe('cache "0x1"');
  });

  test('is not returned to a caller who has submitted since, but to other callers', async () => {
    await scene.ask(latest(), '"0x1"');
    await scene.ask(scene.call('eth_sendRawTransaction', ['0x00']), `"${hashOf(1)}"`);
    expect(await scene.ask(scene.call('eth_getBalance', [address, 'latest'], { user: 'bob' }))).toBe('cache "0x1"');
    expect(await scene.ask(latest(), '"0x2"')).toBe('a "0x2"');
    expect(await scene.ask(latest())).toBe('cache "0x2"');
  });
});

test('a reorganization removes answers that depend on lost blocks, and no others', async () => {
  const lost = scene.call('eth_getTransactionReceipt', [hashOf(1, 'f')]);
  const stays = scene.call('eth_getTransactionReceipt', [hashOf(2, 'f')]);
  await scene.ask(lost, receipt(95));
  await scene.ask(stays, receipt(90));
  scene.mine('b');
  expect(await scene.ask(lost)).toBe('asked');
  expect(await scene.ask(stays)).toBe(`cache ${receipt(90)}`);
});

describe('an answer that a block’s hash determines (contract/cache#cached)', () => {
  const balanceAt = (hash: string) => scene.call('eth_getBalance', [address, { blockHash: hash }]);

  test('is returned regardless of the age of the head', async () => {
    await scene.ask(balanceAt(hashOf(7, 'c')), '"0x1"');
    scene.isFresh = false;
    scene.mine();
    expect(await scene.ask(balanceAt(hashOf(7, 'c')))).toBe('cache "0x1"');
  });

  test('is returned until the chain has another block at its height', async () => {
    const ahead = scene.call('eth_getBlockByHash', [hashOf(101, 'c'), false]);
    await scene.ask(ahead, block(101, 'c'));
    expect(await scene.ask(ahead)).toBe(`cache ${block(101, 'c')}`);
    scene.mine();
    expect(await scene.ask(ahead)).toBe('asked');
  });

  test('with unknown height, is returned until blocks are lost, and not cached for a lost block', async () => {
    await scene.ask(balanceAt(hashOf(7, 'c')), '"0x1"');
    await scene.ask(balanceAt(hashOf(80)), '"0x2"');
    const head = scene.head.hash;
    scene.mine('b');
    expect(await scene.ask(balanceAt(hashOf(7, 'c')))).toBe('asked');
    expect(await scene.ask(balanceAt(hashOf(80)))).toBe('cache "0x2"');
    expect(await isCached('eth_getBalance', [address, { blockHash: head }], '"0x3"')).toBeFalse();
  });

  test('is not cached when the head moved during the call and its height is unknown', async () => {
    const sent = scene.port.send(balanceAt(hashOf(7, 'c')));
    scene.mine();
    scene.pending.shift()?.give({ ok: true, nodeId: 'a', answer: result('"0x1"') });
    await sent;
    expect(await scene.ask(balanceAt(hashOf(7, 'c')))).toBe('asked');
  });

  test('is not cached from a node that users share', async () => {
    expect(await isCached('eth_getBalance', [address, { blockHash: hashOf(7) }], '"0x1"', 'shared')).toBeFalse();
  });
});

test('a receipt in a block older than the stored ones is cached until blocks are lost (contract/cache#cached)', async () => {
  scene.remembered = 99;
  const asked = () => scene.call('eth_getTransactionReceipt', [hashOf(1, 'f')]);
  await scene.ask(asked(), receipt(95));
  expect(await scene.ask(asked())).toBe(`cache ${receipt(95)}`);
  scene.mine('b');
  expect(await scene.ask(asked())).toBe('asked');
});

test('the cache returns no answer of a node that is excluded for the caller', async () => {
  const call = (more = {}) => scene.call('eth_getBalance', [address, '0x1'], more);
  await scene.ask(call(), '"0x1"');
  expect(await scene.ask(call({ leftOut: new Set(['a']) }))).toBe('asked');
  expect(await scene.ask(call({ leftOut: new Set(['b']) }))).toBe('cache "0x1"');
});

describe('calls in flight', () => {
  const call = (more = {}) => scene.call('eth_getBalance', [address, 'pending'], more);
  const first = () => scene.pending.shift() ?? { give: () => {} };

  test('equal calls are coalesced, and each caller gets the answer', async () => {
    const all = ['alice', 'bob', 'carol'].map((user) => scene.port.send(call({ user })));
    expect(scene.pending).toHaveLength(1);
    first().give({ ok: true, nodeId: 'b', answer: result('"0x1"') });
    const replies = await Promise.all(all);
    expect(withTexts(replies)).toMatchObject(
      [undefined, 'coalesced', 'coalesced'].map((from) => ({
        nodeId: 'b',
        answer: { raw: '"0x1"' },
        ...(from && { from }),
      })),
    );
    expect(scene.counts.coalesced.value).toBe(2);
    expect(await scene.ask(call())).toBe('asked');
  });

  test.each(['abandoned', 'owner-full', 'all-full'] as const)(
    'a failure of the leader’s own (%s) fails no follower',
    async (failure) => {
      const all = ['alice', 'bob', 'carol'].map((user) => scene.port.send(call({ user })));
      first().give({ ok: false, failure, maybeDelivered: false });
      expect(await all[0]).toMatchObject({ ok: false, failure });
      await Bun.sleep(0);
      expect(scene.pending.length).toBe(failure === 'abandoned' ? 1 : 2);
      for (const { give } of scene.pending) give({ ok: true, nodeId: 'a', answer: result('"0x1"') });
      for (const each of all.slice(1)) expect(await each).toMatchObject({ ok: true });
    },
  );

  test('after a failure of a node one more call is sent for all followers, and they get its result', async () => {
    const all = ['alice', 'bob', 'carol', 'dave'].map((user) => scene.port.send(call({ user })));
    for (const _ of [1, 2]) {
      expect(scene.pending).toHaveLength(1);
      first().give({ ok: false, failure: 'timeout', maybeDelivered: true });
      await Bun.sleep(0);
    }
    expect(scene.pending).toHaveLength(0);
    for (const each of all) expect(await each).toMatchObject({ ok: false, failure: 'timeout' });
  });

  test('no caller waits longer than a call may take: a follower has the remaining time, or gets the failure', async () => {
    const all = [scene.port.send(call()), scene.port.send(call({ user: 'bob' }))];
    scene.nowMs = 20_000;
    all.push(scene.port.send(call({ user: 'carol' })));
    scene.nowMs = 29_000;
    first().give({ ok: false, failure: 'timeout', maybeDelivered: true });
    await Bun.sleep(0);
    expect(scene.pending.map(({ call: asked }) => asked.timeoutMs)).toEqual([1_000]);
    // A new caller's call may take too long for callers who have waited.
    scene.nowMs = 60_000;
    first().give({ ok: false, failure: 'timeout', maybeDelivered: true });
    for (const each of all) expect(await each).toMatchObject({ ok: false, failure: 'timeout' });
    expect(scene.pending).toHaveLength(0);
  });

  test('a caller who has waited joins no call that ends after the caller’s own time', async () => {
    const early = [scene.port.send(call()), scene.port.send(call({ user: 'bob' }))];
    const { give } = first();
    scene.mine();
    scene.nowMs += 500;
    void scene.port.send(call({ user: 'carol' }));
    scene.nowMs += 29_000;
    give({ ok: false, failure: 'timeout', maybeDelivered: true });
    await Bun.sleep(0);
    expect(scene.pending.map(({ call: asked }) => asked.timeoutMs)).toEqual([undefined, 500]);
    for (const { give } of scene.pending) give({ ok: false, failure: 'timeout', maybeDelivered: true });
    for (const reply of await Promise.all(early)) expect(reply).toMatchObject({ ok: false, failure: 'timeout' });
  });

  test('a large result is unshareable: followers send their own calls, now and while it is large', async () => {
    const all = ['alice', 'bob', 'carol'].map((user) => scene.port.send(call({ user })));
    const buffer = new BudgetedBuffer(scene.budget, 'alice');
    buffer.append(Buffer.from('"x"'), 0, 3);
    const large: NodeAnswer = {
      kind: 'buffered',
      buffers: [buffer],
      parts: [{ source: buffer, start: 0, end: 3 }],
      release: () => buffer.release(),
    };
    first().give({ ok: true, nodeId: 'a', answer: large });
    const reply = await all[0];
    expect(reply?.ok === true && reply.answer).toBe(large);
    await Bun.sleep(0);
    expect(scene.pending).toHaveLength(2);
    void scene.port.send(call());
    expect(scene.pending).toHaveLength(3);
    for (const { give } of scene.pending.splice(0)) give({ ok: true, nodeId: 'a', answer: result('1') });
    await Promise.all(all);
    void [scene.port.send(call()), scene.port.send(call())];
    expect(scene.pending).toHaveLength(1);
  });

  test("the answer of a user's shared node is unshareable: other callers may not be permitted to call this node", async () => {
    const all = ['alice', 'bob'].map((user) => scene.port.send(call({ user })));
    first().give({ ok: true, nodeId: 'shared', answer: result('"0x1"') });
    await Bun.sleep(0);
    first().give({ ok: true, nodeId: 'a', answer: result('"0x2"') });
    expect(withTexts(await Promise.all(all))).toMatchObject([
      { answer: { raw: '"0x1"' } },
      { answer: { raw: '"0x2"' } },
    ]);
  });

  test('a call with less time, with excluded nodes, after a submission or after another head joins no other call', async () => {
    void scene.port.send(call());
    void scene.port.send(call({ timeoutMs: 100 }));
    void scene.port.send(call({ leftOut: new Set(['b']) }));
    void scene.port.send(call({ onlyNode: 'b' }));
    expect(scene.pending).toHaveLength(4);
    scene.pending.length = 0;
    await scene.ask(scene.call('eth_sendRawTransaction', ['0x00'], { user: 'bob' }), `"${hashOf(1)}"`);
    void scene.port.send(call({ user: 'bob' }));
    expect(scene.pending).toHaveLength(1);
    scene.mine();
    void scene.port.send(call({ user: 'carol' }));
    expect(scene.pending).toHaveLength(2);
  });

  test('submissions and unknown methods are never shared', () => {
    for (const method of ['eth_sendRawTransaction', 'eth_newFilter', 'custom_read', 'eth_blockNumber'])
      void [scene.port.send(scene.call(method, [])), scene.port.send(scene.call(method, []))];
    expect(scene.pending).toHaveLength(8);
  });
});

test('a large answer is cached, and each caller is charged for a copy until it is sent', async () => {
  const call = (user: string) => scene.call('eth_getBlockReceipts', ['0x1'], { user });
  const text = `[${receipt(1)}, "${'x'.repeat(100_000)}"]`;
  const buffer = new BudgetedBuffer(scene.budget, 'alice');
  buffer.append(Buffer.from(text), 0, text.length);
  const sent = scene.port.send(call('alice'));
  const parts = [{ source: buffer, start: 0, end: text.length }];
  scene.pending.shift()?.give({
    ok: true,
    nodeId: 'a',
    answer: { kind: 'buffered', buffers: [buffer], parts, release: () => buffer.release() },
  });
  await sent;
  buffer.release();
  const reply = await scene.port.send(call('bob'));
  if (!reply.ok || reply.answer.kind !== 'buffered') throw new Error('not buffered');
  expect([reply.from, reply.answer.buffers[0]?.text(0, text.length)]).toEqual(['cache', text]);
  expect(scene.budget.reservedBytes).toBe(text.length);
  reply.answer.release();
  expect(scene.budget.reservedBytes).toBe(0);
  const many = await Promise.all(Array.from({ length: 11 }, () => scene.port.send(call('bob'))));
  expect(many.at(-1)).toMatchObject({ ok: false, failure: 'owner-full' });
});

describe('the answer to a call with terms of its own is not returned to others', () => {
  const call = (more = {}) => scene.call('eth_getBalance', [address, 'pending'], more);
  const error = '{"code":-32000,"message":"missing trie node"}';
  const refused: Given = { ok: true, nodeId: 'b', answer: { kind: 'error', raw: rangeOf(error) } };

  test.each([
    ['with excluded nodes', { leftOut: new Set(['a']) }],
    ['with less time', { timeoutMs: 10 }],
  ])('%s', async (_name, terms) => {
    const restricted = scene.port.send(call(terms));
    const other = scene.port.send(call({ user: 'bob' }));
    expect(scene.pending).toHaveLength(2);
    scene.pending[0]?.give(refused);
    scene.pending[1]?.give({ ok: true, nodeId: 'a', answer: result('"0x1"') });
    expect(await restricted).toMatchObject(refused);
    expect(await other).toMatchObject({ ok: true, nodeId: 'a' });
  });

  test('in a batch', async () => {
    const { caller, ...question } = call();
    void scene.port.sendBatch({ questions: [question], repeatable: true, caller, leftOut: new Set(['a']) });
    void scene.port.send(call({ user: 'bob' }));
    expect(scene.pending).toHaveLength(1);
  });
});

describe('an element of a batch that several nodes answered (contract/cache#cached)', () => {
  /** The answer that another caller with the same question gets, and then the answer in memory. */
  async function sharedBy(itsNode: string, height: string, final = 90) {
    scene = new Scene();
    scene.final = final;
    const { caller, ...question } = scene.call('eth_getBalance', [address, height]);
    const other = { method: 'eth_getBalance', params: rangeOf(`["${address}","0x2"]`) };
    const raw = { kind: 'result', raw: rangeOf('"0x1"') } as const;
    const { promise, resolve } = Promise.withResolvers<NodeReply<BatchAnswer>>();
    const port = createCachedPort({ send: scene.port.send, sendBatch: () => promise }, scene.cache);
    const first = port.sendBatch({ questions: [other, question], repeatable: true, caller });
    const second = scene.port.send(scene.call('eth_getBalance', [address, height], { user: 'bob' }));
    const nodeIds = ['a', itsNode];
    resolve({ ok: true, nodeId: '', nodeIds, sources: nodeIds, answer: { kind: 'batch', answers: [raw, raw] } });
    await first;
    await Bun.sleep(0);
    const isAsked = scene.pending.length > 0;
    scene.pending.shift()?.give({ ok: false, failure: 'timeout', maybeDelivered: true });
    await second;
    return [isAsked ? 'asked' : 'shared', await scene.ask(scene.call('eth_getBalance', [address, height]))];
  }

  test('is shared, and cached as an answer of the node that gave it', async () => {
    expect(await sharedBy('b', '0x1')).toEqual(['shared', 'cache "0x1"']);
  });

  test('is cached only when the node that gave it had the block, not when others had it', async () => {
    expect(await sharedBy('b', '0x60', 97)).toEqual(['shared', 'asked']);
    expect(await sharedBy('a', '0x60', 97)).toEqual(['shared', 'cache "0x1"']);
  });

  test('of a node that a user shares, or of no single node, is neither shared nor cached', async () => {
    expect(await sharedBy('usr_node', '0x1')).toEqual(['asked', 'asked']);
    expect(await sharedBy('', '0x1')).toEqual(['asked', 'asked']);
  });
});

test('a range of logs that several nodes answered in pieces is shared, and not cached (contract/cache#cached)', async () => {
  const filter = [{ fromBlock: '0x1', toBlock: '0x2' }];
  const [first, second] = ['alice', 'bob'].map((user) => scene.port.send(scene.call('eth_getLogs', filter, { user })));
  scene.pending.shift()?.give({ ok: true, nodeId: '', sources: ['a', 'b'], attempts: 2, answer: result('[]') });
  expect([await first, await second]).toMatchObject([{ ok: true }, { ok: true, from: 'coalesced' }]);
  expect(await scene.ask(scene.call('eth_getLogs', filter))).toBe('asked');
});

test('an error stays an error regardless of its length: a long one is not cached', async () => {
  const question = (height: number) => scene.call('eth_call', [{ to: address }, `0x${height.toString(16)}`]);
  const errorOf = (bytes: number) => {
    const text = '{"code":3,"message":"execution reverted","data":"0x"}';
    return text.replace('0x', `0x${'0'.repeat(bytes - text.length)}`);
  };
  for (const [nth, bytes] of [65_536, 65_537, 150_000].entries()) {
    const [call, error] = [question(nth), errorOf(bytes)];
    await scene.ask(call, error);
    const sent = scene.port.send(call);
    expect(scene.pending).toHaveLength(bytes > 65_536 ? 1 : 0);
    scene.pending.shift()?.give({ ok: true, nodeId: 'a', answer: { kind: 'error', raw: rangeOf(error) } });
    const reply = await sent;
    expect(reply.ok && reply.answer.kind === 'error' && reply.answer.raw.text() === error).toBeTrue();
  }
});

describe('a batch', () => {
  const question = (nth: number, tag = '0x1') => ({
    method: 'eth_getBalance',
    params: rangeOf(`["${address}","${tag}",${nth}]`),
  });
  const batch = (...questions: NodeBatch['questions']): NodeBatch => ({
    questions,
    repeatable: true,
    caller: { userId: 'alice', request: new AbortController() },
  });
  const texts = (reply: Awaited<ReturnType<CallPort['sendBatch']>>) =>
    reply.ok && reply.answer.kind === 'batch'
      ? reply.answer.answers.map((each) => (each?.kind === 'result' ? each.raw.text() : each))
      : reply;

  test('is answered in the order of its questions; one batch with the rest goes to the node', async () => {
    const asked = batch(question(1), question(2), question(3));
    await scene.port.sendBatch(asked);
    expect(scene.batches).toEqual([asked]);
    await scene.port.sendBatch(batch(question(2)));
    const reply = await scene.port.sendBatch(batch(question(4), question(2), question(5), question(1)));
    expect(texts(reply)).toEqual([4, 2, 5, 1].map((nth) => question(nth).params.text()));
    expect(scene.batches.at(-1)?.questions).toEqual([question(4), question(5)]);
    expect(reply).toMatchObject({ nodeId: 'a' });
  });

  test('is answered at once when all answers are in memory', async () => {
    await scene.port.sendBatch(batch(question(1), question(2)));
    const reply = scene.port.sendBatch(batch(question(2), question(1), question(2)));
    expect(reply).not.toBeInstanceOf(Promise);
    expect(reply).toMatchObject({ ok: true, from: 'cache', attempts: 0 });
  });

  test('sends equal questions once, joins calls in flight, and lets other calls join it', async () => {
    const single = scene.port.send({ ...batch(), ...question(1, 'pending') });
    const sent = scene.port.sendBatch(batch(question(1, 'pending'), question(2, 'pending'), question(2, 'pending')));
    expect(scene.batches.at(-1)?.questions).toEqual([question(2, 'pending')]);
    const joined = scene.port.send({ ...batch(), ...question(2, 'pending') });
    scene.pending.shift()?.give({ ok: true, nodeId: 'a', answer: result('"single"') });
    expect(texts(await sent)).toEqual(['"single"', ...[2, 2].map((nth) => question(nth, 'pending').params.text())]);
    expect(await joined).toMatchObject({ ok: true, from: 'coalesced' });
    expect(await single).toMatchObject({ ok: true });
    expect(scene.pending).toHaveLength(0);
  });

  test('a third of a hundred new questions are looked up, and each of a hundred known ones', async () => {
    const all = Array.from({ length: 100 }, (_, nth) => question(nth));
    await scene.port.sendBatch(batch(...all));
    expect(scene.counts.misses.value).toBe(16 + 84 / 4);
    await scene.port.sendBatch(batch(...all.slice(0, 16)));
    expect(scene.counts.hits.value).toBe(16);
  });
});

test('of many new questions between two heads, only repeated ones are cached', async () => {
  const call = (nth: number) => scene.call('eth_getBalance', [address, '0x1', nth]);
  for (let nth = 0; nth < 1_500; nth++) await scene.ask(call(nth), '"0x1"');
  expect(await scene.ask(call(999))).toBe('cache "0x1"');
  expect(await scene.ask(call(1_400), '"0x2"')).toBe('a "0x2"');
  expect(await scene.ask(call(1_400))).toBe('cache "0x2"');
});

test('cached answers stay within maxBytes, however many arrive (contract/cache#cached)', async () => {
  scene = new Scene({ maxBytes: 200_000 });
  for (let nth = 0; nth < 2_000; nth++) {
    if (nth % 500 === 0) scene.mine();
    await scene.ask(scene.call('eth_getBalance', [address, '0x1', nth]), `"${'1'.repeat(nth % 900)}"`);
  }
  expect(scene.cache.bytes).toBeWithin(100_000, 200_001);
});
