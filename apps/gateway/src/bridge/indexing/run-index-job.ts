/** Does a leader's job for as long as it leads: each stream continues by itself, whatever keeps the others. */

import { backOffMs } from '@flowgate/async/back-off';
import { Unavailable } from '@flowgate/base/unavailable';
import type { Lease } from '@flowgate/sql/coordination/lease-store';
import { createStreamFollower, type FollowDeps, type TurnOutcome } from './follow-stream.ts';
import type { IndexJob, JobStream } from './index-job.ts';
import type { IndexWatch } from './index-watch.ts';
import { createSettleRounds } from './settle-rounds.ts';
import { unlessEnded } from './unless-ended.ts';
import { Wake } from './wake.ts';

export type IndexDeps = Omit<FollowDeps, 'watch' | 'onStored'> & {
  /** Between two looks at a chain of which no one tells anything new. */
  readonly pollMs: number;
  readonly watchOf: (stream: JobStream) => IndexWatch;
  /** A bug of a settler. */
  readonly onSettlerError: (settler: string, error: unknown) => void;
};

/** While something keeps a stream from going on. */
const failing = { firstMs: 250, maxMs: 5_000 } as const;
const maxFailures = 8;
/** Turns that say that there is more at once, in a row: then others have their time. */
const maxAtOnce = 10;

/** Until `signal` is aborted, and a moment longer at most. */
export async function runIndexJob(deps: IndexDeps, job: IndexJob, lease: Lease, signal: AbortSignal): Promise<void> {
  const settling = createSettleRounds({ ...deps, onError: deps.onSettlerError }, job, lease);
  const following = job.streams.map((stream) => follow(deps, stream, lease, settling.touch, signal));
  await Promise.all([...following, settling.run(signal)]);
}

async function follow(
  deps: IndexDeps,
  stream: JobStream,
  lease: Lease,
  touch: (isBehind: boolean) => void,
  signal: AbortSignal,
): Promise<void> {
  const { pollMs } = deps;
  const wake = new Wake();
  const watch = deps.watchOf(stream);
  const follower = createStreamFollower({ ...deps, watch, onStored: touch }, stream, lease);
  const stopFollowing = stream.side.network.heads?.follow({ changed: () => wake.now(), lost: () => wake.now() });
  let failures = 0;
  let atOnce = 0;
  try {
    while (!signal.aborted) {
      const outcome = await unlessEnded(turn(), signal);
      atOnce = outcome === 'again' ? atOnce + 1 : 0;
      failures = outcome === 'waiting' ? failures + 1 : 0;
      if (outcome === 'again' && atOnce < maxAtOnce) continue;
      touch(false);
      const failingMs = backOffMs(failing, Math.min(failures, maxFailures));
      await wake.wait(outcome === 'waiting' ? failingMs : pollMs, signal);
    }
  } finally {
    stopFollowing?.();
    watch.ended();
  }

  async function turn(): Promise<TurnOutcome> {
    try {
      return await follower.turn(signal);
    } catch (error) {
      if (signal.aborted) return 'waiting';
      if (error instanceof Unavailable) watch.failed('storage', 'the database does not answer');
      else watch.error(error);
      return 'waiting';
    }
  }
}
