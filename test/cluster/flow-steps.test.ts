/**
 * A step runs once, for any choice of gateways, also when gateways are killed or paused meanwhile
 * (contract/sessions#idempotency; contract/flow-apps).
 */

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { clusterMissing } from './engines.ts';
import { type FlowCluster, startFlowCluster } from './flow-cluster.ts';
import type { Step } from './flow-recorded-client.ts';
import type { Target } from './recorded-client.ts';

const times = <T>(count: number, make: (at: number) => T) => Array.from({ length: count }, (_, at) => make(at));
const users: string[] = [];
const newUser = () => {
  const userId = `stepper-${users.length + 1}`;
  users.push(userId);
  return userId;
};

describe.skipIf(clusterMissing !== undefined)('a step on three gateways', () => {
  let flow: FlowCluster;
  beforeAll(async () => {
    flow = await startFlowCluster({ sessionPerMinute: 10_000 });
  });
  afterAll(() => flow?.stop());

  const gatewayAt = (at: number) => flow.gateways[at % 3] ?? flow.gateways[0];
  const runsOf = (mark: string) => flow.recorder.runs.filter((run) => run.mark === mark);
  const started = async () => {
    const userId = newUser();
    const { sessionId, stateVersion } = await flow.client.start(flow.gateways, userId);
    return { userId, sessionId, stateVersion };
  };
  const everywhere = (copies: number, step: Step) =>
    Promise.all(times(copies, (at) => flow.client.submit(gatewayAt(at), step)));

  /**
   * Resolves when the app has the submission and has not answered. Submits again when the database was too slow to
   * begin.
   */
  async function inFlight(target: Target, step: Step) {
    const hold = flow.app.hold(step.idempotencyKey);
    for (;;) {
      const answer = flow.client.submit(target, step);
      const isRunning = await Promise.race([hold.arrived.then(() => true), answer.then(() => false)]);
      if (isRunning) return { answer, release: hold.release };
      // Real time: the pause between retries.
      await Bun.sleep(50);
    }
  }

  test('100 copies of a submission at all three at once run once, and each gateway replays the same bytes (contract/flow-apps)', async () => {
    let copies = 0;
    let effects = 0;
    let runs = 0;
    for (let round = 0; round < 3; round++) {
      const session = await started();
      const step = { ...session, idempotencyKey: `copies-${round}` };
      const hold = flow.app.hold(step.idempotencyKey);
      // All requests have arrived while the single run is in progress.
      const sent = everywhere(100, step);
      await Promise.race([hold.arrived, sent]);
      hold.release();
      const entries = await sent;
      // 503: the database did not answer in time and nothing was done; a repetition then runs the step.
      const done = await flow.client.submitPatiently(flow.gateways, step);
      const answers = new Set([...entries, done].map(({ status, problem }) => `${status} ${problem?.retryable ?? ''}`));
      for (const answer of answers) expect(['200 ', '409 true', '503 true']).toContain(answer);
      for (const gateway of flow.gateways) {
        const replay = await flow.client.submitPatiently([gateway], step);
        expect([replay.status, replay.isReplay, replay.text]).toEqual([200, true, done.text]);
      }
      expect(await flow.client.total(flow.gateways[1], session.userId)).toBe(1);
      copies += entries.length;
      effects += new Set(runsOf(step.idempotencyKey).map(({ derivedKey }) => derivedKey)).size;
      runs += runsOf(step.idempotencyKey).length;
    }
    expect(effects).toBe(3);
    console.log(`executions per ${copies / 3} duplicates over three gateways: ${runs / 3}, effects: ${effects / 3}`);
  });

  test('different keys for the same state at all three at once: one is executed, the others are 409 (contract/flow-apps)', async () => {
    for (let round = 0; round < 5; round++) {
      const session = await started();
      const entries = await Promise.all(
        times(30, (at) =>
          flow.client.submit(gatewayAt(at), {
            ...session,
            idempotencyKey: `rival-${round}-${at}`,
          }),
        ),
      );
      const winners = entries.filter(({ status }) => status === 200).length;
      expect(winners).toBeLessThanOrEqual(1);
      const [first] = entries.filter(({ status }) => status !== 409);
      // No request succeeds only when the database was too slow to confirm the commit; repeating the key shows the
      // outcome.
      if (winners === 0 && first !== undefined)
        await flow.client.submitPatiently(flow.gateways, { ...session, idempotencyKey: first.idempotencyKey });
      expect((await flow.client.look(flow.gateways[2], session.userId, session.sessionId)).stateVersion).toBe(2);
      expect(await flow.client.total(flow.gateways[0], session.userId)).toBe(1);
    }
  });

  test('when a gateway is killed while its app answers, another one takes over after the lease expires: one effect (contract/flow-apps)', async () => {
    const session = await started();
    const [one, two, three] = flow.gateways;
    const step = { ...session, idempotencyKey: 'killed' };
    const { answer: lost, release } = await inFlight(one, step);
    const endDown = flow.recorder.mark('gateway-down', one.name);
    const killedMs = flow.recorder.now();
    await one.kill();
    expect((await lost).outcome).not.toBe('answered');
    const done = await flow.client.submitPatiently([two, three], step);
    expect(done.status).toBe(200);
    console.log(
      `a killed gateway's step was ended by another after ${Math.round(done.endMs - killedMs)} ms, lease 1000 ms`,
    );
    release();
    await one.start();
    endDown();
    // The restarted gateway returns the stored response of the one that took over.
    expect(await flow.client.submitPatiently([one], step)).toMatchObject({
      status: 200,
      isReplay: true,
      text: done.text,
    });
    expect(new Set(runsOf('killed').map(({ derivedKey }) => derivedKey)).size).toBe(1);
    expect(await flow.client.total(two, session.userId)).toBe(1);
  });

  test('a gateway that was paused beyond its lease cannot commit: the commit of the other gateway stays (contract/flow-apps)', async () => {
    const session = await started();
    const [one, two, three] = flow.gateways;
    const step = { ...session, idempotencyKey: 'slept' };
    const endPause = flow.recorder.mark('gateway-paused', two.name);
    const { answer: sleeping, release } = await inFlight(two, step);
    two.pause();
    // The response is stored when the paused gateway continues.
    release();
    const done = await flow.client.submitPatiently([one, three], step);
    expect(done.status).toBe(200);
    const next = await flow.client.submitPatiently([three], {
      ...session,
      stateVersion: 2,
      idempotencyKey: 'after the pause',
    });
    expect(next.status).toBe(200);
    two.resume();
    // The paused gateway has lost its lease. Its refusal is retryable, so that the caller gets the stored response.
    const lost = await sleeping;
    expect(lost.status).not.toBe(200);
    expect(lost.problem?.retryable).toBe(true);
    endPause();
    expect(await flow.client.submitPatiently([two], step)).toMatchObject({
      status: 200,
      isReplay: true,
      text: done.text,
    });
    expect(await flow.client.look(two, session.userId, session.sessionId)).toMatchObject({ stateVersion: 3 });
    expect(await flow.client.total(two, session.userId)).toBe(2);
  });

  test('an overdue session expires once, although all three gateways read it at once (contract/flow-apps)', async () => {
    const sessions = await Promise.all(times(5, started));
    const ids = sessions.map(({ sessionId }) => `'${sessionId}'`).join(', ');
    await flow.sql(`UPDATE flow_sessions SET expires_at = 1 WHERE session_id IN (${ids})`);
    const everyone = (copies: number) =>
      Promise.all(
        sessions.flatMap(({ userId, sessionId }) =>
          times(copies, (at) => flow.client.look(gatewayAt(at), userId, sessionId)),
        ),
      );
    // A request that arrives while another one expires the session may read the previous state; later requests never
    // do.
    await everyone(9);
    expect((await everyone(3)).filter(({ status }) => status !== 'expired')).toEqual([]);
  });

  test('the checker finds no violation in this file', async () => {
    expect(await flow.violations(users)).toEqual([]);
    expect(flow.recorder.audits.length).toBe(users.length);
    expect(flow.app.unsigned()).toBe(0);
  });
});
