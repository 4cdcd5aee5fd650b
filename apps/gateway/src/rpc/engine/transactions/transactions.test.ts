/**
 * Each node receives a signed transaction at most once, and the caller receives a true reply (contract/transactions).
 */

import { describe, expect, test } from 'bun:test';
import { ByteBudget } from '@flowgate/bytes/byte-budget';
import { rangeOf } from '@flowgate/bytes/byte-range';
import { evmReads } from '@flowgate/chain/families/evm-reads';
import { decodeRawTransaction } from '@flowgate/chain/transactions/raw-transaction';
import { createManualClock } from '@flowgate/testing/manual-clock';
import { chanceFrom } from '@flowgate/testing/seeded-chance';
import { privateKeyToAccount } from 'viem/accounts';
import { nodeCaller } from '../../../../test/fixtures/node-caller.ts';
import {
  healthyNode,
  refusesFunds,
  type TransactionBehavior,
  transactionNodes,
} from '../../../../test/fixtures/transaction-nodes.ts';
import { withTexts } from '../../../../test/fixtures/with-texts.ts';
import type { BatchAnswer, NodeCall, NodePort, NodeReply } from '../../../upstream/port/node-port.ts';
import { createNodePool } from '../../../upstream/routing/node-pool.ts';
import { RecentCalls } from '../../../upstream/routing/recent-calls.ts';
import { evmTransactions } from './evm-transactions.ts';
import { sendTransactions } from './transactions.ts';

const account = privateKeyToAccount(`0x${'11'.repeat(32)}`);
const raw = await account.signTransaction({ chainId: 1, nonce: 1, gas: 21_000n, gasPrice: 1n, to: account.address });
const second = await account.signTransaction({ chainId: 1, nonce: 2, gas: 21_000n, gasPrice: 1n, to: account.address });
const hash = decodeRawTransaction(raw)?.hash() ?? '';
const secondHash = decodeRawTransaction(second)?.hash();
const params = rangeOf(`["${raw}"]`);
const budget = new ByteBudget({ totalBytes: 1 << 24, ownerBytes: 1 << 24 });
const sending = { method: 'eth_sendRawTransaction', params, repeatable: false, caller: nodeCaller } as const;
const success = { ok: true, answer: { kind: 'result', raw: `"${hash}"` } } as const;

type Options = {
  readonly broadcast?: number;
  readonly ofUsers?: readonly string[];
  readonly cordoned?: string;
  readonly isOne?: boolean;
  readonly has?: Set<string>;
};

function network(behaviors: readonly Partial<TransactionBehavior>[], options: Options = {}) {
  const { broadcast = 1, ofUsers = [], cordoned, isOne, has } = options;
  const model = transactionNodes(
    hash,
    behaviors.map((each) => ({ ...healthyNode, ...each })),
    has,
  );
  const clock = createManualClock();
  const pool = createNodePool(model.nodes, { clock, timeoutMs: 30_000 });
  const known = {
    everyNode: () =>
      model.nodes.map(({ nodeId }) => ({
        nodeId,
        dlt: 'ethereum',
        networkId: 'dev',
        pool,
        status: () => ({ status: 'healthy' }) as const,
        figures: () => ({ ...new RecentCalls().figures(0), circuit: { state: 'closed' } }) as const,
        ...(ofUsers.includes(nodeId) ? { ownerId: 'bob' } : {}),
      })),
    isCordoned: (nodeId: string) => nodeId === cordoned,
  };
  const parts = { clock, budget, timeoutMs: 30_000, kind: evmTransactions, reads: evmReads, broadcast };
  const calls: NodeCall[] = [];
  const noting: NodePort = {
    ...pool,
    send(call) {
      calls.push(call);
      return pool.send(call);
    },
  };
  const port = sendTransactions(noting, isOne ? undefined : known, parts);
  const sentTexts = () => calls.map((call) => call.params?.text());
  return { ...model, port, sentTexts, send: async (more = {}) => withTexts(await port.send({ ...sending, ...more })) };
}

