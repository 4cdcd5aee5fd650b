/** The leader's job on stored usage: adds minutes to hours and hours to days, and deletes old rows, a bounded piece at a time (docs/decisions/0114). */

import { pause } from '@flowgate/async/bounded-waits';
import type { Clock } from '@flowgate/base/clock';
import type { Lease } from '@flowgate/sql/coordination/lease-store';
import { bucketMs, storedMs } from './usage-query.ts';
import { type UsageStore, usageLevels } from './usage-store.ts';

export type KeepUsageDeps = {
  readonly store: Pick<UsageStore, 'rollUp' | 'removePoints' | 'removeSeries'>;
  readonly clock: Pick<Clock, 'now' | 'monotonic'>;
};

const roundMs = 300_000;
/** After this time nearly all gateways have written a minute or an hour; what arrives later is added in the next round. */
const graceMs = 60_000;
const removedAtOnce = 1_000;
/** Series may be written for a day without a new time of use. */
const seriesGraceMs = 3 * 86_400_000;
/** The minimum pause between two pieces. */
const shortestPauseMs = 20;

/** One round. Throws `Unavailable`; the next round continues. */
export async function keepUsageOnce({ store, clock }: KeepUsageDeps, lease: Lease, signal: AbortSignal): Promise<void> {
  /** Pauses for at least as long as the piece took, so that the storage has time for other work. */
  const inTurn = async <T>(piece: () => Promise<T>): Promise<T> => {
    const startedAtMs = clock.monotonic();
    const done = await piece();
    await pause(Math.max(shortestPauseMs, clock.monotonic() - startedAtMs), signal);
    return done;
  };
  const nowMs = clock.now();
  for (const from of ['minute', 'hour'] as const) {
    const beforeMs = nowMs - bucketMs[from] - graceMs;
    let place = await store.rollUp(from, beforeMs, undefined, lease);
    while (place !== undefined && !signal.aborted) {
      const after = place;
      place = await inTurn(() => store.rollUp(from, beforeMs, after, lease));
    }
  }
  for (const level of usageLevels)
    while (!signal.aborted)
      if ((await inTurn(() => store.removePoints(level, nowMs - storedMs[level], removedAtOnce))) < removedAtOnce)
        break;
  while (!signal.aborted)
    if ((await inTurn(() => store.removeSeries(nowMs - storedMs.day - seriesGraceMs, removedAtOnce))) < removedAtOnce)
      break;
}

/** Rounds until the signal is aborted. Throws `Unavailable`; the leader then starts the job again. */
export async function keepUsage(deps: KeepUsageDeps, lease: Lease, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await keepUsageOnce(deps, lease, signal);
    await pause(roundMs, signal);
  }
}
