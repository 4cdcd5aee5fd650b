/** Removes sessions that have been over for long enough, with what is stored of them: little by little, so that nobody waits for it. */

import type { Clock } from '../../platform/clock.ts';
import { pause } from '../../platform/coordination/pause.ts';
import type { Log } from '../../platform/log.ts';
import type { RetentionStore } from './retention-store.ts';

export type RetentionParts = {
  readonly store: RetentionStore;
  /** Kept for this long after their end. */
  readonly retentionMs: number;
  /** Who keeps more than this has sessions that are over removed before their time, once they have been over for an hour. */
  readonly fullBytes: number;
  readonly clock: Clock;
  readonly log: Pick<Log, 'info'>;
};

const perBatch = 100;
/** Long enough to repeat a last submission whose answer was lost. */
const shortestKeptMs = 3_600_000;
const roundPauseMs = 5_000;
/** Between two batches at least. */
const shortestPauseMs = 20;

/** One round: everything that is old enough now, and what earlier rounds left behind. How many sessions were removed. Throws `Unavailable`. */
export async function removeOldSessions(parts: RetentionParts, signal: AbortSignal): Promise<number> {
  const { store, clock, retentionMs, fullBytes } = parts;
  /** At most half of the time: the storage has other work. */
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
      : inTurn(() => store.removeOfFull(fullBytes, clock.now() - shortestKeptMs, perBatch));
  };
  let removed = 0;
  while (!signal.aborted) {
    // Before more are removed: their list stays short.
    const isCleared = !(await inTurn(() => store.clearRemains()));
    if (!isCleared || signal.aborted) continue;
    const now = await removeSome();
    if (now === 0) break;
    removed += now;
  }
  return removed;
}

/** The background job, for one leader (`runWhileLeader`): rounds until the signal. Throws `Unavailable`; it is then begun again. */
export async function removeEndedSessions(parts: RetentionParts, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const removed = await removeOldSessions(parts, signal);
    if (removed > 0) parts.log.info('flow.sessions-removed', { count: removed });
    await pause(roundPauseMs, signal);
  }
}
