/** Removes sessions after their retention, with all data stored for them, in small batches so that requests do not wait. */

import { pause } from '@flowgate/async/bounded-waits';
import type { Clock } from '@flowgate/base/clock';
import type { Log } from '@flowgate/telemetry/log';
import type { RetentionStore } from './retention-store.ts';

export type RetentionDeps = {
  readonly store: RetentionStore;
  /** How long sessions are retained after their end. */
  readonly retentionMs: number;
  /** Users who store more than this lose ended sessions earlier, from one hour after their end. */
  readonly fullBytes: number;
  readonly clock: Clock;
  readonly log: Pick<Log, 'info'>;
};

const perBatch = 100;
/** Long enough to repeat a last submission whose response was lost. */
const minRetentionMs = 3_600_000;
const roundPauseMs = 5_000;
/** The minimum pause between two batches. */
const shortestPauseMs = 20;

/** One round: removes all sessions that are old enough, and the remains of earlier rounds. Returns how many sessions were removed. Throws `Unavailable`. */
export async function removeOldSessions(deps: RetentionDeps, signal: AbortSignal): Promise<number> {
  const { store, clock, retentionMs, fullBytes } = deps;
  /** Pauses for at least as long as the batch took, so that the storage has time for other work. */
  const inTurn = async <T>(batch: () => Promise<T>): Promise<T> => {
    const startedAtMs = clock.monotonic();
    const done = await batch();
    await pause(Math.max(shortestPauseMs, clock.monotonic() - startedAtMs), signal);
    return done;
  };
  const removeSome = async () => {
    const old = await inTurn(() => store.removeEnded(clock.now() - retentionMs, perBatch));
    return old > 0 || signal.aborted
      ? old
      : inTurn(() => store.removeOfFull(fullBytes, clock.now() - minRetentionMs, perBatch));
  };
  let removed = 0;
  while (!signal.aborted) {
    // Cleared before further sessions are removed, so that the list of removed ones remains short.
    const isCleared = !(await inTurn(() => store.clearRemains()));
    if (!isCleared || signal.aborted) continue;
    const now = await removeSome();
    if (now === 0) break;
    removed += now;
  }
  return removed;
}

/** The background job of the leader (`runWhileLeader`): rounds until the signal is aborted. Throws `Unavailable`; the leader then starts the job again. */
export async function removeEndedSessions(deps: RetentionDeps, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const removed = await removeOldSessions(deps, signal);
    if (removed > 0) deps.log.info('flow.sessions-removed', { count: removed });
    await pause(roundPauseMs, signal);
  }
}