describe('an answer of a node', () => {
  test('that accepts the transaction is returned, and no other call is made', async () => {
    const { send, sent, lookedAt } = network([{}, {}]);
    expect(await send()).toMatchObject({ ...success, nodeId: 'node-0', attempts: 1 });
    expect([sent, lookedAt]).toEqual([['node-0'], []]);
  });

  test.each([
    'already known',
    'ALREADY_EXISTS: already known',
    'AlreadyKnown',
    `known transaction: ${hash}`,
    `Known transaction (${hash.slice(2, 10)})`,
    'Transaction with the same hash was already imported.',
    'transaction already imported',
    `known transaction. transaction with hash ${hash} is already in the system`,
    'tx already in mempool',
    'already in the mempool',
    'transaction already exists',
  ])('with the error %j is success with the transaction’s hash', async (message) => {
    const { send, sent } = network([{ takes: false, answers: { code: -32000, message } }, {}]);
    expect(await send()).toMatchObject({ ...success, nodeId: 'node-0' });
    expect(sent).toEqual(['node-0']);
  });

  test.each([`known transaction: 0x${'ab'.repeat(32)}`, 'execution reverted: already known', 'unknown account'])(
    'with the error %j is not success',
    async (message) => {
      const { send, lookedAt } = network([{ takes: false, answers: { code: -32000, message } }, {}]);
      expect(await send()).toMatchObject({
        ok: true,
        answer: { kind: 'error', raw: JSON.stringify({ code: -32000, message }) },
      });
      expect(lookedAt.toSorted()).toEqual(['node-0', 'node-1']);
    },
  );

  test('with "nonce too low" is success when any node has this transaction on chain', async () => {
    const { send, onChain, has } = network([
      { takes: false, answers: { code: -32000, message: 'nonce too low' } },
      {},
      {},
    ]);
    onChain.add('node-2');
    expect(await send()).toMatchObject(success);
    onChain.clear();
    has.clear();
    expect(await send()).toMatchObject({
      ok: true,
      answer: { kind: 'error', raw: expect.stringContaining('nonce too low') },
    });
  });

  test('that refuses the transaction is returned after a look-up at the other nodes; no other node receives the transaction', async () => {
    const { send, sent, lookedAt } = network([{ takes: false }, {}]);
    expect(await send()).toMatchObject({ ok: true, answer: { kind: 'error', raw: JSON.stringify(refusesFunds) } });
    expect([sent, lookedAt.toSorted()]).toEqual([['node-0'], ['node-0', 'node-1']]);
    expect(await network([{ takes: false }, {}], { has: new Set(['node-1']) }).send()).toMatchObject(success);
  });

  test('with the hash of another transaction is a failed attempt: the transaction is looked up and reported under its own hash', async () => {
    const taken = network([{ answers: 'another-hash' }, {}]);
    expect(await taken.send()).toMatchObject({ ...success, nodeId: 'node-0' });
    expect(taken.sent).toEqual(['node-0']);
    const notTaken = network([{ takes: false, answers: 'another-hash' }, {}]);
    expect(await notTaken.send()).toMatchObject({ ...success, nodeId: 'node-1', attempts: 2 });
    expect(notTaken.sent).toEqual(['node-0', 'node-1']);
    const alone = network([{ takes: false, answers: 'another-hash' }]);
    expect(await alone.send()).toMatchObject({ ok: false, failure: 'unusable', maybeDelivered: true });
    expect(alone.nodes[0]?.hasFailedLast()).toBe(true);
  });

  test('with the hash of another transaction is a failed attempt in a batch, too', async () => {
    const { port, sent } = network([{ answers: 'another-hash' }, {}]);
    const questions = [
      { method: 'eth_chainId', params: undefined },
      { method: sending.method, params },
    ];
    const reply = await port.sendBatch({ questions, repeatable: false });
    expect(reply.ok && reply.answer.kind === 'batch' && reply.answer.answers[1]).toMatchObject({ kind: 'result' });
    const [, element] = reply.ok && reply.answer.kind === 'batch' ? reply.answer.answers : [];
    expect(element?.kind === 'result' && element.raw.text()).toBe(`"${hash}"`);
    expect(sent).toEqual(['node-0']);
  });

  test('that says that the transaction is invalid is returned at once', async () => {
    const { send, sent, lookedAt } = network([
      { takes: false, answers: { code: -32000, message: 'invalid sender' } },
      {},
    ]);
    expect(await send()).toMatchObject({ ok: true, answer: { kind: 'error' } });
    expect([sent, lookedAt]).toEqual([['node-0'], []]);
  });

  test.each([
    { code: -32005, message: 'limit exceeded' },
    { code: -32000, message: 'node is not synced' },
    { code: -32000, message: 'txpool is full' },
    { code: -32603, message: 'Internal error' },
  ])('with the error %j, a fault of the node, sends the transaction to the next node', async (answers) => {
    const { send, sent } = network([{ takes: false, answers }, { takes: false, answers }, {}]);
    expect(await send()).toMatchObject({ ...success, nodeId: 'node-2', attempts: 3 });
    expect(sent).toEqual(['node-0', 'node-1', 'node-2']);
  });
});

