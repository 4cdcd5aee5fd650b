import { afterEach, beforeEach, expect, test } from 'bun:test';
import { Unavailable } from '@flowgate/base/unavailable';
import type { RenderResponse } from '@flowgate/flow-format/app-responses/render-response-wire';
import { counter, countStep } from '../../../test/fixtures/flow-app.ts';
import {
  type Fault,
  type FaultPlan,
  type FlowUses,
  openFlowUses,
  outcomeOf,
  startedSession,
  usesAppId,
} from '../../../test/fixtures/flow-uses.ts';
import { callerNamed } from '../../../test/fixtures/no-policies.ts';
import { onEveryEngine } from '../../../test/fixtures/sql-engines.ts';
import type { PaymentGate } from '../payments/payment-gate.ts';
import { expireDueSessions, expireSession } from './expire-sessions.ts';
import { findSession } from './find-session.ts';
import type { SessionDeps } from './session-deps.ts';
import { cancelSession } from './session-routes.ts';
import type { Session } from './session-wire.ts';
import { type Submitted, submitStep } from './submit-step.ts';

let uses: FlowUses;

async function start(deps: SessionDeps = uses.process(), userId = 'alice'): Promise<Session> {
  return startedSession(deps, userId);
}

type Asked = { readonly key?: string; readonly userId?: string; readonly stepId?: string; readonly body?: object };

function submit(
  deps: SessionDeps,
  session: Session,
  { key = 'key', userId = 'alice', stepId = 'count', body }: Asked = {},
) {
  return submitStep(deps, {
    caller: callerNamed(userId),
    sessionId: session.sessionId,
    stepId,
    body: { actionId: 'add', fieldValues: { amount: 1 }, stateVersion: session.stateVersion, ...body },
    header: (name) => (name === 'Idempotency-Key' ? key : null),
    requestId: 'req',
  });
}

async function submitted(pending: ReturnType<typeof submit>): Promise<Submitted & { readonly session: Session }> {
  const answer = await pending;
  if (!answer.ok) throw new Error(`${answer.reason}: ${answer.detail}`);
  return { ...answer, session: JSON.parse(answer.response.body) };
}

const gateOf = (pay: PaymentGate['pay']): PaymentGate => ({ pay, findReceipt: async () => undefined });

const faultAt =
  (point: number, fault: Fault): FaultPlan =>
  (_, at) =>
    at === point ? fault : undefined;
const faultIn =
  (call: string, fault: Fault): FaultPlan =>
  (name) =>
    name === call ? fault : undefined;

/** A process for which another one acts between its first read and its lease. */
function overtaken(act: () => Promise<unknown>): SessionDeps {
  const acquire: SessionDeps['store']['acquire'] = async (...call) => {
    await act();
    return uses.store.acquire(...call);
  };
  return { ...uses.process(), store: { ...uses.store, acquire } };
}

/** Set `FLOW_CRASH_POINTS=1000` for the reported figure; the default takes a few seconds. */
const crashPoints = Number(process.env['FLOW_CRASH_POINTS'] ?? 150);

