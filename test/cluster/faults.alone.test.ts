/**
 * A cluster under load, while each of its processes in turn is killed, paused, restarted and slowed (`npm test` has six
 * of these faults, `npm run test:long` all of them): every guarantee is met, and the cluster recovers automatically
 * (contract/limits, contract/many-gateways).
 * All tests share one cluster, one load and one history: guarantees about a minute (limits, revocations) are checked
 * across faults, and a key that was acknowledged before a fault must exist after every later one. No fault depends on
 * an earlier one, so `-t` can run one alone. The test during which a violation was found reports it, and no later one.
 */

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { systemClock } from '@flowgate/base/clock';
import { isLongRun } from '@flowgate/testing/test-rounds';
import { type FaultProxy, startFaultProxy } from '../../devkit/src/fault-proxy.ts';
import { balancedNames } from './balancer.ts';
import { check, describeViolations } from './checker.ts';
import { type Cluster, startCluster } from './cluster.ts';
import { audit, type DrillDeps, injectFault, waitForRecovery } from './drill.ts';
import { clusterMissing, type Engines, startEngines } from './engines.ts';
import { everyFault, type Runtime, shortDrill } from './faults.ts';
import { figures, type Recovery } from './figures.ts';
import { createRecorder, type Recorder, settledBy } from './history.ts';
import { type Load, startLoad } from './load.ts';
import { lostCounters } from './lost-counters.ts';
import { createRecordedClient, type Target } from './recorded-client.ts';

const gateways = balancedNames;
/** Small, so that users reach the limit within seconds and separate counting by each gateway would be found. */
const userPerMinute = 60;

describe.skipIf(clusterMissing !== undefined)('a cluster under load', () => {
  let phase = 'calm';
  let engines: Engines;
  let cluster: Cluster;
  let balancerProxy: FaultProxy;
  let runtime: Runtime;
  let deps: DrillDeps;
  let recorder: Recorder;
  let load: Load;
  let targets: readonly Target[];
  const recoveries: Recovery[] = [];

  beforeAll(async () => {
    engines = await startEngines();
    cluster = await startCluster({
      ...{ gateways, storage: engines.slowable, userPerMinute, balanced: true },
    });
    if (cluster.balancer === undefined) throw new Error('no balancer');
    const { balancer: balancerService } = cluster;
    balancerProxy = await startFaultProxy(balancerService.port);
    recorder = createRecorder({ userPerMinute, activeKeys: 10, gateways, answerWithinMs: 5_000 }, systemClock);
    const client = createRecordedClient(recorder, cluster.issuer, () => phase);
    const balancer = { name: 'balancer', url: `https://127.0.0.1:${balancerProxy.port}` };
    targets = [...cluster.gateways, balancer];
    runtime = { ...engines, cluster, balancer: balancerService, balancerProxy, recorder };
    deps = { cluster, recorder, client, gateways: cluster.gateways, balancer };
    await waitForRecovery(deps);
    load = startLoad(client, targets, cluster.gateways);
  });

  afterAll(async () => {
    balancerProxy?.close();
    await cluster?.stop();
    await engines?.stop();
  });

  const reported = new Set<string>();
  /**
   * The violations that no earlier test has reported. The latest entries are not checked, because the gateways' logs
   * may not explain them yet.
   */
  const violations = async () => {
    const untilMs = systemClock.monotonic();
    // Real time: gateways write their logs, and the load continues for a while after the fault.
    await Bun.sleep(500);
    const settled = settledBy(recorder, Math.min(untilMs, deps.client.oldestPendingMs()));
    const marks = [...settled.marks, ...(await lostCounters(cluster.gateways, systemClock))];
    const found = check({ ...settled, marks });
    const fresh = found.filter(({ rule, text }) => !reported.has(`${rule} ${text}`));
    for (const { rule, text } of fresh) reported.add(`${rule} ${text}`);
    return describeViolations(fresh);
  };

  test('without any fault every guarantee is met', async () => {
    // Real time: the load must run for a while.
    await Bun.sleep(3_000);
    expect(await violations()).toEqual([]);
  });

  for (const fault of isLongRun() ? everyFault : shortDrill)
    test(`${fault.name}: the cluster recovers automatically, and every guarantee is met`, async () => {
      phase = fault.name;
      recoveries.push(await injectFault(fault, runtime, deps));
      expect(await violations()).toEqual([]);
    });

  test('at the end every acknowledged key is listed and accepted, every revoked one is refused, and every guarantee was met', async () => {
    phase = 'audit';
    await load.stop();
    await audit(load, deps.client, targets);
    const found = await violations();
    console.log(['', 'cluster figures', ...figures(recorder, recoveries)].join('\n  '));
    expect(found).toEqual([]);
  });
});
