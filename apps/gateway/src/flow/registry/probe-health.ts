/** Probes the health of every active version periodically, so that no session is started on an unhealthy one (contract/flow-apps#health). */

import { pause, unlessAborted } from '@flowgate/async/bounded-waits';
import { RoundRobin } from '@flowgate/async/round-robin';
import type { Clock } from '@flowgate/base/clock';
import { embeddedBaseUrl } from '@flowgate/flow-format/manifest/manifest';
import type { AskHealth } from './app-health.ts';
import type { ProbedVersion, RegistryStore } from './registry-store.ts';
import { unhealthyFromMisses, type VersionRecord } from './version.ts';

export type ProbeDeps = {
  readonly store: Pick<RegistryStore, 'probeBatch' | 'findProbed' | 'noteHealth'>;
  readonly askHealth: AskHealth;
  readonly clock: Pick<Clock, 'monotonic'>;
  /** Milliseconds from the start of one round to the next; 30,000 by default. The next round skips an owner whose last round is not finished. */
  readonly intervalMs?: number;
  /** Called when a version becomes unhealthy or healthy. */
  readonly onChange: (version: VersionRecord, healthy: boolean) => void;
};

const probesAtOnce = 32;
/** Limits the concurrent probes of one owner, so that an owner of many silent apps delays only its own probes. */
const probesOfOwner = 4;
const batchSize = 1_000;

/**
 * The work of `runWhileLeader`: ends when `signal` is aborted, and throws `Unavailable` if the storage does not answer. Its writes are not fenced: a former leader could count
 * one miss twice, which the next success resets.
 */
export async function probeHealth(deps: ProbeDeps, signal: AbortSignal): Promise<void> {
  const { store, clock, intervalMs = 30_000 } = deps;
  const failing = new AbortController();
  const stopped = AbortSignal.any([signal, failing.signal]);
  const probing = createProbing(deps, stopped, () => failing.abort());
  try {
    while (!stopped.aborted) {
      const startedAtMs = clock.monotonic();
      probing.add(await everyVersion(store));
      await pause(Math.max(0, startedAtMs + intervalMs - clock.monotonic()), stopped);
    }
  } finally {
    failing.abort();
    await probing.ended();
  }
  const error = probing.failure();
  if (error !== undefined) throw error;
}

function createProbing(deps: ProbeDeps, stopped: AbortSignal, onFailure: () => void) {
  let failure: unknown;
  const queue = new RoundRobin<ProbedVersion>({
    maxRunning: probesAtOnce,
    maxRunningOfOwner: probesOfOwner,
    ownerOf: ({ ownerId }) => ownerId,
    async work(version) {
      if (stopped.aborted) return;
      try {
        await probe(deps, version, stopped);
      } catch (error) {
        failure ??= error;
        onFailure();
      }
    },
  });
  return {
    /** Skips owners whose last round is not finished. */
    add: (round: readonly ProbedVersion[]) => queue.add(round.filter(({ ownerId }) => !queue.isBusy(ownerId))),
    failure: () => failure,
    ended: () => queue.idle(),
  };
}

async function everyVersion(store: ProbeDeps['store']): Promise<readonly ProbedVersion[]> {
  const found: ProbedVersion[] = [];
  let after: string | undefined;
  do {
    const batch = await store.probeBatch(after, batchSize);
    found.push(...batch.versions);
    after = batch.next;
  } while (after !== undefined);
  return found;
}

/** Writes only changes: nothing for an app that remains healthy, and no further misses for one that is already unhealthy. */
async function probe(deps: ProbeDeps, named: ProbedVersion, signal: AbortSignal): Promise<void> {
  const version = await deps.store.findProbed(named.appId, named.version);
  if (version === undefined || version.manifest.baseUrl === embeddedBaseUrl || signal.aborted) return;
  const health = await unlessAborted(deps.askHealth(version), signal);
  if (health === undefined || signal.aborted) return;
  const { ok: healthy } = health;
  const { appId, healthMisses } = version;
  if (healthy ? healthMisses === 0 : healthMisses >= unhealthyFromMisses) return;
  await deps.store.noteHealth(appId, version.version, healthy);
  if (healthy ? healthMisses >= unhealthyFromMisses : healthMisses + 1 === unhealthyFromMisses)
    deps.onChange(version, healthy);
}
