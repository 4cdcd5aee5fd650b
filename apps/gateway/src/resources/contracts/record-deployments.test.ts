import { expect, test } from 'bun:test';
import { createTimeSlices } from '@flowgate/async/time-slices';
import { systemClock } from '@flowgate/base/clock';
import { createTypeIds } from '@flowgate/base/ids';
import { systemRandomBytes } from '@flowgate/base/random';
import { Unavailable } from '@flowgate/base/unavailable';
import { rangeOf } from '@flowgate/bytes/byte-range';
import { createManualClock } from '@flowgate/testing/manual-clock';
import { getContractAddress, type Hex, keccak256 } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import type { BatchAnswer, NodeAnswer, NodePort, NodeReply } from '../../upstream/port/node-port.ts';
import type { DeploymentRecord } from './deployment.ts';
import { createDeploymentRecorder } from './deployment-recorder.ts';
import type { DeploymentStore } from './deployment-store.ts';
import { recordDeployments } from './record-deployments.ts';

const account = privateKeyToAccount(keccak256('0x01'));
const network = { dlt: 'ethereum', networkId: 'dev', chainId: 31337 };
const caller = { userId: 'alice', request: { signal: new AbortController().signal } };
const signed = (nonce: number, more: { to?: Hex; chainId?: number } = {}) =>
  account.signTransaction({
    type: 'eip1559',
    chainId: 31337,
    nonce,
    gas: 1n,
    maxFeePerGas: 1n,
    data: '0x6001',
    ...more,
  });
const [first, second, call] = await Promise.all([signed(1), signed(2), signed(3, { to: account.address })]);
const submission = (raw: string, method = 'eth_sendRawTransaction') => ({
  method,
  params: rangeOf(JSON.stringify([raw])),
});

type Options = {
  readonly reply?: NodeReply<NodeAnswer>;
  readonly batchReply?: NodeReply<BatchAnswer>;
  readonly begin?: DeploymentStore['begin'];
  readonly takeBack?: DeploymentStore['takeBack'];
};

const accepted: NodeReply<NodeAnswer> = { ok: true, nodeId: 'one', answer: { kind: 'result', raw: rangeOf('"0x1"') } };
const refusedWith = (code: number, message: string): NodeReply<NodeAnswer> => ({
  ok: true,
  nodeId: 'one',
  answer: { kind: 'error', raw: rangeOf(JSON.stringify({ code, message })) },
});

function recording({ reply = accepted, batchReply, begin, takeBack }: Options = {}) {
  const events: string[] = [];
  const records: DeploymentRecord[] = [];
  const logged: string[] = [];
  const port: NodePort = {
    async send({ method }) {
      events.push(`sent ${method}`);
      return reply;
    },
    async sendBatch({ questions }) {
      events.push(`sent ${questions.length}`);
      return batchReply ?? { ok: true, nodeId: 'one', answer: { kind: 'batch', answers: [] } };
    },
  };
  const clock = createManualClock();
  const log = { warn: (event: string) => void logged.push(event), error: (event: string) => void logged.push(event) };
  const recorder = createDeploymentRecorder({
    store: {
      begin:
        begin ??
        (async (given) => {
          events.push(`begun ${given.length}`);
          records.push(...given);
          return new Map(given.map(({ transactionHash, deploymentId }) => [transactionHash, deploymentId]));
        }),
      takeBack:
        takeBack ??
        (async (ids) => {
          events.push(`taken back ${ids.map((id) => records.findIndex(({ deploymentId }) => deploymentId === id))}`);
        }),
    },
    clock,
    newId: createTypeIds(clock, systemRandomBytes),
    timeSlices: createTimeSlices(systemClock),
    log,
  });
  return { port: recordDeployments(port, network, recorder), events, records, logged, clock };
}

test('the record is written before the transaction is sent, with computed hash, sender and address (contract/contracts#deployed)', async () => {
  const { port, events, records, clock } = recording();
  expect(await port.send({ ...submission(first), repeatable: false, caller })).toBe(accepted);
  expect(events).toEqual(['begun 1', 'sent eth_sendRawTransaction']);
  expect(records).toEqual([
    {
      deploymentId: expect.stringMatching(/^dep_/),
      userId: 'alice',
      dlt: 'ethereum',
      networkId: 'dev',
      transactionHash: keccak256(first),
      deployer: account.address.toLowerCase(),
      nonce: '1',
      address: getContractAddress({ from: account.address, nonce: 1n }).toLowerCase(),
      status: 'pending',
      unseenSinceMs: clock.now(),
      dueAtMs: clock.now() + 1_000,
      claims: 1,
      createdAtMs: clock.now(),
    },
  ]);
});

test('calls that create no contract are passed on: reads, contract calls, other chains, undecodable ones, and the gateway’s own', async () => {
  const { port, events } = recording();
  const elsewhere = await signed(1, { chainId: 1 });
  for (const raw of [call, elsewhere, `${first}00`, '0x', 'x'])
    await port.send({ ...submission(raw), repeatable: false, caller });
  await port.send({ ...submission(first, 'eth_call'), repeatable: true, caller });
  await port.send({ ...submission(first, 'eth_cancelPrivateTransaction'), repeatable: false, caller });
  await port.send({ ...submission(first), repeatable: false });
  await port.send({ method: 'eth_sendRawTransaction', params: undefined, repeatable: false, caller });
  await port.sendBatch({ questions: [submission(first, 'eth_call')], repeatable: true, caller });
  await port.sendBatch({ questions: [submission(call)], repeatable: false, caller });
  expect(events.filter((event) => !event.startsWith('sent'))).toEqual([]);
  expect(events).toHaveLength(11);
});

