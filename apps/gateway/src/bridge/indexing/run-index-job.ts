/** Runs a leader's job while it leads. Each stream continues on its own, regardless of the others. */

import { backOffMs } from '@flowgate/async/back-off';
import { Unavailable } from '@flowgate/base/unavailable';
import type { Lease } from '@flowgate/sql/coordination/lease-store';
import type { IndexJob, JobStream } from './index-job.ts';
import type { IndexWatch } from './index-watch.ts';
import { createSettleRounds } from './settle-rounds.ts';
import { createStreamFollower, type FollowDeps, type TurnOutcome } from './stream-follower.ts';
import { unlessEnded } from './unless-ended.ts';
import { Wake } from './wake.ts';

export type IndexDeps = Omit<FollowDeps, 'watch' | 'onStored'> & {
  /** The interval between two checks of a chain without new blocks. */
  readonly pollMs: number;
  readonly watchOf: (stream: JobStream) => IndexWatch;
  /** A bug of a settler. */
  readonly onSettlerError: (settler: string, error: unknown) => void;
};

/** The delay while a stream is blocked. */
const failing = { firstMs: 250, maxMs: 5_000 } as const;
const maxFailures = 8;
/** Consecutive turns of a stream that has more to do; then others run. */
const maxAtOnce = 10;

/** Runs until `signal` is aborted, and at most a moment longer. */
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