describe('after a failed attempt', () => {
  test.each(['broken', 'timeout', 'refused', 'unusable', 'another-hash'] as const)(
    '%s: the transaction is looked up and found at the node that received it',
    async (answers) => {
      const { send, sent } = network([{ answers }, {}]);
      expect(await send()).toMatchObject({ ...success, nodeId: 'node-0' });
      expect(sent).toEqual(['node-0']);
    },
  );

  test('the transaction is found at a node that received it from another node', async () => {
    const { send, sent } = network([{ answers: 'broken', spreads: true, dies: true }, {}]);
    expect(await send()).toMatchObject({ ...success, nodeId: 'node-1' });
    expect(sent).toEqual(['node-0']);
  });

  test('a transaction that no node has is sent to other nodes with the same bytes', async () => {
    const { send, sent } = network([{ answers: 'broken', dies: true }, {}, {}]);
    expect(await send()).toMatchObject({ ...success, nodeId: 'node-1', attempts: 2 });
    expect(sent).toEqual(['node-0', 'node-1']);
  });

  test('the outcome is unknown when three nodes fail', async () => {
    const lost = { takes: false, answers: 'broken' } as const;
    const { send, sent } = network([lost, lost, lost, {}]);
    expect(await send()).toMatchObject({ ok: false, failure: 'unreachable', maybeDelivered: true, attempts: 3 });
    expect(sent).toEqual(['node-0', 'node-1', 'node-2']);
  });

  test('the outcome stays unknown when another node refuses the transaction, because the first node may have it', async () => {
    const { send } = network([{ answers: 'broken', dies: true }, { takes: false }]);
    expect(await send()).toMatchObject({ ok: false, maybeDelivered: true });
  });

  test('the transaction is looked up at the only node of a port', async () => {
    const { send, sent, lookedAt } = network([{ answers: 'timeout' }], { isOne: true });
    expect(await send()).toMatchObject(success);
    expect([sent, lookedAt]).toEqual([['node-0'], ['node-0']]);
    expect(await network([{ takes: false, answers: 'timeout' }], { isOne: true }).send()).toMatchObject({
      ok: false,
      maybeDelivered: true,
    });
  });

  test('that sent nothing, the next node receives the transaction; the reply says so when nothing was sent to any node', async () => {
    expect(await network([{ isReachable: false }, {}]).send()).toMatchObject({ ...success, nodeId: 'node-1' });
    expect(await network([{ isReachable: false }, { isReachable: false }]).send()).toMatchObject({
      ok: false,
      maybeDelivered: false,
      attempts: 2,
    });
  });

  test('nothing more is sent when the caller has left', async () => {
    const abort = new AbortController();
    const { port, sent } = network([{ takes: false, answers: 'broken' }, {}]);
    const reply = port.send({ ...sending, caller: { userId: 'alice', request: abort } });
    abort.abort();
    expect(await reply).toMatchObject({ ok: false, maybeDelivered: true });
    expect(sent).toEqual(['node-0']);
  });
});

