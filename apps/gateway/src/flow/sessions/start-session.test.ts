import { afterEach, beforeEach, expect, test } from 'bun:test';
import { counter } from '../../../test/fixtures/flow-app.ts';
import {
  type Fault,
  type FaultPlan,
  type FlowUses,
  noFaults,
  openFlowUses,
  outcomeOf,
  usesAppId,
} from '../../../test/fixtures/flow-uses.ts';
import { callerNamed } from '../../../test/fixtures/no-policies.ts';
import { onEveryEngine } from '../../../test/fixtures/sql-engines.ts';
import type { RenderRequest } from '../apps/render-request-wire.ts';
import type { SessionDeps } from './session-deps.ts';
import type { Session } from './session-wire.ts';
import { type Started, startSession } from './start-session.ts';

let uses: FlowUses;

const start = (deps: SessionDeps, key: string | null = 'key', body: unknown = { appId: usesAppId }, userId = 'alice') =>
  startSession(deps, {
    caller: callerNamed(userId),
    body,
    header: (name) => (name === 'Idempotency-Key' ? key : null),
    requestId: 'req',
  });

async function started(pending: ReturnType<typeof start>): Promise<Started & { readonly session: Session }> {
  const answer = await pending;
  if (!answer.ok) throw new Error(`${answer.reason}: ${answer.detail}`);
  return { ...answer, session: JSON.parse(answer.response.body) };
}

async function count(userId = 'alice'): Promise<number> {
  return (await uses.store.list(userId, {}, { limit: 100 })).records.length;
}

onEveryEngine((_, open) => {
  beforeEach(async () => {
    uses = await openFlowUses(await open());
  });
  afterEach(() => uses.close());

  test("a key with a session returns the first response byte for byte, regardless of the body and of the session's progress (contract/sessions#life-cycle)", async () => {
    const first = await started(start(uses.process()));
    expect(first).toMatchObject({
      isReplay: false,
      response: { headers: { Location: `/flow/sessions/${first.session.sessionId}` } },
    });
    for (const body of [{ appId: usesAppId }, { appId: 'acme/absent', launchContext: { other: 1 } }])
      expect(await started(start(uses.process(), 'key', body))).toMatchObject({
        isReplay: true,
        response: first.response,
      });
    expect(await count()).toBe(1);
    expect(uses.effects.size).toBe(1);
    // The same key of another user starts another session, and so does every start without a key.
    expect((await started(start(uses.process(), 'key', undefined, 'bob'))).isReplay).toBe(false);
    for (let time = 0; time < 2; time++) expect((await started(start(uses.process(), null))).isReplay).toBe(false);
    expect(await count()).toBe(3);
  });

  test('an invalid key and an invalid body are refused at once', async () => {
    for (const key of ['', 'x'.repeat(257), 'one, two', 'café'])
      expect(await start(uses.process(), key, {})).toMatchObject({
        reason: 'bad-request',
        members: {
          errors: [{ message: expect.stringContaining('Idempotency-Key') }, { message: 'appId is required' }],
        },
      });
    expect(await count()).toBe(0);
  });

  test('a hundred concurrent copies on three gateways start one session and call the app once; each gets its response or a retryable conflict', async () => {
    const parts = [uses.process(), uses.process(), uses.process()] as const;
    const answers = await Promise.all(Array.from({ length: 100 }, (_, at) => start(parts[at % 3] ?? parts[0])));
    const bodies = new Set<string>();
    for (const answer of answers)
      if (answer.ok) bodies.add(answer.response.body);
      else expect(answer).toMatchObject({ reason: 'conflict', retryable: true });
    expect(bodies.size).toBe(1);
    expect(answers.filter((answer) => answer.ok && !answer.isReplay)).toHaveLength(1);
    expect([...uses.effects.values()].map(({ asked }) => asked)).toEqual([1]);
    expect(await count()).toBe(1);
    const again = await Promise.all(Array.from({ length: 100 }, (_, at) => started(start(parts[at % 3] ?? parts[0]))));
    expect(new Set(again.map(({ response }) => response.body))).toEqual(bodies);
  });

  test('after a crash or an unavailable storage at any call, the retry ends in one session, with one derived key for the app', async () => {
    const faults: readonly Fault[] = ['crash-before', 'crash-after', 'unavailable-before', 'unavailable-after'];
    const seen = new Set<string>();
    for (const fault of faults)
      for (let point = 0; ; point++) {
        const key = `${fault} ${point}`;
        const before = await count();
        let isReached = false;
        const plan: FaultPlan = (_, at) => {
          if (at !== point) return undefined;
          isReached = true;
          return fault;
        };
        const keys = new Set<string | undefined>();
        uses.answer = (request: RenderRequest) => {
          keys.add(request.idempotencyKey);
          return counter(request);
        };
        seen.add(await outcomeOf(start(uses.process(plan), key)));
        if (!isReached) break;
        // A crashed holder retains the key until its lease expires; then any process can continue.
        await uses.advance(uses.leaseMs);
        const retried = await started(start(uses.process(noFaults), key));
        expect([key, await count(), [...keys].length <= 1]).toEqual([key, before + 1, true]);
        expect(await uses.events(retried.session.sessionId)).toEqual(['1 session_created']);
        expect(await started(start(uses.process(), key))).toMatchObject({ isReplay: true, response: retried.response });
      }
    expect(seen).toEqual(new Set(['crashed', 'unavailable', 'retryable', 'done']));
  });

  test('a gateway that was suspended while another took over its key starts no second session, and returns the first one', async () => {
    const late = uses.process();
    let overtaking: Promise<Started> | undefined;
    const insert: SessionDeps['store']['insert'] = async (...call) => {
      if (overtaking === undefined) {
        await uses.advance(uses.leaseMs);
        overtaking = started(start(uses.process()));
        await overtaking;
      }
      return uses.store.insert(...call);
    };
    const answer = await started(start({ ...late, store: { ...uses.store, insert } }));
    expect(answer).toMatchObject({ isReplay: true, response: (await overtaking)?.response });
    expect(await count()).toBe(1);
  });

  test('a refused start does not retain its key: the same start can run afterwards', async () => {
    uses.answer = () => ({ ok: false, detail: 'unavailable', retryable: true });
    expect(await outcomeOf(start(uses.process()))).toBe('retryable');
    uses.answer = counter;
    expect(await outcomeOf(start(uses.process(), 'key', { appId: usesAppId, version: '9.9.9' }))).toBe('not-found');
    expect(await outcomeOf(start(uses.process()))).toBe('done');
    expect(await count()).toBe(1);
  });
});
