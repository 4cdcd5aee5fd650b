/**
 * Flow sessions under load while leading gateways are killed and PostgreSQL becomes unavailable twice: no acknowledged
 * step is lost or repeated, every webhook arrives, and another gateway becomes the leader (contract/flow-apps,
 * contract/many-gateways).
 */

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Session } from '@flowgate/client/flow-wire';
import { publishFlowApp } from '../../apps/gateway/test/fixtures/flow-app.ts';
import { lostDeliveries } from './check-flow-deliveries.ts';
import type { GatewayService } from './cluster.ts';
import { clusterMissing } from './engines.ts';
import { checkFlow } from './flow-checker.ts';
import { type FlowCluster, startFlowCluster, throughOne } from './flow-cluster.ts';
import { flowFigures } from './flow-figures.ts';
import { backgroundJobs, leadersOf, type ProbedApp, startProbedApp } from './flow-leaders.ts';
import { type FlowLoad, startFlowLoad } from './flow-load.ts';
import { markingManifest } from './flow-marking-app.ts';
import { type RecordedReceiver, startRecordedReceiver } from './flow-recorded-receiver.ts';
import { until } from './until.ts';

const walkers = Array.from({ length: 6 }, (_, at) => `walker-${at}`);
const sleeper = 'sleeper';
const eventTypes = ['step_submitted', 'applied', 'session_completed'];
/**
 * After a gateway was killed, its leadership and its deliveries pass to another one when their leases of 15 and 20 s
 * expire.
 */
const takeOverWithinMs = 60_000;

describe.skipIf(clusterMissing !== undefined)('Flow sessions under load', () => {
  let flow: FlowCluster;
  let receiver: RecordedReceiver;
  let probed: ProbedApp;
  let load: FlowLoad;
  let overdue: readonly Session[];
  let killedMs = 0;
  let expiredMs = 0;
  let replayed = 0;
  beforeAll(async () => {
    flow = await startFlowCluster({ sessionPerMinute: 10_000 });
    const { client, gateways, recorder } = flow;
    receiver = startRecordedReceiver(recorder);
    probed = startProbedApp(recorder.now);
    const version = { ...markingManifest, appId: 'acme/probed' };
    await publishFlowApp(throughOne(flow.cluster), { ...flow.app, url: probed.url }, version);
    for (const [at, userId] of walkers.entries())
      for (const type of eventTypes) await receiver.subscribe(client, gateways[at % 3] ?? gateways[0], userId, type);
    await receiver.subscribe(client, gateways[0], sleeper, 'session_expired');
    overdue = await Promise.all(Array.from({ length: 20 }, () => client.start(gateways, sleeper)));
    // The first attempt of one delivery in thirty is refused, and must be repeated.
    receiver.refuse(({ body: { id } }) => Bun.hash(id) % 30n === 0n && attemptsAt(id) === 1);
    await until('every job has a leader', async () => {
      const leaders = await leadersOf(gateways);
      return backgroundJobs.every((job) => leaders.has(job));
    });
    load = startFlowLoad(flow, walkers);
    await leadersAndTheOthersAreKilled();
    await postgresGoesAway();
    await until(
      'every overdue session has expired',
      async () => (await overdueSessions()) === 0,
      takeOverWithinMs,
      100,
    );
    expiredMs = flow.recorder.now();
    await until('health was probed again', () => probesSinceKill().length > 0, takeOverWithinMs);
    await load.stop();
    replayed = await load.replayAll();
    for (const userId of [...walkers, sleeper]) await client.audit(gateways, userId);
    await until('every webhook has arrived', () => lostDeliveries(recorder) === 0, takeOverWithinMs).catch(() => {});
  }, 300_000);
  afterAll(async () => {
    const reported = (ms: number) => `${Math.round(ms - killedMs)} ms`;
    console.log(
      `after the leaders were killed: expired ${reported(expiredMs)}, probed ${reported(probesSinceKill()[0] ?? 0)}`,
    );
    console.log(['', 'Flow cluster figures', ...flowFigures(flow.recorder), `replayed: ${replayed}`].join('\n  '));
    await load?.stop().catch(() => {});
    await flow?.stop();
    await Promise.all([receiver?.stop(), probed?.stop()]);
  });

  const attemptsAt = (id: string) => flow.recorder.deliveries.filter(({ body }) => body.id === id).length;

  async function killed(gateway: GatewayService): Promise<void> {
    const end = flow.recorder.mark('gateway-down', gateway.name);
    await until('it is delivering', () => receiver.inFlight() > 0);
    await gateway.kill();
    // Real time: the gateway stays unavailable.
    await Bun.sleep(500);
    await gateway.start();
    end();
  }

  async function leadersAndTheOthersAreKilled(): Promise<void> {
    // Real time: the load runs for a while before the fault.
    await Bun.sleep(1_500);
    flow.phase('leaders killed');
    const leaders = await leadersOf(flow.gateways);
    const ids = overdue.map(({ sessionId }) => `'${sessionId}'`).join(', ');
    killedMs = flow.recorder.now();
    const killing = [...new Set(leaders.values())].map(killed);
    // Real time: the gateways are being killed.
    await Bun.sleep(100);
    await flow.sql(`UPDATE flow_sessions SET expires_at = 1 WHERE session_id IN (${ids})`);
    await Promise.all(killing);
    flow.phase('the others killed');
    for (const gateway of flow.gateways) if (![...leaders.values()].includes(gateway)) await killed(gateway);
  }

  async function postgresGoesAway(): Promise<void> {
    const { database } = flow.engines;
    for (const [name, end] of [
      ['PostgreSQL killed', database.kill],
      ['PostgreSQL restarted', database.shutDown],
    ] as const) {
      flow.phase(name);
      const over = flow.recorder.mark('database-unavailable');
      await end();
      // Real time: the database stays unavailable.
      await Bun.sleep(1_000);
      await database.start();
      await until('every gateway is ready', flow.cluster.allReady);
      // Real time: the load continues for a while after the fault.
      await Bun.sleep(500);
      over();
    }
    flow.phase('calm again');
    // Real time: the load continues for a while after the faults.
    await Bun.sleep(1_000);
  }

  async function overdueSessions(): Promise<number> {
    const active = `SELECT COUNT(*) AS count FROM flow_sessions WHERE user_id = '${sleeper}' AND status = 'active'`;
    return Number((await flow.sql(active))[0]?.['count']);
  }

  const probesSinceKill = () => probed.probedMs.filter((ms) => ms > killedMs);

  test('sessions that were overdue when their leader was killed expire under the next leader (contract/flow-apps)', async () => {
    expect(await overdueSessions()).toBe(0);
    expect(flow.recorder.audits.filter(({ userId }) => userId === sleeper)).toHaveLength(overdue.length);
  });

  test('after the leader was killed, one gateway probes health again (contract/flow-apps)', () => {
    const probes = probesSinceKill();
    expect(probes.length).toBeGreaterThan(0);
    // There is one round of probes every 30 s, and one when another gateway becomes the leader, whose lease takes 15 s.
    // Three gateways that each acted as the leader would probe three times.
    for (const [at, ms] of probes.slice(1).entries()) expect(ms - (probes[at] ?? 0)).toBeGreaterThan(10_000);
  });

  test('nothing acknowledged is lost or repeated, and every webhook arrived (contract/flow-apps)', () => {
    expect(checkFlow(flow.recorder).slice(0, 20)).toEqual([]);
    expect(receiver.unsigned()).toBe(0);
  });
});
