import { expect, test } from 'bun:test';
import { derivedKey, derivedStartKey, startRequest, submitRequest } from './render-request.ts';

const session = {
  sessionId: 'ses_1',
  userId: 'alice',
  appId: 'acme/pay',
  version: '1.0.0',
  stateVersion: 3,
  state: { at: 1 },
  launchContext: { from: 'x' },
};
const subject = {
  requestId: 'req_1',
  app: { subjectSalt: 'salt' },
  session,
  appData: { members: { a: 1 }, isWhole: true },
};
const submission = { stepId: 'pay', actionId: 'go', fieldValues: { amount: '1' }, idempotencyKey: 'own key' };
const receipt = { success: true, transaction: '0xabc', network: 'eip155:8453' } as const;

test('members are in the order of the wire type, and absent ones are omitted (contract/flow-apps#downstream)', () => {
  const { launchContext: _, ...bare } = session;
  const start = startRequest({ ...subject, session: bare }, { stepId: 'first', idempotencyKey: undefined });
  expect(Object.keys(start)).toEqual([
    ...['protocolVersion', 'requestId', 'reason', 'session', 'stepId', 'state', 'appData'],
  ]);
  const keyed = startRequest(subject, { stepId: 'first', idempotencyKey: 'own key' });
  expect(Object.keys(keyed)).toEqual([
    ...['protocolVersion', 'requestId', 'reason', 'session', 'stepId', 'idempotencyKey', 'launchContext'],
    ...['state', 'appData'],
  ]);
  const submit = submitRequest(subject, { ...submission, paymentReceipt: receipt });
  expect(Object.keys(submit)).toEqual([
    ...['protocolVersion', 'requestId', 'reason', 'session', 'stepId', 'launchContext', 'state', 'appData'],
    'submission',
  ]);
  expect(submit).toMatchObject({
    reason: 'submit',
    stepId: 'pay',
    state: { at: 1 },
    submission: { paymentReceipt: receipt },
  });
});

test("an app gets a derived key and a derived user id, never the caller's own (contract/flow-apps#users)", () => {
  const start = startRequest(subject, { stepId: 'first', idempotencyKey: 'own key' });
  const submit = submitRequest(subject, { ...submission, paymentReceipt: undefined });
  expect(start.idempotencyKey).toBe(derivedStartKey('alice', 'acme/pay', 'own key'));
  expect(submit.submission?.idempotencyKey).toBe(derivedKey('ses_1', 'own key'));
  expect(submit.submission).not.toHaveProperty('paymentReceipt');
  for (const request of [start, submit]) {
    expect(request.session.userId).toStartWith('usr_');
    expect(JSON.stringify(request)).not.toMatch(/own key|alice/);
  }
});

test('a request with only a part of the app data says so (docs/decisions/0046)', () => {
  const whole = startRequest(subject, { stepId: 'first', idempotencyKey: undefined });
  expect(whole).not.toHaveProperty('appDataTruncated');
  const appData = { members: { a: 1 }, isWhole: false };
  expect(submitRequest({ ...subject, appData }, { ...submission, paymentReceipt: undefined })).toMatchObject({
    appData: { a: 1 },
    appDataTruncated: true,
  });
});
