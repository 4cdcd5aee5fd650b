/**
 * Random histories of one session, compared with a small model: submissions, retries, concurrent duplicates, faults between any two calls, the passage of time, and cancellation
 * (contract/sessions#life-cycle).
 */

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { Unavailable } from '@flowgate/base/unavailable';
import { testRounds } from '@flowgate/testing/test-rounds';
import fc from 'fast-check';
import { counter } from '../../../test/fixtures/flow-app.ts';
import { Crash, type Fault, type FlowUses, openFlowUses, startedSession } from '../../../test/fixtures/flow-uses.ts';
import { callerNamed } from '../../../test/fixtures/no-policies.ts';
import { onEveryEngine } from '../../../test/fixtures/sql-engines.ts';
import { expireDueSessions } from './expire-sessions.ts';
import { findSession } from './find-session.ts';
import { derivedKey } from './render-request.ts';
import { cancelSession } from './session-routes.ts';
import { submitStep } from './submit-step.ts';

type Mood = 'well' | 'failing' | 'objecting';

type Command =
  | { readonly kind: 'submit'; readonly amount: number; readonly mood: Mood; readonly finish: boolean }
  | { readonly kind: 'stale'; readonly by: number }
  | { readonly kind: 'retry'; readonly which: number; readonly amount: number }
  | { readonly kind: 'at once'; readonly copies: number; readonly amount: number; readonly key: 'one' | 'many' }
  | { readonly kind: 'fault'; readonly at: number; readonly fault: Fault; readonly amount: number }
  | { readonly kind: 'cancel'; readonly at: number | undefined; readonly fault: Fault }
  | { readonly kind: 'advance'; readonly ms: number }
  | { readonly kind: 'sweep' };

const amount = fc.integer({ min: 0, max: 9 });
const fault = fc.constantFrom<Fault>('crash-before', 'crash-after', 'unavailable-before', 'unavailable-after');
const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('submit' as const),
      amount,
      mood: fc.constantFrom<Mood>('well', 'well', 'failing', 'objecting'),
      finish: fc.nat(9).map((one) => one === 0),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('stale' as const), by: fc.constantFrom(-1, 1, 5) }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('retry' as const), which: fc.nat(9), amount }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('at once' as const),
      copies: fc.integer({ min: 2, max: 6 }),
      amount,
      key: fc.constantFrom('one' as const, 'many' as const),
    }),
  },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('fault' as const), at: fc.nat(8), fault, amount }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('cancel' as const), at: fc.option(fc.nat(4), { nil: undefined }), fault }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('advance' as const),
      ms: fc.constantFrom(1_000, 15_000, 16_000, 3_601_000),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('sweep' as const) }) },
);

type Outcome = { readonly kind: 'done' | 'replayed' | 'conflict' | 'busy' | 'failed' | 'died'; readonly body?: string };

let uses: FlowUses;

/** The expected state of a session, written for readability and not for speed. */
class Model {
  status = 'active';
  stateVersion = 1;
  count = 0;
  /** Events after the first one. */
  events: string[] = [];
  readonly responses = new Map<string, string>();
  expiresAtMs: number;
  /** When the lease of a crashed process expires at the latest. */
  leasedUntilMs = 0;
  constructor(expiresAtMs: number) {
    this.expiresAtMs = expiresAtMs;
  }
  /** Every read of a session expires it when its time is over. */
  expireIfDue(nowMs: number) {
    if (this.status !== 'active' || nowMs < this.expiresAtMs) return;
    this.end('expired');
  }
  end(status: string) {
    this.status = status;
    this.stateVersion += 1;
    this.events.push(`session_${status}`);
  }
  commit(key: string, body: string, by: number, finish: boolean, nowMs: number) {
    this.responses.set(key, body);
    this.stateVersion += 1;
    this.events.push('step_submitted', ...(finish ? ['session_completed'] : ['counted']));
    if (finish) this.status = 'completed';
    else {
      this.count += by;
      this.expiresAtMs = nowMs + uses.sessionTtlMs;
    }
  }
}

