/**
 * Server-Sent Events of a session reach clients of other gateways than those that run its steps, also without Redis,
 * and continue at another gateway when one is killed (contract/flow-apps).
 */

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Session } from '@flowgate/client/flow-wire';
import { clusterMissing } from './engines.ts';
import { type FlowCluster, startFlowCluster } from './flow-cluster.ts';
import { type Follower, followAs } from './flow-follower.ts';

const userId = 'watcher';

describe.skipIf(clusterMissing !== undefined)('streams over three gateways', () => {
  let flow: FlowCluster;
  let session: Session;
  /** The first client follows through gateway 1, the others through the two gateways that run the steps. */
  let followers: readonly Follower[];
  let stateVersion = 1;
  let sequence = 1;
  beforeAll(async () => {
    flow = await startFlowCluster({ sessionPerMinute: 10_000 });
    const [one, two, three] = flow.gateways;
    session = await flow.client.start(flow.gateways, userId);
    const { sessionId } = session;
    followers = [one, two, three].map((first) =>
      followAs(`the client of ${first.name}`, flow.recorder, {
        sessionId,
        headers: flow.client.headersOf(userId),
        targets: [first, ...[two, three, one].filter((each) => each !== first)],
      }),
    );
    await Promise.all(followers.map((each) => each.received(1)));
  });
  afterAll(async () => {
    await Promise.all((followers ?? []).map((each) => each.stop()));
    await flow?.stop();
  });

  /** Submits steps of two events each. */
  async function drive(steps: number, name: string, afterEach = async (_answeredMs: number) => {}): Promise<void> {
    const [, two, three] = flow.gateways;
    for (let at = 0; at < steps; at++) {
      const step = { userId, sessionId: session.sessionId, stateVersion, idempotencyKey: `${name}-${at}` };
      const done = await flow.client.submitPatiently([at % 2 === 0 ? two : three], step);
      expect(done.status).toBe(200);
      stateVersion += 1;
      sequence += 2;
      await afterEach(done.endMs);
    }
  }
  /**
   * Milliseconds from a step's response until the client of gateway 1 had its last event. Resolves when all clients
   * have it.
   */
  async function delayMs(answeredMs: number): Promise<number> {
    const came = await Promise.all(followers.map((each) => each.received(sequence)));
    return Math.max(0, (came[0] ?? 0) - answeredMs);
  }
  async function delays(steps: number, name: string): Promise<number[]> {
    const found: number[] = [];
    await drive(steps, name, async (answeredMs) => {
      found.push(await delayMs(answeredMs));
    });
    return found.sort((a, b) => a - b);
  }
  const reported = (delaysMs: readonly number[]) =>
    `p50 ${Math.round(delaysMs[Math.floor(delaysMs.length / 2)] ?? 0)} ms, max ${Math.round(delaysMs.at(-1) ?? 0)} ms after the answer (${delaysMs.length} steps)`;

  test('each event of a session whose steps run on gateways 2 and 3 reaches a client of gateway 1 (contract/flow-apps)', async () => {
    console.log(`events at another node, with Redis: ${reported(await delays(40, 'calm'))}`);
    expect(followers.map((each) => each.connections())).toEqual([['gateway-1'], ['gateway-2'], ['gateway-3']]);
  });

  test('without Redis, events arrive by polling (contract/flow-apps)', async () => {
    const endUnavailable = flow.recorder.mark('counters-unavailable');
    await flow.engines.redis.kill();
    let lastMs = 0;
    await drive(4, 'redis dead', async (answeredMs) => {
      lastMs = answeredMs;
    });
    console.log(`events at another node, Redis dead: all after ${Math.round(await delayMs(lastMs))} ms`);
    await flow.engines.redis.start();
    endUnavailable();
  });

  test('when its gateway dies, a client continues at another with Last-Event-ID and misses no event (contract/flow-apps)', async () => {
    const [one] = flow.gateways;
    const endDown = flow.recorder.mark('gateway-down', one.name);
    const killed = one.kill();
    console.log(`events while the client's own gateway was killed: ${reported(await delays(6, 'killed'))}`);
    await killed;
    expect(followers[0]?.connections()).toEqual(['gateway-1', 'gateway-2']);
    await one.start();
    endDown();
    const last = { userId, sessionId: session.sessionId, stateVersion, idempotencyKey: 'last' };
    await flow.client.submitPatiently(flow.gateways, { ...last, actionId: 'finish' });
    await Promise.all(followers.map((each) => each.received(sequence + 3)));
  });

  test('the checker finds no violation in this file: no event was lost or repeated', async () => {
    expect(await flow.violations([userId])).toEqual([]);
    expect(flow.recorder.streamed).toHaveLength(3 * (sequence + 3));
  });
});
