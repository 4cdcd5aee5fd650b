import { expect, test } from 'bun:test';
import { systemClock } from '@flowgate/base/clock';
import { ByteBudget } from '@flowgate/bytes/byte-budget';
import { rangeOf } from '@flowgate/bytes/byte-range';
import type { CallPort, NodeAnswer, NodeCall, NodeCaller, NodeReply } from '../../../upstream/port/node-port.ts';
import { createBatchSplitter } from '../split-batch.ts';
import { createFilters, filterUseOf } from './filters.ts';
import { createSealedHex } from './sealed-hex.ts';

const pepper = 'pepper-for-tests-0123456789abcdefghijk';
const callerOf = (userId: string): NodeCaller => ({ userId, request: { signal: new AbortController().signal } });
const alice = callerOf('alice');

type Asked = { readonly method: string; readonly params: string | undefined } & Pick<
  NodeCall,
  'onlyNode' | 'repeatable' | 'leftOut'
>;

/** Nodes that give scripted answers; `asked` lists the calls that they received. */
function filtersOver(
  reply: (call: NodeCall) => NodeReply<NodeAnswer>,
  { network = 'ethereum/dev', peppers = [pepper] } = {},
) {
  const asked: Asked[] = [];
  const note = ({ method, params, onlyNode, repeatable, leftOut }: NodeCall) =>
    asked.push({ method, params: params?.text(), onlyNode, repeatable, leftOut });
  const port: CallPort = {
    send(call) {
      note(call);
      return Promise.resolve(reply(call));
    },
    sendBatch(batch) {
      for (const question of batch.questions) note({ ...batch, ...question });
      const answers = batch.questions.map(() => ({ kind: 'result', raw: rangeOf('"rest"') }) as const);
      return Promise.resolve({ ok: true, nodeId: 'n1', answer: { kind: 'batch', answers } });
    },
  };
  const budget = new ByteBudget({ totalBytes: 1_000_000, ownerBytes: 1_000_000 });
  const splitBatch = createBatchSplitter({
    clock: systemClock,
    budget,
    timeoutMs: 1_000,
    reads: new Set(['eth_call']),
  });
  const wrapped = createFilters({ sealed: createSealedHex(peppers, 'filter-id'), network, splitBatch })(port);
  const send = async (method: string, params: string | undefined, terms: Partial<NodeCall> = {}) => {
    const call = {
      method,
      params: params === undefined ? undefined : rangeOf(params),
      repeatable: false,
      caller: alice,
      ...terms,
    };
    const got = await wrapped.send(call);
    if (!got.ok) return got.failure;
    if (got.answer.kind === 'buffered') throw new Error('a large answer');
    return got.answer.raw.text();
  };
  return { asked, send, wrapped };
}

const result = (raw: string, nodeId = 'n1'): NodeReply<NodeAnswer> => ({
  ok: true,
  nodeId,
  answer: { kind: 'result', raw: rangeOf(raw) },
});
const creates = (call: NodeCall) => result(call.method.startsWith('eth_new') ? '"0x1"' : '[]', 'n2');
const notFound = '{"code":-32000,"message":"filter not found"}';

test('a caller receives a sealed id; calls with this id go to the filter’s node with the node’s own id (contract/filters#ids)', async () => {
  const { asked, send } = filtersOver(creates);
  const id = await send('eth_newFilter', '[{"address":"0xabc"}]');
  expect(id).toMatch(/^"0xf1[0-9a-f]+"$/);
  expect(id).not.toContain(Buffer.from('n2').toString('hex'));
  for (const method of ['eth_getFilterChanges', 'eth_getFilterLogs', 'eth_uninstallFilter'])
    expect(await send(method, ` [ ${id} ] `)).toBe('[]');
  expect(asked).toEqual([
    {
      method: 'eth_newFilter',
      params: '[{"address":"0xabc"}]',
      onlyNode: undefined,
      repeatable: false,
      leftOut: undefined,
    },
    ...['eth_getFilterChanges', 'eth_getFilterLogs', 'eth_uninstallFilter'].map((method) => ({
      method,
      params: '["0x1"]',
      onlyNode: 'n2',
      repeatable: false,
      leftOut: undefined,
    })),
  ]);
});

test('a call about a filter is never sent twice, even when the caller allows retries (contract/filters#repeated)', async () => {
  const { asked, send } = filtersOver(creates);
  const id = await send('eth_newBlockFilter', '[]', { repeatable: true });
  await send('eth_getFilterChanges', `[${id}]`, { repeatable: true });
  expect(asked.map(({ repeatable }) => repeatable)).toEqual([false, false]);
});

test('every gateway of a cluster opens a sealed id, also while peppers are rotated (contract/filters#ids)', async () => {
  const id = await filtersOver(creates).send('eth_newFilter', '[{}]');
  const other = filtersOver(creates, { peppers: ['a-newer-pepper-0123456789abcdefghijkl', pepper] });
  expect(await other.send('eth_getFilterChanges', `[${id}]`)).toBe('[]');
  expect(other.asked[0]?.onlyNode).toBe('n2');
});

