/**
 * kill -9 of the gateway before, during and after the call to the app: a retry with the same key results in one effect
 * and one transition (contract/sessions#idempotency; contract/flow-apps).
 */

import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test';
import type { RenderRequest, Session } from '@flowgate/client/flow-wire';
import { until } from '@flowgate/testing/until';
import { jsonBody } from '../../apps/gateway/test/fixtures/answers.ts';
import { counter, type FlowAppFixture } from '../../apps/gateway/test/fixtures/flow-app.ts';
import { flowClient } from '../../apps/gateway/test/fixtures/flow-client.ts';
import { type FlowGateway, startFlowGateway } from '../../apps/gateway/test/fixtures/flow-gateway.ts';
import type { RunningGateway } from '../../apps/gateway/test/fixtures/running-gateway.ts';

// These tests start and end whole processes, so the timeout is long; it is no expectation.
const guardMs = 120_000;

let gateway: RunningGateway;
let app: FlowAppFixture;
let stop: FlowGateway['stop'];

beforeAll(async () => {
  ({ gateway, app, stop } = await startFlowGateway({
    // Short, so that the lease of a killed gateway expires soon.
    flow: { leaseSeconds: 1, renderTimeoutSeconds: 30 },
  }));
}, guardMs);
afterAll(() => stop());
beforeEach(() => app.script(counter));

const submit = ({ sessionId, stateVersion }: Session, key: string) =>
  flowClient(gateway).post(
    `/flow/sessions/${sessionId}/steps/count`,
    { actionId: 'add', fieldValues: { amount: 7 }, stateVersion },
    { 'Idempotency-Key': key },
  );

/** Retries with the same key while the response permits it, as clients do. */
async function retried(session: Session, key: string): Promise<Response> {
  let last: Response | undefined;
  await until(
    'the submission goes through',
    async () => {
      last = await submit(session, key);
      if (last.status === 200) return true;
      const { retryable } = await jsonBody(last);
      expect([last.status, retryable]).toEqual([last.status, true]);
      return false;
    },
    60_000,
  );
  if (last === undefined) throw new Error('nothing was answered');
  return last;
}

/** The app's requests for a submission in this session. */
const asked = ({ sessionId }: Session): RenderRequest[] =>
  app.requests.filter(({ session, submission }) => session.sessionId === sessionId && submission !== undefined);

/** One derived key, one transition, one set of events, and the stored response. */
async function expectOnce(session: Session, key: string, answer: Response): Promise<void> {
  const text = await answer.text();
  expect(new Set(asked(session).map(({ submission }) => submission?.idempotencyKey)).size).toBe(1);
  const after = (await jsonBody(
    await flowClient(gateway).get(`/flow/sessions/${session.sessionId}`),
  )) as Partial<Session>;
  expect(after).toMatchObject({ stateVersion: 2, status: 'active', currentStep: { description: 'Counted to 7' } });
  const { data } = await jsonBody(await flowClient(gateway).get(`/flow/sessions/${session.sessionId}/events`));
  expect((data as { sequence: number; type: string }[]).map(({ sequence, type }) => `${sequence} ${type}`)).toEqual([
    '1 session_created',
    '2 step_submitted',
    '3 counted',
  ]);
  const again = await submit(session, key);
  expect([again.headers.get('idempotency-replayed'), await again.text()]).toEqual(['true', text]);
}

test(
  'killed during the app call: the retry waits for the lease, calls the app with the same derived key, and commits once',
  async () => {
    const session = await flowClient(gateway).start();
    const gate = Promise.withResolvers<void>();
    let isFirst = true;
    app.script(async (request) => {
      if (isFirst) {
        isFirst = false;
        await gate.promise;
      }
      return counter(request);
    });
    const arriving = app.nextArrival();
    const lost = submit(session, 'during');
    await arriving;
    await Promise.all([gateway.restart(), expect(lost).rejects.toThrow()]);
    gate.resolve();
    const answer = await retried(session, 'during');
    expect(answer.headers.has('idempotency-replayed')).toBe(false);
    expect(asked(session)).toHaveLength(2);
    expect(app.effects.size).toBeGreaterThan(0);
    await expectOnce(session, 'during', answer);
  },
  guardMs,
);

test(
  'killed while the response was in flight to the caller: the retry is a replay, and the app is not called again',
  async () => {
    const session = await flowClient(gateway).start();
    const first = await submit(session, 'after');
    // The caller never received the response.
    await first.body?.cancel();
    await gateway.restart();
    const answer = await retried(session, 'after');
    expect(answer.headers.get('idempotency-replayed')).toBe('true');
    expect(asked(session)).toHaveLength(1);
    await expectOnce(session, 'after', answer);
  },
  guardMs,
);