describe('registered, excluded and cordoned nodes', () => {
  test('receive no transaction that another node may have, and no look-up', async () => {
    const { send, sent, lookedAt } = network([{ takes: false, answers: 'broken' }, {}, {}, {}], {
      ofUsers: ['node-1'],
      cordoned: 'node-2',
    });
    expect(await send({ leftOut: new Set(['node-3']) })).toMatchObject({ ok: false, maybeDelivered: true });
    expect([sent, lookedAt]).toEqual([['node-0'], ['node-0']]);
  });

  test('a registered node that received the transaction is asked whether it has it', async () => {
    const { send, lookedAt } = network([{ isReachable: false }, { answers: 'broken' }], { ofUsers: ['node-1'] });
    expect(await send()).toMatchObject({ ...success, nodeId: 'node-1' });
    expect(lookedAt).toEqual(['node-1']);
  });
});

describe('broadcast', () => {
  test('sends the transaction to the configured number of nodes at once; the first success is the reply', async () => {
    const { send, sent } = network([{ takes: false }, {}, {}], { broadcast: 2 });
    expect(await send()).toMatchObject({ ...success, nodeId: 'node-1' });
    expect(sent.toSorted()).toEqual(['node-0', 'node-1']);
  });

  test('uses all nodes when there are fewer, and a registered node when no configured node is reachable', async () => {
    const { send, sent } = network([{}, {}], { broadcast: 5 });
    expect(await send()).toMatchObject(success);
    expect(sent.toSorted()).toEqual(['node-0', 'node-1']);
    expect(
      await network([{ isReachable: false }, { isReachable: false }, {}], { broadcast: 2, ofUsers: ['node-2'] }).send(),
    ).toMatchObject(success);
  });

  test('sends slower nodes the same transaction after the memory of the request is reused', async () => {
    const { port, sentTexts } = network([{}, {}], { broadcast: 2 });
    const body = rangeOf(`["${raw}"]`);
    await port.send({ ...sending, params: body });
    body.bytes.fill(0x20);
    expect(sentTexts()).toEqual([`["${raw}"]`, `["${raw}"]`]);
  });

  test('returns the most significant error when all nodes fail', async () => {
    const limited = { takes: false, answers: { code: -32005, message: 'limit exceeded' } };
    const { send, sent } = network([{ takes: false }, limited, limited], { broadcast: 3 });
    expect(await send()).toMatchObject({ ok: true, nodeId: 'node-0', answer: { raw: JSON.stringify(refusesFunds) } });
    expect(sent).toHaveLength(3);
  });
});

describe('a batch', () => {
  const elements = (reply: NodeReply<BatchAnswer>) =>
    reply.ok && reply.answer.kind === 'batch'
      ? reply.answer.answers.map((each) => (each === undefined || each.kind === 'failed' ? each : each.raw.text()))
      : reply;
  const read = (method: string) => ({ method, params: undefined });
  const send = (text: string) => ({ method: sending.method, params: rangeOf(`["${text}"]`) });

  test('sends its transactions one by one, in order and to one node, and its reads as a repeatable batch', async () => {
    const { port, sent, asked } = network([{}, {}]);
    const questions = [read('eth_call'), send(raw), read('eth_chainId'), send(second)];
    const reply = await port.sendBatch({ questions, repeatable: false });
    expect(elements(reply)).toEqual(['"eth_call"', `"${hash}"`, '"eth_chainId"', `"${secondHash}"`]);
    expect(sent).toEqual(['node-0', 'node-0']);
    expect(asked).toEqual(['eth_call,eth_chainId']);
  });

  test('sends its reads as a repeatable batch and its other calls as a batch that is sent once', async () => {
    const { port, asked } = network([{}]);
    const questions = [read('eth_call'), read('eth_newFilter'), send(raw), read('eth_chainId'), read('eth_unheardOf')];
    const reply = await port.sendBatch({ questions, repeatable: false });
    expect(elements(reply)).toEqual(['"eth_call"', '"eth_newFilter"', `"${hash}"`, '"eth_chainId"', '"eth_unheardOf"']);
    expect(asked.toSorted()).toEqual(['eth_call,eth_chainId', 'once eth_newFilter,eth_unheardOf']);
  });

  test('reports a transaction with unknown outcome as maybe delivered, and answers its other calls', async () => {
    const { port } = network([{ takes: false, answers: 'broken' }]);
    const reply = await port.sendBatch({ questions: [send(raw), read('eth_call')], repeatable: false });
    expect(elements(reply)).toEqual([{ kind: 'failed', failure: 'unreachable', maybeDelivered: true }, '"eth_call"']);
  });
});

