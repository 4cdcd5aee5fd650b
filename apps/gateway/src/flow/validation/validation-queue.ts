/** The queue of the validation worker: one piece of work at a time, fair to apps and their users, bounded in entries and in time. */

import type { Clock } from '@flowgate/base/clock';
import { type Asker, createAskerQueue } from './asker-queue.ts';
import type { ValidationWork } from './worker-runner.ts';
import { createWorkerRunner, type WorkerRunnerOptions, type WorkOutcome } from './worker-runner.ts';

/** Maximum number of waiting pieces; each has at most 1 MiB. */
const maxWaiting = { max: 64, maxOfApp: 16, maxOfUser: 4 };
/** Maximum milliseconds of waiting for a turn. */
const maxWaitingMs = 10_000;

/** Maximum milliseconds for one piece. No known input takes half as long. */
const maxWorkMs = 5_000;

export type ValidationQueueOptions = Omit<WorkerRunnerOptions, 'maxMs'> & {
  readonly clock: Pick<Clock, 'monotonic'>;
  /** Called if something that an app wrote took too long, or crashed the worker. */
  readonly onTrouble: (appId: string, trouble: 'late' | 'died') => void;
  readonly maxWorkMs?: number;
  readonly maxWaitingMs?: number;
};

/** `crowded`: the queue was full, the wait was too long, or the gateway is stopping. */
export type QueueOutcome = WorkOutcome | 'crowded';

export type ValidationQueue = {
  /** Never rejects. */
  readonly run: (asker: Asker, work: ValidationWork) => Promise<QueueOutcome>;
  /** Ends the worker. Waiting work settles as `crowded`, running work as `died`. */
  readonly close: () => void;
};

type Waiting = { readonly work: ValidationWork; readonly settle: (outcome: QueueOutcome) => void };

export function createValidationQueue(options: ValidationQueueOptions): ValidationQueue {
  const { clock, timerWheel } = options;
  const queue = createAskerQueue<Waiting>(maxWaiting);
  const thread = createWorkerRunner({ ...options, maxMs: options.maxWorkMs ?? maxWorkMs });
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
        const deadline = timerWheel.arm(options.maxWaitingMs ?? maxWaitingMs, () => {
          // Work that has begun is no longer in the queue.
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
