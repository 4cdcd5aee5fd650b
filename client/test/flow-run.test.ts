/** A run of a Flow App: one key for one submission, also after lost answers, repetitions, aborts and crashes (contract/sessions#idempotency). */

import { afterEach, expect, test } from 'bun:test';
import { createFlowgate } from '../src/create-flowgate.ts';
import {
  createFlowRun,
  type FlowHandlers,
  type FlowRunRecord,
  runFlow,
  walletTransaction,
} from '../src/flow-runner/entry.ts';
import type { Field, StepSpec } from '../src/wire.ts';
import { type Asked, type FakeAnswer, type FakeFlow, problem, session, startFakeFlow } from './fake-flow.ts';

let fake: FakeFlow | undefined;
afterEach(() => fake?.stop());

const actions = [{ actionId: 'next', label: 'Next' }];
const stepOf = (stepId: string, members: Partial<StepSpec> = {}): StepSpec => ({
  ...{ stepId, title: stepId, fields: [], actions },
  ...members,
});
const at = (stateVersion: number, stepId = `step-${stateVersion}`, members: Partial<StepSpec> = {}) =>
  Response.json(session({ stateVersion, currentStep: stepOf(stepId, members) }), { status: 200 });
const over = (stateVersion: number) =>
  Response.json(
    session({ stateVersion, status: 'completed', currentStep: stepOf('end', { terminal: true, actions: [] }) }),
  );
const lost = () => problem(503, { retryable: true, type: 'urn:svc:error:unavailable' });

function running(beginning: Parameters<typeof createFlowRun>[1], ...answers: readonly FakeAnswer[]) {
  fake = startFakeFlow(...answers);
  const { flow } = createFlowgate({ url: fake.baseUrl, apiKey: 'fk_test', retry: false });
  const records: (FlowRunRecord | undefined)[] = [];
  const journal = (record: FlowRunRecord | undefined) => void records.push(structuredClone(record));
  const run = createFlowRun(flow.sessions, beginning, { journal });
  return { run, records, asked: fake.asked };
}

const keyOf = ({ headers }: Asked) => headers.get('idempotency-key');
const start = { start: { appId: 'acme/deploy' } };

test('a run continues step by step to the end; each change is reported, and the journal is empty afterwards', async () => {
  const { run, records, asked } = running(
    start,
    () => at(1),
    () => problem(400, { errors: [{ fieldId: 'a', message: 'is required' }] }),
    () => at(2),
    () => over(3),
  );
  const phases: string[] = [];
  const stop = run.subscribe(() => phases.push(run.state().phase));
  await run.begin();
  const refused = await run.submit({ actionId: 'next' });
  expect(refused).toMatchObject({ phase: 'step', findings: [{ fieldId: 'a' }], error: { status: 400 } });
  const second = await run.submit({ actionId: 'next', fieldValues: { a: 1 } });
  expect(second).toMatchObject({ phase: 'step', findings: [], session: { stateVersion: 2 } });
  expect(second.error).toBeUndefined();
  expect((await run.submit({ actionId: 'next' })).phase).toBe('over');
  expect(phases).toEqual(['starting', 'step', 'submitting', 'step', 'submitting', 'step', 'submitting', 'over']);
  stop();
  expect(new Set(asked.map(keyOf)).size).toBe(4);
  expect(records.at(-1)).toBeUndefined();
  expect(run.state()).toBe(run.state());
});

test('unanswered requests are repeated under their key: a start, a submission, and the same answer given again', async () => {
  const { run, asked } = running(
    start,
    lost,
    () => at(1),
    lost,
    () => new Response('<html>', { status: 502 }),
    () => at(2),
  );
  expect((await run.begin()).phase).toBe('unanswered');
  expect((await run.retry()).phase).toBe('step');
  expect((await run.submit({ actionId: 'next', fieldValues: { a: 1, b: 2 } })).phase).toBe('unanswered');
  expect((await run.retry()).phase).toBe('unanswered');
  expect((await run.retry()).phase).toBe('step');
  const keys = asked.map(keyOf);
  expect([keys[0] === keys[1], keys[2] === keys[3], keys[3] === keys[4], keys[0] === keys[2]]).toEqual([
    true,
    true,
    true,
    false,
  ]);
  expect(asked[4]?.body).toEqual(asked[2]?.body);
});