test(
  'killed at any time from before the app call to after the commit: always one effect and one transition',
  async () => {
    const total = async () =>
      Number((await jsonBody(await flowClient(gateway).get('/flow/queries/acme/counter/total')))['data']);
    const before = await total();
    const rounds = 8;
    for (let round = 0; round < rounds; round++) {
      const session = await flowClient(gateway).start();
      const pending = submit(session, `round ${round}`).catch(() => undefined);
      // Real time: it is killed at various moments of the submission.
      await Bun.sleep(round * 2);
      await Promise.all([pending, gateway.restart()]);
      await expectOnce(session, `round ${round}`, await retried(session, `round ${round}`));
    }
    expect(await total()).toBe(before + rounds * 7);
  },
  guardMs,
);

test(
  'killed at any time during a start: the retry results in one session (contract/flow-apps)',
  async () => {
    const alice = flowClient(gateway, 'starter');
    const start = (key: string) => alice.post('/flow/sessions', { appId: 'acme/counter' }, { 'Idempotency-Key': key });
    const gate = Promise.withResolvers<void>();
    app.script(async (request) => {
      await gate.promise;
      return counter(request);
    });
    const arriving = app.nextArrival();
    const lost = start('lost').catch(() => undefined);
    const first = await arriving;
    await Promise.all([lost, gateway.restart()]);
    gate.resolve();
    app.script(counter);
    const sessions: string[] = [];
    const retriedStart = async (key: string) => {
      let body = '';
      await until(
        'the start goes through',
        async () => {
          const answer = await start(key);
          body = await answer.text();
          return answer.status === 201;
        },
        60_000,
      );
      const { sessionId } = JSON.parse(body) as Session;
      sessions.push(sessionId);
      const again = await start(key);
      expect([again.headers.get('idempotency-replayed'), await again.text()]).toEqual(['true', body]);
    };
    await retriedStart('lost');
    const keys = app.requests.filter(({ idempotencyKey }) => idempotencyKey === first.idempotencyKey);
    expect([first.idempotencyKey === undefined, keys.length]).toEqual([false, 2]);
    for (let round = 0; round < 5; round++) {
      const pending = start(`round ${round}`).catch(() => undefined);
      // Real time: the moments at which it is killed.
      await Bun.sleep(round * 3);
      await Promise.all([pending, gateway.restart()]);
      await retriedStart(`round ${round}`);
    }
    const { data } = await jsonBody(await alice.get('/flow/sessions?limit=100'));
    expect((data as Session[]).map(({ sessionId }) => sessionId).toSorted()).toEqual(sessions.toSorted());
  },
  guardMs,
);

test(
  'killed while thirty sessions commit together: answered transitions are stored, and retries run the others once',
  async () => {
    type Step = { readonly session: Session; readonly key: string };
    const client = flowClient(gateway, 'group');
    const sessions = await Promise.all(Array.from({ length: 30 }, () => client.start()));
    /** By session: the last received response, and the submission that had none when the process ended. */
    const answered = new Map<string, Step & { readonly text: string }>();
    const lost = new Map<string, Step>();
    const enough = Promise.withResolvers<void>();
    let answers = 0;
    const send = ({ session, key }: Step) =>
      client.postOnce(
        `/flow/sessions/${session.sessionId}/steps/count`,
        { actionId: 'add', fieldValues: { amount: 1 }, stateVersion: session.stateVersion },
        { 'Idempotency-Key': key },
      );
    const walk = async (first: Session) => {
      let session = first;
      for (let at = 0; ; at++) {
        const step = { session, key: `step ${at}` };
        lost.set(first.sessionId, step);
        const text = await send(step).then(
          (answer) => (answer.status === 200 ? answer.text() : undefined),
          () => undefined,
        );
        if (text === undefined) return;
        answered.set(first.sessionId, { ...step, text });
        session = JSON.parse(text);
        answers += 1;
        if (answers === 150) enough.resolve();
      }
    };
    const walks = Promise.all(sessions.map(walk));
    await Promise.race([enough.promise, walks]);
    await Promise.all([gateway.restart(), walks]);
    expect(answers).toBeGreaterThanOrEqual(150);
    for (const { sessionId } of sessions) {
      const known = answered.get(sessionId);
      if (known !== undefined) {
        const again = await send(known);
        expect([again.headers.get('idempotency-replayed'), await again.text()]).toEqual(['true', known.text]);
      }
      const step = lost.get(sessionId);
      if (step === undefined) throw new Error('nothing was in progress');
      let after: Session | undefined;
      await until(
        'the lost submission succeeds',
        async () => {
          const answer = await send(step);
          if (answer.status === 200) after = (await answer.json()) as Session;
          return after !== undefined;
        },
        60_000,
      );
      const { stateVersion } = step.session;
      expect(after?.stateVersion).toBe(stateVersion + 1);
      const { data } = await jsonBody(await client.get(`/flow/sessions/${sessionId}/events?limit=100`));
      const events = data as { sequence: number; type: string }[];
      // Each transition with all of its events, in order: those of the start, then two for each step.
      expect(events.map(({ sequence }) => sequence)).toEqual(
        Array.from({ length: 1 + 2 * stateVersion }, (_, at) => at + 1),
      );
      expect(events.filter(({ type }) => type === 'step_submitted')).toHaveLength(stateVersion);
    }
  },
  guardMs,
);