test('a node’s own id, a forged id and an id of another user or network are "filter not found", and no node is called (contract/filters#unknown)', async () => {
  const { asked, send } = filtersOver(creates);
  const id = (await send('eth_newFilter', '[{}]')).slice(1, -1);
  const elsewhere = (await filtersOver(creates, { network: 'ethereum/other' }).send('eth_newFilter', '[{}]')).slice(
    1,
    -1,
  );
  asked.length = 0;
  const forged = `${id.slice(0, -1)}${id.endsWith('0') ? '1' : '0'}`;
  const ids = ['0x1', '0x0', '', 'n2 0x1', forged, elsewhere, id.slice(2), `${id}00`, `0xf1${'0'.repeat(5_000)}`];
  for (const method of ['eth_getFilterChanges', 'ETH_GETFILTERLOGS', 'klay_uninstallFilter'])
    for (const one of ids) expect([one, await send(method, JSON.stringify([one]))]).toEqual([one, notFound]);
  for (const odd of ['[1]', '[null]', `[{"id":"${id}"}]`, `[["${id}"]]`, `["\\u0030${id.slice(1)}"]`])
    expect([odd, await send('eth_getFilterChanges', odd)]).toEqual([odd, notFound]);
  expect(await send('eth_getFilterChanges', JSON.stringify([id]), { caller: callerOf('bob') })).toBe(notFound);
  expect(asked).toEqual([]);
});

test('a call without an id gets the error "invalid params" (contract/filters#unknown)', async () => {
  const { asked, send } = filtersOver(creates);
  for (const params of [undefined, '[]', '{}', '{"id":"0x1"}'])
    expect(await send('eth_getFilterChanges', params)).toBe(
      '{"code":-32602,"message":"missing value for required argument 0"}',
    );
  expect(asked).toEqual([]);
});

test('a filter is "not found" when its node is unreachable, on the wrong chain or cordoned; other failures are reported (contract/filters#lost)', async () => {
  let failure: NodeReply<NodeAnswer> = result('[]');
  const { send } = filtersOver((call) => (call.method === 'eth_newFilter' ? result('"0x1"', 'n2') : failure));
  const id = await send('eth_newFilter', '[{}]');
  for (const kind of ['unreachable', 'wrong-chain', 'cordoned'] as const) {
    failure = { ok: false, failure: kind, maybeDelivered: false };
    expect(await send('eth_getFilterChanges', `[${id}]`)).toBe(notFound);
    failure = { ok: false, failure: kind, maybeDelivered: true };
    expect(await send('eth_getFilterChanges', `[${id}]`)).toBe(kind);
  }
  for (const kind of ['timeout', 'overloaded', 'owner-full', 'abandoned'] as const) {
    failure = { ok: false, failure: kind, maybeDelivered: false };
    expect(await send('eth_getFilterChanges', `[${id}]`)).toBe(kind);
  }
});

test('a node that a policy denies to the caller gets no calls about its filters (contract/filters#lost)', async () => {
  const { asked, send } = filtersOver(creates);
  const id = await send('eth_newFilter', '[{}]');
  expect(await send('eth_getFilterChanges', `[${id}]`, { leftOut: new Set(['n2']) })).toBe(notFound);
  expect(asked).toHaveLength(1);
});

test('a node’s error is returned unchanged; a result that is not an id does not reach the caller', async () => {
  let raw = '';
  const { send } = filtersOver(() => result(raw));
  for (raw of ['null', '1', '{}', '""', '"a b"', '["0x1"]', `"${'1'.repeat(200)}"`, '"\\u0030x1"', 'true'])
    expect([raw, await send('eth_newFilter', '[{}]')]).toEqual([raw, 'unusable']);
  const error = '{"code":-32601,"message":"no filters here"}';
  const refusing = filtersOver(() => ({ ok: true, nodeId: 'n1', answer: { kind: 'error', raw: rangeOf(error) } }));
  expect(await refusing.send('eth_newFilter', '[{}]')).toBe(error);
});

test('calls about filters leave a batch one by one; the other calls stay one batch in their order (contract/filters#batches)', async () => {
  const { asked, send, wrapped } = filtersOver(creates);
  const id = await send('eth_newFilter', '[{}]');
  asked.length = 0;
  const question = (method: string, params: string) => ({ method, params: rangeOf(params) });
  const reply = await wrapped.sendBatch({
    questions: [
      question('eth_call', '[1]'),
      question('eth_getFilterChanges', `[${id}]`),
      question('eth_getFilterChanges', '["0x1"]'),
      question('eth_newBlockFilter', '[]'),
      question('eth_call', '[2]'),
    ],
    repeatable: false,
    caller: alice,
  });
  if (!reply.ok || reply.answer.kind !== 'batch') throw new Error('no batch');
  const answers = reply.answer.answers.map((answer) =>
    answer === undefined || answer.kind === 'failed' ? answer : answer.raw.text(),
  );
  expect(answers).toEqual(['"rest"', '[]', notFound, expect.stringMatching(/^"0xf1/), '"rest"']);
  expect(asked.map(({ method, params, onlyNode }) => [method, params, onlyNode]).sort()).toEqual([
    ['eth_call', '[1]', undefined],
    ['eth_call', '[2]', undefined],
    ['eth_getFilterChanges', '["0x1"]', 'n2'],
    ['eth_newBlockFilter', '[]', undefined],
  ]);
});

test('methods that create or read a filter are recognized in every namespace and case; no other method is (contract/filters#methods)', () => {
  for (const name of ['newFilter', 'newBlockFilter', 'newPendingTransactionFilter', 'newPendingTransactionFilterEx'])
    expect([name, filterUseOf(`eth_${name}`)]).toEqual([name, name.endsWith('Filter') ? 'creates' : undefined]);
  for (const name of ['eth_NEWFILTER', 'klay_newFilter', 'hmyv2_newBlockFilter'])
    expect(filterUseOf(name)).toBe('creates');
  for (const name of ['eth_getFilterChanges', 'eth_getFilterLogs', 'eth_uninstallFilter', 'kaia_getfilterchanges'])
    expect(filterUseOf(name)).toBe('asks');
  for (let n = 0; n < 2_000; n++) expect(filterUseOf(`eth_x${n}`)).toBeUndefined();
  for (const name of ['eth_getLogs', 'trace_filter', 'eth_call', 'eth_subscribe'])
    expect(filterUseOf(name)).toBeUndefined();
});