test('the same answer after a refusal has the first key, another answer a new one', async () => {
  const final = () => problem(502, { retryable: false, type: 'urn:svc:error:bad-gateway' });
  const { run, asked } = running(
    start,
    () => at(1),
    final,
    final,
    final,
    () => at(2),
    final,
  );
  await run.begin();
  for (const values of [
    { a: 1, b: 2 },
    { b: 2, a: 1 },
    { a: 2, b: 2 },
  ])
    expect((await run.submit({ actionId: 'next', fieldValues: values })).phase).toBe('step');
  await run.submit({ actionId: 'next', fieldValues: { a: 2, b: 2 } });
  await run.submit({ actionId: 'next', fieldValues: { a: 2, b: 2 } });
  const [, first, same, other, again, later] = asked.map(keyOf);
  expect([first === same, first === other, other === again, again === later]).toEqual([true, false, true, false]);
});

test('after a crash a submission continues from the journal under its key, whether or not it was sent', async () => {
  const before = running(start, () => at(1), lost);
  await before.run.begin();
  await before.run.submit({ actionId: 'next', fieldValues: { a: 1 } });
  const record = before.records.at(-1);
  const key = before.asked.map(keyOf).at(-1);
  if (record === undefined || key === undefined) throw new Error('nothing was stored');
  expect(JSON.parse(JSON.stringify(record))).toEqual(record);
  await fake?.stop();
  // The submission was not executed.
  const after = running(
    { record },
    () => at(1),
    () => at(2),
  );
  expect(await after.run.begin()).toMatchObject({ phase: 'step', session: { stateVersion: 2 } });
  expect(after.asked.map(({ method }) => method)).toEqual(['GET', 'POST']);
  expect([after.asked[1]?.body, after.asked.map(keyOf)[1]]).toEqual([
    { actionId: 'next', fieldValues: { a: 1 }, stateVersion: 1 },
    key,
  ]);
  await fake?.stop();
  // The submission was executed.
  const executed = running({ record }, () => at(2));
  expect(await executed.run.begin()).toMatchObject({ phase: 'step', session: { stateVersion: 2 } });
  expect(executed.asked.map(({ method }) => method)).toEqual(['GET']);
});

test('a start is repeated under its key after its process crashed', async () => {
  const before = running(start, lost);
  await before.run.begin();
  const [record] = before.records;
  if (record === undefined) throw new Error('nothing was stored');
  const key = before.asked.map(keyOf)[0];
  await fake?.stop();
  const after = running({ record }, () => at(1));
  expect((await after.run.begin()).phase).toBe('step');
  expect(after.asked.map(keyOf)).toEqual([key ?? 'none']);
});

test('values of secret fields are not in the journal; entered again, they are sent under the same key', async () => {
  const fields: Field[] = [
    { fieldId: 'pin', type: 'secret', label: 'PIN' },
    { fieldId: 'a', type: 'text', label: 'A' },
  ];
  const before = running(start, () => at(1, 'first', { fields }), lost);
  await before.run.begin();
  await before.run.submit({ actionId: 'next', fieldValues: { pin: 'hunter2', a: 'x' } });
  expect(JSON.stringify(before.records)).not.toContain('hunter2');
  const record = before.records.at(-1);
  const key = before.asked.map(keyOf)[1];
  if (record === undefined) throw new Error('nothing was stored');
  await fake?.stop();
  const after = running(
    { record },
    () => at(1, 'first', { fields }),
    () => at(2),
  );
  expect((await after.run.begin()).phase).toBe('step');
  expect(after.asked).toHaveLength(1);
  await after.run.submit({ actionId: 'next', fieldValues: { a: 'x', pin: 'hunter2' } });
  expect(after.asked.map(keyOf)[1]).toBe(key ?? 'none');
});

test('a request is not sent before the journal has stored it', async () => {
  fake = startFakeFlow(() => at(1));
  const { flow } = createFlowgate({ url: fake.baseUrl, apiKey: 'fk_test' });
  const run = createFlowRun(flow.sessions, start, { journal: () => Promise.reject(new Error('disk full')) });
  await expect(run.begin()).rejects.toThrow('disk full');
  expect(fake.asked).toEqual([]);
});

