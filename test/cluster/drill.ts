/**
 * Subjects a cluster under load to one fault after another, waits until it has recovered automatically, and audits the
 * acknowledged changes.
 */

import { systemClock } from '@flowgate/base/clock';
import type { Cluster } from './cluster.ts';
import type { Fault, Runtime } from './faults.ts';
import type { Recovery } from './figures.ts';
import { identified, type Recorder } from './history.ts';
import type { Load } from './load.ts';
import type { RecordedClient, Target } from './recorded-client.ts';
import { until } from './until.ts';

export type DrillDeps = {
  readonly cluster: Cluster;
  readonly recorder: Recorder;
  readonly client: RecordedClient;
  readonly gateways: readonly Target[];
  readonly balancer: Target;
};

const healWithinMs = 30_000;
let probes = 0;

/**
 * Injects the fault, waits, and ends it. Resolves with the milliseconds from the end of the fault until everything
 * worked again.
 */
export async function injectFault(fault: Fault, runtime: Runtime, deps: DrillDeps): Promise<Recovery> {
  const endings = fault.marks.map(([kind, service]) => deps.recorder.mark(kind, service));
  const end = await fault.inject(runtime);
  // Real time: the fault lasts.
  await Bun.sleep(fault.lastsMs);
  await end();
  const overMs = systemClock.monotonic();
  await waitForRecovery(deps);
  for (const endMark of endings) endMark();
  return { fault: fault.name, tookMs: systemClock.monotonic() - overMs };
}

/**
 * Waits until every gateway is ready, stores keys, receives revocations and shares counters, and until the balancer
 * reaches all gateways.
 */
export async function waitForRecovery({ cluster, recorder, client, gateways, balancer }: DrillDeps): Promise<void> {
  await until('every gateway is ready', cluster.allReady, healWithinMs);
  await until('every gateway stores keys', () => everyMintWorks(client, gateways), healWithinMs);
  await until('revocations reach all gateways', () => revocationsArrive(client, gateways), healWithinMs);
  await until('limits are shared', () => limitsAreShared(client, gateways), healWithinMs);
  await until('the balancer reaches them', () => reaches(client, balancer), healWithinMs);
  recorder.healed();
}

function newUser(): string {
  probes += 1;
  return `probe-${probes}`;
}

async function everyMintWorks(client: RecordedClient, gateways: readonly Target[]): Promise<boolean> {
  const minted = await Promise.all(gateways.map((gateway) => client.mint(gateway, newUser())));
  return minted.every(({ key }) => key !== undefined);
}

/** Counters and pub/sub have separate connections, and either may recover first. */
async function revocationsArrive(client: RecordedClient, gateways: readonly Target[]): Promise<boolean> {
  const arrived = await Promise.all(
    gateways.map(async (home) => {
      const others = gateways.filter((gateway) => gateway !== home);
      const { key } = await client.mint(home, newUser());
      if (key === undefined) return false;
      await Promise.all(others.map((other) => client.call(other, key)));
      const { status } = await client.revoke(home, key.userId, key.keyId);
      const after = await Promise.all(others.map((other) => client.call(other, key)));
      return status === 204 && !after.some(identified);
    }),
  );
  return arrived.every((each) => each);
}

/** Whether a new user's requests at each gateway in turn count towards one limit. */
async function limitsAreShared(client: RecordedClient, gateways: readonly Target[]): Promise<boolean> {
  const userId = newUser();
  let used = 0;
  for (const gateway of gateways) {
    const { limits } = await client.identify(gateway, userId);
    used += 1;
    if (limits === undefined || limits.limit - limits.remaining !== used) return false;
  }
  return true;
}

async function reaches(client: RecordedClient, balancer: Target): Promise<boolean> {
  const { status, servedBy } = await client.identify(balancer, newUser());
  return status === 200 && servedBy !== undefined;
}

/** Reads each owner's list and uses each active key once more. The history records these requests like all others. */
export async function audit(load: Load, client: RecordedClient, targets: readonly Target[]): Promise<void> {
  const work = [
    ...load.owners().map((userId) => (target: Target) => client.list(target, userId)),
    ...load.activeKeys().map((key) => (target: Target) => client.call(target, key)),
  ];
  const workers = Array.from({ length: 8 }, async () => {
    for (let job = work.pop(); job !== undefined; job = work.pop()) {
      const target = targets[work.length % targets.length];
      if (target !== undefined) await job(target);
    }
  });
  await Promise.all(workers);
}
