/** Runs the settlers of a job, round after round, while its streams continue. */

import type { Clock } from '@flowgate/base/clock';
import { Unavailable } from '@flowgate/base/unavailable';
import type { Lease } from '@flowgate/sql/coordination/lease-store';
import { ChainAway } from '../chain/chain-reader.ts';
import type { IndexJob, JobSettler } from './index-job.ts';
import type { IndexStore, StreamState } from './index-store.ts';
import { unlessEnded } from './unless-ended.ts';
import { Wake } from './wake.ts';

export type SettleDeps = {
  readonly store: Pick<IndexStore, 'states'>;
  readonly clock: Clock;
  /** A bug of a settler. */
  readonly onError: (settler: string, error: unknown) => void;
};

export type SettleRounds = {
  /** There is something new. `isBehind`: more blocks are to be read, so a round may wait. */
  readonly touch: (isBehind: boolean) => void;
  readonly run: (signal: AbortSignal) => Promise<void>;
};

/** The interval between two rounds during a back-fill, and while settlers have more to do. */
const apartMs = 1_000;
const moreAfterMs = 50;
/** The interval without news: some records are due by time alone. */
const idleMs = 5_000;

export function createSettleRounds({ store, clock, onError }: SettleDeps, job: IndexJob, lease: Lease): SettleRounds {
  const wake = new Wake();
  let isBehind = false;

  async function settle(settler: JobSettler, signal: AbortSignal): Promise<'done' | 'more'> {
    const all = await store.states();
    const states = job.streams.map(({ streamId }) => all.find((state) => state.streamId === streamId));
    const known = states.filter((state): state is StreamState => state !== undefined);
    if (known.length < states.length) return 'done';
    try {
      return await settler.settle({ states: known, lease, signal, nowMs: clock.now() });
    } catch (error) {
      if (!(error instanceof ChainAway) && !(error instanceof Unavailable) && !signal.aborted)
        onError(settler.name, error);
      return 'done';
    }
  }

  async function round(signal: AbortSignal): Promise<'done' | 'more'> {
    let outcome: 'done' | 'more' = 'done';
    for (const settler of job.settlers) {
      if (signal.aborted) return 'done';
      if ((await settle(settler, signal)) === 'more') outcome = 'more';
    }
    return outcome;
  }

  return {
    touch(behind) {
      isBehind = behind;
      if (!behind) wake.now();
    },
    async run(signal) {
      if (job.settlers.length === 0) return;
      while (!signal.aborted) {
        const outcome = await unlessEnded(unlessUnavailable(round(signal)), signal);
        const defaultMs = isBehind ? apartMs : idleMs;
        await wake.wait(outcome === 'more' ? moreAfterMs : defaultMs, signal);
      }
    },
  };
}

async function unlessUnavailable<T>(pending: Promise<T>): Promise<T | undefined> {
  try {
    return await pending;
  } catch (error) {
    if (error instanceof Unavailable) return undefined;
    throw error;
  }
}