test('a payment is requested, sent under the same key, and its receipt is shown, also when the step is refused afterwards', async () => {
  const accepts = [{ scheme: 'exact', network: 'eip155:1', amount: '5' }];
  const unpaid = () => problem(402, { type: 'urn:svc:error:payment-required', accepts });
  const receipt = { success: true, transaction: '0x1', network: 'eip155:1' };
  const failed = () => problem(502, { retryable: true, type: 'urn:svc:error:bad-gateway', paymentReceipt: receipt });
  const { run, asked, records } = running(
    start,
    () => at(1),
    unpaid,
    failed,
    () => at(2),
  );
  await run.begin();
  expect(await run.submit({ actionId: 'buy' })).toMatchObject({ phase: 'payment', accepts });
  expect(await run.pay('signed')).toMatchObject({ phase: 'unanswered', receipt });
  expect(await run.retry()).toMatchObject({ phase: 'step', receipt });
  expect(asked.map(({ headers }) => headers.get('x-payment'))).toEqual([null, null, 'signed', 'signed']);
  expect(new Set(asked.slice(1).map(keyOf)).size).toBe(1);
  expect(records.at(-2)?.pending?.payment).toBe('signed');
});

test('a session that another client continued, that ended or that is gone is shown as it is', async () => {
  const conflict = () => problem(409, { retryable: false });
  const moved = running(
    start,
    () => at(1),
    conflict,
    () => at(4),
  );
  await moved.run.begin();
  expect(await moved.run.submit({ actionId: 'next' })).toMatchObject({
    ...{ phase: 'step', session: { stateVersion: 4 }, error: { status: 409 } },
  });
  await fake?.stop();
  const ended = running(
    { sessionId: 'ses_1' },
    () => at(1),
    conflict,
    () => over(2),
  );
  await ended.run.begin();
  expect(await ended.run.submit({ actionId: 'next' })).toMatchObject({ phase: 'over', error: { status: 409 } });
  await fake?.stop();
  const gone = running({ sessionId: 'ses_1' }, () => problem(404, { type: 'urn:svc:error:not-found' }));
  expect(await gone.run.begin()).toMatchObject({ phase: 'failed', error: { status: 404 } });
  await fake?.stop();
  const retired = running(
    start,
    () => at(1),
    () => problem(410, { type: 'urn:svc:error:gone' }),
  );
  await retired.run.begin();
  expect(await retired.run.submit({ actionId: 'next' })).toMatchObject({ phase: 'failed', error: { status: 410 } });
});

test('canceling ends the run, and a refusal is shown', async () => {
  const { run } = running(
    start,
    () => at(1),
    lost,
    () => new Response(null, { status: 204 }),
    () => Response.json(session({ status: 'cancelled', stateVersion: 2 })),
  );
  await run.begin();
  expect(await run.cancel()).toMatchObject({ phase: 'step', error: { status: 503 } });
  expect(await run.cancel()).toMatchObject({ phase: 'over', session: { status: 'cancelled' } });
});

test('an aborted call can be retried under its key; calls that the phase does not allow are refused', async () => {
  const arrived = Promise.withResolvers<void>();
  const { run, asked } = running(
    start,
    () => at(1),
    () => {
      arrived.resolve();
      return new Promise<Response>(() => {});
    },
    () => at(2),
  );
  await expect(run.submit({ actionId: 'next' })).rejects.toThrow(TypeError);
  await run.begin();
  await expect(run.begin()).rejects.toThrow(TypeError);
  const leaving = new AbortController();
  const call = run.submit({ actionId: 'next' }, { signal: leaving.signal });
  await arrived.promise;
  await expect(run.submit({ actionId: 'next' })).rejects.toThrow('busy');
  leaving.abort(new Error('left'));
  await expect(call).rejects.toThrow('left');
  expect(run.state().phase).toBe('unanswered');
  expect(await run.retry()).toMatchObject({ session: { stateVersion: 2 } });
  expect(keyOf(asked[1] as Asked)).toBe(keyOf(asked[2] as Asked) ?? 'none');
});

const signing = { fields: [{ fieldId: 'hash', type: 'txHash', label: 'Hash' }], transaction: { to: '0x1' } } as const;