onEveryEngine((_, open) => {
  beforeAll(async () => {
    uses = await openFlowUses(await open());
  });
  afterAll(() => uses.close());

  test('a session agrees with its model over random histories, and no effect is lost or duplicated', async () => {
    await fc.assert(fc.asyncProperty(fc.array(command, { minLength: 10, maxLength: 30 }), agreesWithModel), {
      numRuns: testRounds({ short: 8, long: 25, variable: 'FLOW_MODEL_RUNS' }),
    });
  });
});

async function agreesWithModel(history: readonly Command[]): Promise<void> {
  uses.answer = counter;
  const { sessionId } = await startedSession(uses.process());
  const created = await uses.store.find('alice', sessionId);
  const model = new Model(created?.session.expiresAtMs ?? 0);
  const keys: string[] = [];
  const newKey = () => {
    keys.push(`key ${keys.length}`);
    return keys.at(-1) ?? '';
  };

  const submit = async (
    key: string,
    by: number,
    more: { finish?: boolean; stateVersion?: number; at?: number | undefined; fault?: Fault } = {},
  ): Promise<Outcome> => {
    const { finish = false, stateVersion = model.stateVersion, at, fault: kind } = more;
    try {
      const answer = await submitStep(
        uses.process((_, call) => (call === at ? kind : undefined)),
        {
          caller: callerNamed('alice'),
          sessionId,
          stepId: 'count',
          body: { actionId: finish ? 'finish' : 'add', fieldValues: finish ? {} : { amount: by }, stateVersion },
          header: (name) => (name === 'Idempotency-Key' ? key : null),
          requestId: 'req',
        },
      );
      if (answer.ok) return { kind: answer.isReplay ? 'replayed' : 'done', body: answer.response.body };
      if (answer.reason !== 'conflict') return { kind: 'failed' };
      return { kind: answer.retryable === true ? 'busy' : 'conflict' };
    } catch (error) {
      if (error instanceof Crash || error instanceof Unavailable) return { kind: 'died' };
      throw error;
    }
  };

  /** The outcome that the model predicts for a submission without faults. */
  const expected = (key: string, stateVersion: number, mood: Mood): Outcome => {
    const body = model.responses.get(key);
    if (body !== undefined) return { kind: 'replayed', body };
    if (model.leasedUntilMs > uses.clock.now()) return { kind: 'busy' };
    if (model.status !== 'active' || model.stateVersion !== stateVersion) return { kind: 'conflict' };
    return { kind: mood === 'well' ? 'done' : 'failed' };
  };

  const submitAndCompare = async (
    key: string,
    by: number,
    mood: Mood,
    finish: boolean,
    stateVersion = model.stateVersion,
  ) => {
    if (model.leasedUntilMs <= uses.clock.now()) model.expireIfDue(uses.clock.now());
    const wanted = expected(key, stateVersion, mood);
    uses.answer = (request) => {
      if (mood === 'failing') return { ok: false, detail: 'The Flow App answered 500.', retryable: true };
      return mood === 'objecting' ? { ...counter(request), errors: [{ message: 'no' }] } : counter(request);
    };
    const outcome = await submit(key, by, { finish, stateVersion });
    uses.answer = counter;
    expect(outcome).toMatchObject(wanted);
    if (outcome.kind === 'done') model.commit(key, outcome.body ?? '', by, finish, uses.clock.now());
  };

  /** After a process crashed, the model does not know whether its last operation was executed. It was executed completely or not at all; this finds out which. */
  const learn = async (key: string | undefined, by: number) => {
    const seen = await uses.store.find('alice', sessionId, key);
    if (seen === undefined) throw new Error('the session is gone');
    const { session, response, isLeased } = seen;
    if (session.stateVersion === model.stateVersion + 1) {
      if (session.status === 'expired' || session.status === 'cancelled') model.end(session.status);
      else model.commit(key ?? '', response?.body ?? 'no response was stored', by, false, session.updatedAtMs);
    }
    if (isLeased && model.leasedUntilMs <= uses.clock.now()) model.leasedUntilMs = uses.clock.now() + uses.leaseMs;
  };

  for (const step of history) {
    const isRunning = model.leasedUntilMs > uses.clock.now();
    if (step.kind === 'submit') await submitAndCompare(newKey(), step.amount, step.mood, step.finish);
    else if (step.kind === 'stale')
      await submitAndCompare(newKey(), 1, 'well', false, Math.max(1, model.stateVersion + step.by));
    else if (step.kind === 'retry') {
      const key = keys[step.which % Math.max(1, keys.length)];
      if (key !== undefined) await submitAndCompare(key, step.amount, 'well', false);
    } else if (step.kind === 'at once') {
      if (!isRunning) model.expireIfDue(uses.clock.now());
      const one = newKey();
      const all = Array.from({ length: step.copies }, () => (step.key === 'one' ? one : newKey()));
      const outcomes = await Promise.all(all.map((key) => submit(key, step.amount)));
      const done = outcomes.flatMap(({ kind, body }, at) =>
        kind === 'done' ? [{ key: all[at] ?? '', body: body ?? '' }] : [],
      );
      expect(done).toHaveLength(isRunning || model.status !== 'active' ? 0 : 1);
      for (const { kind, body } of outcomes)
        if (kind === 'replayed') expect({ key: step.key, body }).toEqual({ key: 'one', body: done[0]?.body });
        else expect(['done', 'busy', 'conflict']).toContain(kind);
      for (const { key, body } of done) model.commit(key, body, step.amount, false, uses.clock.now());
    } else if (step.kind === 'fault') {
      const key = newKey();
      if (!isRunning) model.expireIfDue(uses.clock.now());
      const wanted = expected(key, model.stateVersion, 'well');
      const outcome = await submit(key, step.amount, { at: step.at, fault: step.fault });
      // The fault may come after the last call; an app that does not answer counts as a failure.
      if (outcome.kind === 'done') model.commit(key, outcome.body ?? '', step.amount, false, uses.clock.now());
      else if (outcome.kind === 'died') await learn(key, step.amount);
      else if (outcome.kind !== 'failed') expect(outcome).toMatchObject(wanted);
    } else if (step.kind === 'cancel') {
      if (!isRunning) model.expireIfDue(uses.clock.now());
      try {
        const answer = await cancelSession(
          uses.process((_, call) => (call === step.at ? step.fault : undefined)),
          'alice',
          sessionId,
        );
        expect(answer.ok).toBe(model.status === 'cancelled' || (model.status === 'active' && !isRunning));
        if (answer.ok && model.status === 'active') model.end('cancelled');
      } catch (error) {
        if (!(error instanceof Crash || error instanceof Unavailable)) throw error;
        await learn(undefined, 0);
      }
    } else if (step.kind === 'advance') await uses.advance(step.ms);
    else {
      await expireDueSessions(uses.process(), new AbortController().signal);
      if (!isRunning) model.expireIfDue(uses.clock.now());
    }
    await compare(sessionId, model);
  }
  everyEffectOnce(sessionId, model, keys);
}

async function compare(sessionId: string, model: Model): Promise<void> {
  const isRunning = model.leasedUntilMs > uses.clock.now();
  if (!isRunning) model.expireIfDue(uses.clock.now());
  const found = await findSession(uses.process(), callerNamed('alice'), sessionId);
  expect(found).toMatchObject({ value: { status: model.status, stateVersion: model.stateVersion } });
  const stored = await uses.store.find('alice', sessionId);
  expect(stored?.session.state).toEqual(model.status === 'active' ? { count: model.count } : {});
  expect(await uses.events(sessionId)).toEqual(
    ['session_created', ...model.events].map((type, at) => `${at + 1} ${type}`),
  );
}

/** The app acted for every committed submission, and for no other. Each submission has one derived key, regardless of how often the app was called. */
function everyEffectOnce(sessionId: string, model: Model, keys: readonly string[]): void {
  const submitted = new Set(keys.map((key) => derivedKey(sessionId, key)));
  const acted = [...uses.effects].filter(([, { request }]) => request.session.sessionId === sessionId);
  expect(acted.filter(([key]) => !submitted.has(key))).toEqual([]);
  expect([...model.responses.keys()].filter((key) => !uses.effects.has(derivedKey(sessionId, key)))).toEqual([]);
}