onEveryEngine((_, open) => {
  beforeEach(async () => {
    uses = await openFlowUses(await open());
  });
  afterEach(() => uses.close());

  test('a key with a response returns it byte for byte, regardless of the body, and the app is not called (contract/sessions#idempotency)', async () => {
    const session = await start();
    const first = await submitted(submit(uses.process(), session));
    expect(first).toMatchObject({ isReplay: false, session: { stateVersion: 2, status: 'active' } });
    for (const body of [{}, { actionId: 'nope' }, { stateVersion: 99 }, { fieldValues: { other: 1 } }])
      for (const stepId of ['count', 'done', 'unknown']) {
        const again = await submitted(submit(uses.process(), session, { body, stepId }));
        expect(again).toMatchObject({ isReplay: true, response: first.response });
      }
    expect(uses.effects.size).toBe(1);
    expect(await uses.events(session.sessionId)).toEqual(['1 session_created', '2 step_submitted', '3 counted']);
  });

  test('a hundred identical concurrent submissions run once: each gets the one response, or a retryable conflict (contract/sessions#submission)', async () => {
    const session = await start();
    const parts = [uses.process(), uses.process(), uses.process()] as const;
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, at) => submit(parts[at % 3] ?? parts[0], session)),
    );
    const done = answers.filter((answer) => answer.ok);
    expect(done.length).toBeGreaterThan(0);
    expect(new Set(done.map(({ response }) => response.body)).size).toBe(1);
    expect(done.filter(({ isReplay }) => !isReplay)).toHaveLength(1);
    for (const answer of answers) if (!answer.ok) expect(answer).toMatchObject({ reason: 'conflict', retryable: true });
    expect([...uses.effects.values()].map(({ asked }) => asked)).toEqual([1]);
    const settled = await Promise.all(Array.from({ length: 100 }, () => submitted(submit(parts[0], session))));
    expect(new Set(settled.map(({ response }) => response.body))).toEqual(
      new Set(done.map(({ response }) => response.body)),
    );
  });

  test('of fifty different concurrent submissions to one step one is committed, the others change nothing', async () => {
    const session = await start();
    const outcomes = await Promise.all(
      Array.from({ length: 50 }, (_, at) => outcomeOf(submit(uses.process(), session, { key: `k${at}` }))),
    );
    expect(outcomes.filter((each) => each === 'done')).toHaveLength(1);
    // A process that reads after the commit finds that its stateVersion is old.
    expect(outcomes.filter((each) => !['done', 'retryable', 'conflict'].includes(each))).toEqual([]);
    expect(uses.effects.size).toBe(1);
    expect(await uses.events(session.sessionId)).toHaveLength(3);
  });

  test('a failed submission is not stored: it runs again under its key, and the app sees the same derived key (contract/sessions#idempotency)', async () => {
    const session = await start();
    const keys: (string | undefined)[] = [];
    const failures = [
      { ok: false, detail: 'The Flow App answered 500.', retryable: true },
      { ok: false, detail: 'The Flow App answered 400.', retryable: false },
      { step: { stepId: 'undeclared', title: 'x', fields: [], actions: [] } },
      { step: countStep(0), errors: [{ fieldId: 'amount', message: 'too much today' }] },
    ] as const;
    const seen: unknown[] = [];
    for (const failure of failures) {
      uses.answer = ({ submission }) => {
        keys.push(submission?.idempotencyKey);
        return failure as RenderResponse;
      };
      const { reason, retryable, members } = (await submit(uses.process(), session)) as { [name: string]: unknown };
      seen.push([reason, retryable, members]);
    }
    expect(seen).toEqual([
      ['bad-gateway', true, undefined],
      ['bad-gateway', false, undefined],
      ['bad-gateway', false, undefined],
      ['bad-request', undefined, { errors: [{ fieldId: 'amount', message: 'too much today' }] }],
    ]);
    expect((await findSession(uses.process(), callerNamed('alice'), session.sessionId)) as object).toEqual({
      ok: true,
      value: session,
    });
    uses.answer = counter;
    expect(await outcomeOf(submit(uses.process(), session))).toBe('done');
    expect(new Set([...keys, ...uses.effects.keys()]).size).toBe(1);
  });

  test('another session and another user are unaffected by a key (contract/sessions#idempotency)', async () => {
    const [mine, second, theirs] = [await start(), await start(), await start(uses.process(), 'bob')];
    for (const [session, userId] of [
      [mine, 'alice'],
      [second, 'alice'],
      [theirs, 'bob'],
    ] as const)
      expect(await outcomeOf(submit(uses.process(), session, { userId }))).toBe('done');
    expect(uses.effects.size).toBe(3);
    expect(await outcomeOf(submit(uses.process(), theirs))).toBe('not-found');
    expect(await outcomeOf(submit(uses.process(), theirs, { key: 'other' }))).toBe('not-found');
  });

  test('while the storage is unavailable nothing runs, and the app is not called (contract/sessions#submission)', async () => {
    const session = await start();
    for (const call of ['store.findForSubmission', 'store.acquire'])
      for (const fault of ['unavailable-before', 'unavailable-after'] as const) {
        expect([call, await outcomeOf(submit(uses.process(faultIn(call, fault)), session))]).toEqual([
          call,
          'unavailable',
        ]);
        await uses.advance(uses.leaseMs);
      }
    expect(uses.effects.size).toBe(0);
    expect(await outcomeOf(submit(uses.process(), session))).toBe('done');
  });

  test('a retry finds the outcome of a commit whose reply was lost: it replays a completed one, or runs again', async () => {
    for (const [fault, expected] of [
      ['unavailable-after', 'replayed'],
      ['unavailable-before', 'done'],
    ] as const) {
      const session = await start();
      const before = uses.effects.size;
      expect(await outcomeOf(submit(uses.process(faultIn('store.commit', fault)), session))).toBe('unavailable');
      // It succeeds at once, because the lease was released.
      expect(await outcomeOf(submit(uses.process(), session))).toBe(expected);
      expect(uses.effects.size).toBe(before + 1);
      expect(await uses.events(session.sessionId)).toHaveLength(3);
    }
  });

  test('a submission that lost the session commits nothing; the one that took over has the only transition (fencing)', async () => {
    const session = await start();
    const [slow, paused] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const parts = uses.process();
    const stalled: SessionDeps = {
      ...parts,
      payments: gateOf(async () => {
        paused.resolve();
        await slow.promise;
        return { ok: true, headers: {} };
      }),
    };
    const first = outcomeOf(submit(stalled, session, { key: 'first' }));
    await paused.promise;
    expect(await outcomeOf(submit(uses.process(), session, { key: 'second' }))).toBe('retryable');
    await uses.advance(uses.leaseMs);
    expect(await outcomeOf(submit(uses.process(), session, { key: 'second' }))).toBe('done');
    slow.resolve();
    expect(await first).toBe('retryable');
    // It was suspended for longer than its lease, and therefore checked the lease before it called the app.
    expect([...uses.effects.values()].map(({ asked }) => asked)).toEqual([1]);
    expect(await outcomeOf(submit(uses.process(), session, { key: 'first' }))).toBe('conflict');
    expect(await uses.events(session.sessionId)).toEqual(['1 session_created', '2 step_submitted', '3 counted']);
  });

  test('changes between the first read and the lease are seen before anything runs (contract/sessions#submission)', async () => {
    const [twin, other, ended, cancelled] = [await start(), await start(), await start(), await start()];
    const by =
      (session: Session, key: string, body = {}) =>
      () =>
        outcomeOf(submit(uses.process(), session, { key, body }));
    const finish = { actionId: 'finish', fieldValues: {} };
    expect(await outcomeOf(submit(overtaken(by(twin, 'key')), twin))).toBe('replayed');
    expect(await outcomeOf(submit(overtaken(by(other, 'faster')), other))).toBe('conflict');
    expect(await outcomeOf(submit(overtaken(by(ended, 'faster', finish)), ended))).toBe('conflict');
    expect(await outcomeOf(submit(overtaken(by(cancelled, 'key', finish)), cancelled, { body: finish }))).toBe(
      'replayed',
    );
    expect([...uses.effects.values()].map(({ asked }) => asked)).toEqual([1, 1, 1, 1]);
  });

  test('a cancellation that is overtaken cancels the session it finds, or reports that the session has ended', async () => {
    const [went, ended, twice] = [await start(), await start(), await start()];
    const by =
      (session: Session, body = {}) =>
      () =>
        outcomeOf(submit(uses.process(), session, { body }));
    expect(await cancelSession(overtaken(by(went)), 'alice', went.sessionId)).toEqual({ ok: true });
    expect(await uses.store.find('alice', went.sessionId)).toMatchObject({
      session: { status: 'cancelled', stateVersion: 3 },
    });
    const finish = by(ended, { actionId: 'finish', fieldValues: {} });
    expect(await cancelSession(overtaken(finish), 'alice', ended.sessionId)).toMatchObject({ reason: 'conflict' });
    const again = () => cancelSession(uses.process(), 'alice', twice.sessionId);
    expect(await cancelSession(overtaken(again), 'alice', twice.sessionId)).toEqual({ ok: true });
    expect(await uses.events(twice.sessionId)).toEqual(['1 session_created', '2 session_cancelled']);
  });

  test('a session whose expiry was extended before its lease is acquired does not expire', async () => {
    const session = await start();
    expect(await expireSession(uses.process(), session.sessionId)).toBe(false);
    expect(await uses.store.find('alice', session.sessionId)).toMatchObject({
      session: { status: 'active' },
      isLeased: false,
    });
  });

  test('the lease of a session is renewed for as long as its submission runs', async () => {
    const session = await start();
    const renewed = Promise.withResolvers<void>();
    // PostgreSQL uses its own clock, so the lease is long enough for a busy machine to check it once before it expires.
    const parts = { ...uses.process(), leaseMs: 900 };
    let renewals = 0;
    const outcome = await outcomeOf(
      submit(
        {
          ...parts,
          store: {
            ...uses.store,
            async renew(...call) {
              await uses.advance(600);
              const isRenewed = await uses.store.renew(...call);
              if (++renewals === 3) renewed.resolve();
              return isRenewed;
            },
          },
          payments: gateOf(async () => {
            await renewed.promise;
            expect(await outcomeOf(submit(uses.process(), session, { key: 'other' }))).toBe('retryable');
            return { ok: true, headers: {} };
          }),
        },
        session,
      ),
    );
    expect(outcome).toBe('done');
  });

  test('a response and its replay contain the receipt, also in the headers; a refused payment reaches no app', async () => {
    const session = await start();
    const receipt = { success: true, transaction: '0xabc', network: 'eip155:8453' } as const;
    const refusing = gateOf(async () => ({ ok: false, reason: 'payment-required', members: { x402Version: 2 } }));
    expect(await submit({ ...uses.process(), payments: refusing }, session)).toMatchObject({
      reason: 'payment-required',
    });
    expect(uses.effects.size).toBe(0);
    const paying = gateOf(async () => ({ ok: true, receipt, headers: { 'X-Payment-Response': 'eyJ' } }));
    const paid = await submitted(submit({ ...uses.process(), payments: paying }, session));
    expect(paid.session.paymentReceipt).toEqual(receipt);
    expect([...uses.effects.values()][0]?.request.submission?.paymentReceipt).toEqual(receipt);
    const again = await submitted(submit({ ...uses.process(), payments: refusing }, session));
    expect(again.response).toEqual({ body: paid.response.body, headers: { 'X-Payment-Response': 'eyJ' } });
  });

  test("a payer gets the receipt regardless of the step's outcome: the app failed, refused, or another request continued", async () => {
    const session = await start();
    const receipt = { success: true, transaction: '0xabc', network: 'eip155:8453' } as const;
    const headers = { 'X-Payment-Response': 'eyJ' };
    const paying = gateOf(async () => ({ ok: true, receipt, headers }));
    uses.answer = () => ({ ok: false, detail: 'The Flow App answered 500.', retryable: true });
    const reported = { members: { paymentReceipt: receipt }, headers };
    expect(await submit({ ...uses.process(), payments: paying }, session)).toMatchObject({
      reason: 'bad-gateway',
      ...reported,
    });
    uses.answer = () => ({ step: countStep(0), errors: [{ message: 'No.' }] });
    const wrong = await submit({ ...uses.process(), payments: paying }, session);
    expect(wrong).toMatchObject({ reason: 'bad-request', ...reported, members: { errors: [{ message: 'No.' }] } });
    uses.answer = counter;
    const overtaken = gateOf(async ({ takenOver }) => {
      await uses.advance(uses.leaseMs);
      expect(await cancelSession(uses.process(), 'alice', session.sessionId)).toEqual({ ok: true });
      expect(await takenOver()).toMatchObject({ reason: 'conflict', retryable: true });
      return { ok: true, receipt, headers };
    });
    const lost = await submit({ ...uses.process(), payments: overtaken }, session);
    expect(lost).toMatchObject({ reason: 'conflict', retryable: true, ...reported });
    // The app received only the submission that it refused.
    expect([...uses.effects.values()].map(({ asked }) => asked)).toEqual([1]);
  });

  test('a retry for a session that ended between settlement and response returns the receipt, without a charge', async () => {
    const receipt = { success: true, transaction: '0xabc', network: 'eip155:8453' } as const;
    const headers = { 'X-Payment-Response': 'eyJ' };
    const address = `0x${'12'.repeat(20)}`;
    const asks = { scheme: 'exact', network: 'eip155:8453', asset: address, amount: '1', payTo: address };
    const payment = { accepts: [{ ...asks, maxTimeoutSeconds: 60, extra: { name: 'Coin', version: '1' } }] };
    uses.answer = () => ({ step: { ...countStep(0), payment } });
    const [session, other] = [await start(), await start()];
    const asked: unknown[] = [];
    const payments: PaymentGate = {
      pay: () => Promise.reject(new Error('nothing is to be paid for')),
      async findReceipt(step) {
        asked.push(step);
        return step.sessionId === session.sessionId ? { ok: true, receipt, headers } : undefined;
      },
    };
    for (const each of [session, other]) {
      const dying = uses.process(faultIn('app.render', 'crash-before'));
      expect(
        await outcomeOf(submit({ ...dying, payments: gateOf(async () => ({ ok: true, receipt, headers })) }, each)),
      ).toBe('crashed');
      await uses.advance(uses.leaseMs);
      expect(await cancelSession(uses.process(), 'alice', each.sessionId)).toEqual({ ok: true });
    }
    const over = { ok: false, reason: 'conflict', detail: 'The session is cancelled.' } as const;
    expect(await submit({ ...uses.process(), payments }, session)).toEqual({
      ...over,
      members: { paymentReceipt: receipt },
      headers,
    });
    expect(await submit({ ...uses.process(), payments }, other)).toEqual(over);
    expect(asked).toEqual([session, other].map(({ sessionId }) => ({ sessionId, stateVersion: 1, stepId: 'count' })));
    // The payment gate is not called for another step.
    expect(await submit({ ...uses.process(), payments }, session, { body: { stateVersion: 2 } })).toMatchObject(over);
    expect(asked).toHaveLength(2);
  });

  test('a response that shows a submitted secret is refused, and changes nothing (contract/sessions#submission)', async () => {
    const fields = [{ fieldId: 'pin', type: 'secret', label: 'Pin' }] as const;
    uses.answer = ({ submission }) => {
      const step = { ...countStep(0), fields };
      const said = submission?.fieldValues['say'] ?? submission?.fieldValues['pin'];
      return submission === undefined ? { step } : { step: { ...step, title: `You said ${said}` } };
    };
    const session = await start();
    const refused = await submit(uses.process(), session, { body: { fieldValues: { pin: 'open sesame' } } });
    expect(refused).toEqual({
      ok: false,
      reason: 'bad-gateway',
      detail: 'content-filter rule secret-echo rejected text at /step/title',
      retryable: false,
    });
    expect(JSON.stringify(await findSession(uses.process(), callerNamed('alice'), session.sessionId))).not.toContain(
      'sesame',
    );
  });

  test('a secret that another session submits while the app answers is refused in that response, a refusal included (contract/flow-apps#secrets)', async () => {
    const pin = { fieldId: 'pin', type: 'secret', label: 'Pin' } as const;
    const step = { ...countStep(0), fields: [pin] };
    uses.answer = () => ({ step });
    const [slow, quick] = [await start(), await start()];
    const shown = [
      { step: { ...step, title: 'You said open sesame' } },
      { step, errors: [{ message: 'open sesame' }] },
      { step, events: [{ type: Buffer.from('open sesame').toString('hex'), data: {} }] },
    ];
    const logged: string[] = [];
    for (const [at, answer] of shown.entries()) {
      const reported = await submit(uses.process(), quick, {
        key: `sent ${at}`,
        body: { fieldValues: { pin: 'open sesame' }, stateVersion: at + 1 },
      });
      expect(reported.ok).toBe(true);
      const parts = uses.process();
      // Behaves as if the secret had been submitted after the lease was acquired: then there was none.
      const early: SessionDeps = {
        ...parts,
        log: { ...parts.log, warn: (event) => void logged.push(event) },
        store: {
          ...uses.store,
          async acquire(...call) {
            const attempt = await uses.store.acquire(...call);
            if (attempt.kind !== 'acquired' || attempt.userAndApp === undefined) throw new Error('not acquired');
            return { ...attempt, userAndApp: { ...attempt.userAndApp, hasSecretMarks: false } };
          },
        },
      };
      uses.answer = () => answer;
      expect(await submit(early, slow, { key: `slow ${at}`, body: { fieldValues: {} } })).toMatchObject({
        reason: 'bad-gateway',
        detail: expect.stringContaining('content-filter rule secret-echo'),
      });
      uses.answer = () => ({ step });
    }
    expect(await uses.events(slow.sessionId)).toEqual(['1 session_created']);
    // The types of undeclared events are texts of the app, so they are not logged.
    expect(logged).toEqual([]);
    expect(await outcomeOf(submit(uses.process(), slow, { body: { fieldValues: {} } }))).toBe('done');
  });

  test('a submission reads or writes the storage three times, and twice more to search for secrets (docs/decisions/0070)', async () => {
    const pin = { fieldId: 'pin', type: 'secret', label: 'Pin' } as const;
    uses.answer = () => ({ step: { ...countStep(0), fields: [pin] } });
    const session = await start();
    const callsOf = async (key: string, stateVersion: number, fieldValues: object) => {
      const calls: string[] = [];
      const plan: FaultPlan = (name) => {
        calls.push(name);
        return undefined;
      };
      expect(await outcomeOf(submit(uses.process(plan), session, { key, body: { fieldValues, stateVersion } }))).toBe(
        'done',
      );
      return calls;
    };
    const min = ['store.findForSubmission', 'store.acquire', 'app.render', 'store.commit'];
    expect(await callsOf('a', 1, {})).toEqual(min);
    expect(await callsOf('b', 2, { pin: 'open sesame' })).toEqual(
      min.toSpliced(2, 0, 'secrets.find', 'secrets.remember').toSpliced(5, 0, 'secrets.find'),
    );
    expect(await callsOf('c', 3, {})).toEqual(min.toSpliced(3, 0, 'secrets.find'));
  });

  test('a version with build metadata, and app data too large to be read with the lease, are found as well', async () => {
    const [app, version] = await Promise.all([
      uses.registry.findApp(usesAppId),
      uses.registry.findVersion(usesAppId, '1.0.0'),
    ]);
    if (app === undefined || version === undefined) throw new Error('the counter is absent');
    await uses.registry.insertVersion({ ...version, version: '2.0.0+build.7' });
    const session = await start();
    expect(session.version).toBe('2.0.0+build.7');
    uses.answer = (request) => ({ ...counter(request), appData: { set: { large: 'x'.repeat(20_000) } } });
    const first = await submitted(submit(uses.process(), session));
    let length = 0;
    uses.answer = (request) => {
      length = String(request.appData['large']).length;
      return counter(request);
    };
    await submitted(submit(uses.process(), first.session, { key: 'second' }));
    expect(length).toBe(20_000);
  });

  test("an app's data about a user has a limit, and a response that exceeds it is refused", async () => {
    uses.answer = (request) => ({
      ...counter(request),
      appData: { set: { [`n${request.session.stateVersion}`]: 'x'.repeat(400_000) } },
    });
    let session = await start();
    session = (await submitted(submit(uses.process(), session, { key: '1' }))).session;
    expect(await submit(uses.process(), session, { key: '2' })).toMatchObject({
      reason: 'bad-gateway',
      retryable: false,
    });
    uses.answer = (request) => ({ ...counter(request), appData: { set: { n2: 'x'.repeat(400_000) }, delete: ['n1'] } });
    expect(await outcomeOf(submit(uses.process(), session, { key: '2' }))).toBe('done');
  });

  test('a session whose time is over expires when it is read, submitted to or canceled, and in rounds', async () => {
    const sessions = [await start(), await start(), await start(), await start()] as const;
    // Creation times within one millisecond are spread over the following ones.
    await uses.advance(uses.sessionTtlMs + 1_000);
    const [looked, tried, cancelled, swept] = sessions;
    expect(await findSession(uses.process(), callerNamed('alice'), looked.sessionId)).toMatchObject({
      value: { status: 'expired', stateVersion: 2, currentStep: { stepId: 'count' } },
    });
    expect(await submit(uses.process(), tried)).toMatchObject({
      reason: 'conflict',
      detail: 'The session is expired.',
    });
    expect(await cancelSession(uses.process(), 'alice', cancelled.sessionId)).toMatchObject({ reason: 'conflict' });
    expect(await expireDueSessions(uses.process(), new AbortController().signal)).toBe(1);
    for (const { sessionId } of sessions)
      expect(await uses.events(sessionId)).toEqual(['1 session_created', '2 session_expired']);
    expect(await expireDueSessions(uses.process(), new AbortController().signal)).toBe(0);
    expect((await uses.store.find('alice', swept.sessionId))?.session.status).toBe('expired');
    expect(uses.effects.size).toBe(0);
  });

  test('each transition extends the session by its full time', async () => {
    const session = await start();
    await uses.advance(uses.sessionTtlMs - 1);
    const { session: next } = await submitted(submit(uses.process(), session));
    await uses.advance(uses.sessionTtlMs - 1);
    expect(await outcomeOf(submit(uses.process(), next, { key: 'second' }))).toBe('done');
  });

  test('a session that cannot be ended because of a bug does not block the expiry of others; an unavailable storage ends the round', async () => {
    const [broken] = [await start(), await start(), await start()];
    await uses.advance(uses.sessionTtlMs + 1_000);
    const failing = (error: Error): SessionDeps => {
      const acquire: SessionDeps['store']['acquire'] = async (sessionId, ...more) => {
        if (sessionId === broken.sessionId) throw error;
        return uses.store.acquire(sessionId, ...more);
      };
      return { ...uses.process(), store: { ...uses.store, acquire } };
    };
    const { signal } = new AbortController();
    const unavailable = new Unavailable('database', 'unavailable');
    const [ended] = await Promise.allSettled([expireDueSessions(failing(unavailable), signal)]);
    expect(ended).toMatchObject({ status: 'rejected', reason: unavailable });
    expect(await expireDueSessions(failing(new Error('a bug')), signal)).toBe(2);
    expect(await expireDueSessions(uses.process(), signal)).toBe(1);
  });

  test('no session expires or is cancelled under a running submission', async () => {
    const session = await start();
    const outcome = await outcomeOf(
      submit(
        {
          ...uses.process(),
          payments: gateOf(async () => {
            await uses.advance(1);
            expect(await cancelSession(uses.process(), 'alice', session.sessionId)).toMatchObject({ retryable: true });
            expect(
              await expireDueSessions(
                { ...uses.process(), clock: { ...uses.clock, now: () => Number.MAX_SAFE_INTEGER } },
                new AbortController().signal,
              ),
            ).toBe(0);
            return { ok: true, headers: {} };
          }),
        },
        session,
      ),
    );
    expect(outcome).toBe('done');
  });

  test(`over ${crashPoints} random crash points no effect is lost or duplicated, and each submission is one transition`, async () => {
    const faults: readonly Fault[] = [
      'crash-before',
      'crash-after',
      'crash-before',
      'crash-after',
      'unavailable-before',
      'unavailable-after',
    ];
    const random = (below: number) => (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) % below;
    const tally = { crashed: 0, unavailable: 0, lost: 0, doubled: 0, transitions: 0 };
    let points = 0;
    while (points < crashPoints) {
      const session = await start();
      const before = uses.effects.size;
      let outcome = '';
      while (outcome !== 'done' && outcome !== 'replayed') {
        const plan =
          points < crashPoints ? faultAt(random(9), faults[random(faults.length)] ?? 'crash-before') : undefined;
        outcome = await outcomeOf(submit(uses.process(plan), session, { body: { fieldValues: { amount: 7 } } }));
        if (plan !== undefined) points += 1;
        if (outcome === 'crashed') tally.crashed += 1;
        if (outcome === 'unavailable') tally.unavailable += 1;
        if (random(2) === 0 || outcome === 'retryable') await uses.advance(uses.leaseMs);
      }
      const effects = uses.effects.size - before;
      if (effects < 1) tally.lost += 1;
      if (effects > 1) tally.doubled += 1;
      const events = await uses.events(session.sessionId);
      if (events.length === 3) tally.transitions += 1;
      expect(events).toEqual(['1 session_created', '2 step_submitted', '3 counted']);
      expect((await uses.store.find('alice', session.sessionId))?.session).toMatchObject({
        stateVersion: 2,
        state: { count: 7 },
      });
    }
    const total = (await uses.store.appData('alice', usesAppId)).members;
    expect(total).toEqual({ total: tally.transitions * 7 });
    expect(tally).toMatchObject({ lost: 0, doubled: 0 });
    expect(tally.crashed).toBeGreaterThan(0);
    if (crashPoints >= 1_000) console.log(`${points} fault points`, tally);
  }, 600_000);
});
