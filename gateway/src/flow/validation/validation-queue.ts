/** The queue in front of the validation worker: one piece of work at a time, fair to apps and their users, bounded in entries and in time. */

import type { Clock } from '../../platform/clock.ts';
import { type Asker, createAskerQueue } from './asker-queue.ts';
import type { ValidationWork } from './worker-runner.ts';
import { createWorkerRunner, type WorkerRunnerOptions, type WorkOutcome } from './worker-runner.ts';

/** Pieces that wait, each of at most 1 MiB. */
const mostWaiting = { most: 64, mostOfApp: 16, mostOfUser: 4 };
/** Callers wait no longer for their turn than that. */
const mostWaitingMs = 10_000;

/** For one piece. None is known that takes half as long. */
const mostWorkMs = 5_000;

export type ValidationQueueOptions = Omit<WorkerRunnerOptions, 'mostMs'> & {
  readonly clock: Pick<Clock, 'monotonic'>;
  /** What an app wrote took too long, or the thread died of it. */
  readonly onTrouble: (appId: string, trouble: 'late' | 'died') => void;
  readonly mostWorkMs?: number;
  readonly mostWaitingMs?: number;
};

/** `crowded`: there is no room or no time for it now, or the gateway stops. */
export type QueueOutcome = WorkOutcome | 'crowded';

export type ValidationQueue = {
  /** Never rejects. */
  readonly run: (asker: Asker, work: ValidationWork) => Promise<QueueOutcome>;
  /** Ends the thread; whoever waits for it has waited in vain. */
  readonly close: () => void;
};

type Waiting = { readonly work: ValidationWork; readonly settle: (outcome: QueueOutcome) => void };

export function createValidationQueue(options: ValidationQueueOptions): ValidationQueue {
  const { clock, timerWheel } = options;
  const queue = createAskerQueue<Waiting>(mostWaiting);
  const thread = createWorkerRunner({ ...options, mostMs: options.mostWorkMs ?? mostWorkMs });
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
        const settle = (outcome: QueueOutcome) => {
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