test('a refusal deletes the record before the caller receives the node’s answer', async () => {
  for (const [code, message] of [
    [-32000, 'nonce too low'],
    [-32000, 'insufficient funds for gas * price + value'],
    [-32003, 'transaction underpriced'],
    [-32601, 'the method eth_sendRawTransactionSync does not exist/is not available, try again later'],
    [-32602, 'invalid argument 0'],
  ] as const) {
    const reply = refusedWith(code, message);
    const { port, events } = recording({ reply });
    expect(await port.send({ ...submission(first), repeatable: false, caller })).toBe(reply);
    expect([message, events.at(-1)]).toEqual([message, 'taken back 0']);
  }
  const { port, events } = recording({ reply: { ok: false, failure: 'unreachable', maybeDelivered: false } });
  await port.send({ ...submission(first), repeatable: false, caller });
  expect(events.at(-1)).toBe('taken back 0');
});

test('an ambiguous answer retains the record: maybe delivered, already known, or failed behind the node', async () => {
  const replies: NodeReply<NodeAnswer>[] = [
    { ok: false, failure: 'timeout', maybeDelivered: true },
    { ok: true, nodeId: 'one', answer: { kind: 'result', raw: rangeOf('null') } },
    ...[
      'already known',
      'ALREADY_EXISTS: already known',
      'AlreadyKnown',
      'Known transaction',
      'known transaction: 1f',
    ].map((message) => refusedWith(-32000, message)),
    ...[
      'transaction already imported',
      'request timed out',
      'context deadline exceeded',
      'Bad Gateway',
      'EOF',
      'node is overloaded',
    ].map((message) => refusedWith(-32000, message)),
    refusedWith(-32603, 'oops'),
    refusedWith(4, 'The transaction was added to the mempool but was not processed in 2s'),
    refusedWith(5, 'queued'),
  ];
  for (const reply of replies) {
    const { port, events } = recording({ reply });
    await port.send({ ...submission(first), repeatable: false, caller });
    expect([reply, events]).toEqual([reply, ['begun 1', 'sent eth_sendRawTransaction']]);
  }
});

test('a batch writes one record for each call at once, and only refused ones are deleted', async () => {
  const questions = [submission(first), submission(call), submission(second), submission(first)];
  const refusal = { kind: 'error', raw: rangeOf('{"code":-32000,"message":"nonce too low"}') } as const;
  const result = { kind: 'result', raw: rangeOf('"0x1"') } as const;
  const outcome = async (batchReply: NodeReply<BatchAnswer>) => {
    const { port, events } = recording({ batchReply });
    expect(await port.sendBatch({ questions, repeatable: false, caller })).toBe(batchReply);
    expect(events.slice(0, 2)).toEqual(['begun 2', 'sent 4']);
    return events.slice(2);
  };
  const answers = (...given: (typeof refusal | typeof result | undefined)[]): NodeReply<BatchAnswer> => ({
    ok: true,
    nodeId: 'one',
    answer: { kind: 'batch', answers: given },
  });
  expect(await outcome(answers(result, result, refusal, refusal))).toEqual(['taken back 1']);
  // The same bytes twice: the second call is refused because the first was accepted.
  expect(await outcome(answers(refusal, result, result, result))).toEqual([]);
  expect(await outcome(answers(refusal, result, undefined, refusal))).toEqual(['taken back 0']);
  expect(await outcome(answers(refusal, result, refusal, refusal))).toEqual(['taken back 0,1']);
  expect(await outcome({ ok: true, nodeId: 'one', answer: refusal })).toEqual(['taken back 0,1']);
  expect(await outcome({ ok: false, failure: 'unreachable', maybeDelivered: false })).toEqual(['taken back 0,1']);
  expect(await outcome({ ok: false, failure: 'timeout', maybeDelivered: true })).toEqual([]);
});

test('an unavailable database or a bug costs the record and a log line, never the call (contract/contracts#deployed)', async () => {
  const bug = 'deployment.recording-failed';
  for (const [error, unrecorded, notTakenBack] of [
    [new Unavailable('database', 'away'), 'deployment.unrecorded', 'deployment.not-taken-back'],
    [new TypeError('a bug'), bug, bug],
  ] as const) {
    const { port, events, logged } = recording({ begin: () => Promise.reject(error) });
    expect(await port.send({ ...submission(first), repeatable: false, caller })).toBe(accepted);
    expect([events, logged]).toEqual([['sent eth_sendRawTransaction'], [unrecorded]]);
    const late = recording({ reply: refusedWith(-32000, 'no'), takeBack: () => Promise.reject(error) });
    expect((await late.port.send({ ...submission(first), repeatable: false, caller })).ok).toBe(true);
    expect(late.logged).toEqual([notTakenBack]);
  }
});

test('when the store is full the call continues, and no record is deleted', async () => {
  const { port, events, logged } = recording({ reply: refusedWith(-32000, 'no'), begin: async () => new Map() });
  await port.send({ ...submission(first), repeatable: false, caller });
  expect([events, logged]).toEqual([['sent eth_sendRawTransaction'], ['deployment.unrecorded']]);
});