test.each([
  { ...sending, method: 'eth_sendRawTransactionSync' },
  { ...sending, method: 'eth_sendRawTransactionConditional' },
  { ...sending, method: 'eth_sendBundle' },
  { ...sending, params: rangeOf('["0x7f01"]') },
  { ...sending, params: rangeOf('[]') },
  { ...sending, params: undefined },
  { ...sending, params: rangeOf(`["${raw}",1]`) },
])('a call without a readable transaction or with another method is sent once, unchanged: %j', async (call) => {
  const { port, sent, asked, lookedAt } = network([{ takes: false, answers: 'broken' }, {}]);
  const reply = await port.send(call);
  expect([sent.length + asked.length, lookedAt]).toEqual([1, []]);
  expect(reply).toMatchObject(call.method === sending.method ? { ok: false, maybeDelivered: true } : { ok: true });
});

/** For more histories: `HISTORIES=100000 bun test …`. */
const histories = Number(process.env['HISTORIES'] ?? 600);

test(`over ${histories} random histories: never sent twice to a node, never reported failed when a reachable node has it, never reported sent when no node has it`, async () => {
  const odd = [
    'broken',
    'timeout',
    'refused',
    'unusable',
    'another-hash',
    { code: -32603, message: 'Internal error' },
    { code: -32005, message: 'limit exceeded' },
    refusesFunds,
    { code: -32000, message: 'nonce too low' },
  ] as const;
  const seen = { success: 0, error: 0, doubt: 0, unsent: 0 };
  for (let seed = 1; seed <= histories; seed++) {
    const chance = chanceFrom(seed);
    const is = (percent: number) => chance(100) < percent;
    const behaviors = Array.from(
      { length: 1 + chance(5) },
      (): TransactionBehavior => ({
        isReachable: is(85),
        takes: is(60),
        spreads: is(30),
        dies: is(20),
        answers: is(40) ? 'honest' : (odd[chance(odd.length)] ?? 'honest'),
      }),
    );
    const has = new Set(behaviors.flatMap((_, at) => (is(8) ? [`node-${at}`] : [])));
    const model = network(behaviors, { broadcast: 1 + chance(3), has });
    for (const { nodeId } of model.nodes) if (is(5)) model.onChain.add(nodeId);
    const reply = await model.send();
    const having = [...model.has, ...model.onChain];
    const reachable = having.filter(model.reaches);
    const wasSent = model.sent.length;
    await Bun.sleep(0);
    const reported = [seed, behaviors, reply, model.sent];
    expect([...reported, new Set(model.sent).size]).toEqual([...reported, model.sent.length]);
    if (reply.ok && reply.answer.kind === 'result') {
      seen.success++;
      expect([...reported, having.length > 0]).toEqual([...reported, true]);
      continue;
    }
    seen[reply.ok ? 'error' : reply.maybeDelivered ? 'doubt' : 'unsent']++;
    expect([...reported, reachable]).toEqual([...reported, []]);
    if (!reply.ok && !reply.maybeDelivered) expect([...reported, wasSent]).toEqual([...reported, 0]);
  }
  for (const [what, count] of Object.entries(seen)) expect([what, count > histories / 100]).toEqual([what, true]);
});
