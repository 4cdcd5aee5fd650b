/** Gives users of apps their turns at the reading thread: one piece of work at a time, fairly, and within bounds of room and time. */

import type { Clock } from '../../platform/clock.ts';
import { type Asker, createAskerQueue } from './asker-queue.ts';
import {
  createReadingThread,
  type ReadingOutcome,
  type ReadingThreadOptions,
  type ReadingWork,
} from './reading-thread.ts';

/** Pieces that wait, each of at most 1 MiB. */
const mostWaiting = { most: 64, mostOfApp: 16, mostOfUser: 4 };
/** Callers wait no longer for their turn than that. */
const mostWaitingMs = 10_000;

/** For one piece. None is known that takes half as long. */
const mostReadingMs = 5_000;

export type ReadingTurnsOptions = Omit<ReadingThreadOptions, 'mostMs'> & {
  readonly clock: Pick<Clock, 'monotonic'>;
  /** What an app wrote took too long, or the thread died of it. */
  readonly onTrouble: (appId: string, trouble: 'late' | 'died') => void;
  readonly mostReadingMs?: number;
  readonly mostWaitingMs?: number;
};

/** `crowded`: there is no room or no time for it now, or the gateway stops. */
export type TurnOutcome = ReadingOutcome | 'crowded';

export type ReadingTurns = {
  /** Never rejects. */
  readonly run: (asker: Asker, work: ReadingWork) => Promise<TurnOutcome>;
  /** Ends the thread; whoever waits for it has waited in vain. */
  readonly close: () => void;
};

type Waiting = { readonly work: ReadingWork; readonly settle: (outcome: TurnOutcome) => void };

export function createReadingTurns(options: ReadingTurnsOptions): ReadingTurns {
  const { clock, timerWheel } = options;
  const queue = createAskerQueue<Waiting>(mostWaiting);
  const thread = createReadingThread({ ...options, mostMs: options.mostReadingMs ?? mostReadingMs });
  let isBusy = false;
  let isClosed = false;

  async function serve(): Promise<void> {
    if (isBusy) return;
    isBusy = true;
    for (let turn = queue.next(); turn !== undefined; turn = queue.next()) {
      const { asker, item } = turn;
      const beganAt = clock.monotonic();
      const outcome = isClosed ? 'crowded' : await thread.run(item.work);
      queue.charge(asker, clock.monotonic() - beganAt);
      if (!isClosed && (outcome === 'late' || outcome === 'died')) options.onTrouble(asker.appId, outcome);
      item.settle(outcome);
    }
    isBusy = false;
  }

  return {
    run: (asker, work) =>
      new Promise((resolve) => {
        const deadline = timerWheel.arm(options.mostWaitingMs ?? mostWaitingMs, () => {
          // Whose turn has come is no longer in the queue.
          if (queue.remove(asker, waiting)) resolve('crowded');
        });
        const settle = (outcome: TurnOutcome) => {
          timerWheel.disarm(deadline);
          resolve(outcome);
        };
        const waiting = { work, settle };
        if (isClosed || !queue.add(asker, waiting)) settle('crowded');
        else void serve();
      }),
    close() {
      isClosed = true;
      thread.close();
    },
  };
}