test('runFlow answers, signs once, pays, waits and continues after lost answers, to the end', async () => {
  const waiting = { actions: [{ actionId: 'look', label: 'Look' }] };
  const { run } = running(
    start,
    () => at(1, 'sign', signing),
    lost,
    () => problem(400, { errors: [{ message: 'not yet mined' }] }),
    () => at(2, 'wait', waiting),
    () => at(3, 'wait', waiting),
    () => problem(402, { type: 'urn:svc:error:payment-required', accepts: [] }),
    () => problem(429, { type: 'urn:svc:error:too-many-requests', retryable: true }, { 'Retry-After': '0' }),
    () => over(4),
  );
  const done: unknown[] = [];
  const state = await runFlow(run, {
    async answer({ session: { currentStep }, findings, signed }) {
      done.push(['answer', currentStep.stepId, findings.length, signed]);
      return { actionId: currentStep.actions[0]?.actionId ?? '', fieldValues: signed };
    },
    async sign({ field, transaction }) {
      done.push(['sign', field.fieldId, transaction]);
      return '0xhash';
    },
    async pay() {
      done.push(['pay']);
      return 'paid';
    },
    async wait({ rounds }) {
      done.push(['wait', rounds]);
      return true;
    },
  });
  expect(state).toMatchObject({ phase: 'over', session: { status: 'completed' } });
  expect(done).toEqual([
    ['sign', 'hash', { to: '0x1' }],
    ['answer', 'sign', 0, { hash: '0xhash' }],
    ['answer', 'sign', 1, { hash: '0xhash' }],
    ['answer', 'wait', 0, {}],
    ['wait', 1],
    ['pay'],
  ]);
});

test('a transaction is signed once, also when the process dies before submitting it', async () => {
  const before = running(start, () => at(1, 'sign', signing));
  const handlers: FlowHandlers = { answer: () => Promise.reject(new Error('killed')), sign: async () => '0xsent' };
  await expect(runFlow(before.run, handlers)).rejects.toThrow('killed');
  const record = before.records.at(-1);
  if (record === undefined) throw new Error('nothing was stored');
  await fake?.stop();
  const after = running(
    { record },
    () => at(1, 'sign', signing),
    () => over(2),
  );
  await runFlow(after.run, {
    answer: async ({ signed }) => ({ actionId: 'next', fieldValues: signed }),
    sign: () => Promise.reject(new Error('signed twice')),
  });
  expect(after.asked[1]?.body).toMatchObject({ fieldValues: { hash: '0xsent' } });
});

test('runFlow ends when a handler leaves, with the signal, and with a permanent refusal', async () => {
  const left = running(start, () => at(1));
  expect(await runFlow(left.run, { answer: async () => undefined })).toMatchObject({ phase: 'step' });
  await fake?.stop();
  const wrong = running(
    start,
    () => at(1),
    () => problem(400),
  );
  await expect(runFlow(wrong.run, { answer: async () => ({ actionId: 'next' }) })).rejects.toMatchObject({
    status: 400,
  });
  expect(wrong.asked.length).toBeLessThan(110);
  await fake?.stop();
  const year = running(
    start,
    () => at(1),
    () => problem(429, {}, { 'Retry-After': '31536000' }),
  );
  await expect(runFlow(year.run, { answer: async () => ({ actionId: 'next' }) })).rejects.toMatchObject({
    status: 429,
  });
  await fake?.stop();
  const never = running(start, () => at(1), lost);
  const walk = runFlow(never.run, { answer: async () => ({ actionId: 'next' }) }, { retries: 1 });
  await expect(walk).rejects.toMatchObject({ status: 503 });
  await fake?.stop();
  const leaving = new AbortController();
  const aborted = running(
    start,
    () => at(1),
    () => {
      leaving.abort(new Error('left'));
      return new Promise<Response>(() => {});
    },
  );
  const answer = async () => ({ actionId: 'next' });
  await expect(runFlow(aborted.run, { answer }, { signal: leaving.signal })).rejects.toThrow('left');
});

test('a prepared transaction is converted for wallets, and no member is guessed', () => {
  const from = `0x${'a'.repeat(40)}`;
  const prepared = { from, to: from, data: '0x00', value: '1000000000000000000', gas: '0x5208', nonce: 0, chainId: 1 };
  expect(walletTransaction({ ...prepared, description: 'Send it' })).toEqual({
    ...{ from, to: from, data: '0x00', value: '0xde0b6b3a7640000', gas: '0x5208', nonce: '0x0', chainId: '0x1' },
  });
  for (const wrong of [
    { to: 'x' },
    { to: 7 },
    { value: -1 },
    { value: '1.5' },
    { value: '9'.repeat(79) },
    { gas: {} },
    { data: '0x0' },
    { gasPrice: 1, maxFeePerGas: 1 },
    { gasPrice: 1, maxPriorityFeePerGas: 1 },
    { data: undefined, input: '0x00' },
    { authorizationList: [] },
    { blobVersionedHashes: [] },
  ])
    expect(() => walletTransaction({ ...prepared, ...wrong })).toThrow(TypeError);
});
