/** Runs the validation worker: starts it for the first piece of work, terminates it if a piece takes too long, and starts a new one after a crash. */

import type { Deadline, TimerWheel } from '@flowgate/async/timer-wheel';
import type { ContentFilterOptions } from '@flowgate/content-filter/content-filter-settings';
import type { AppResponse } from '@flowgate/flow-format/app-responses/read-response';
import type { PatternedText } from '@flowgate/flow-format/fields/field-pattern';
import type { SecretScan } from '@flowgate/flow-format/secrets/secret-mark';

/** One piece of work. The worker does one at a time. */
export type ValidationWork =
  | { readonly response: AppResponse }
  | { readonly patterned: readonly PatternedText[] }
  | AppDataWork;

/** JSON text of app data to be shown, the secrets that it must not contain, and the domains to which its texts may link. */
export type AppDataWork = {
  readonly appData: string;
  readonly secrets: SecretScan;
  readonly linkDomains: readonly string[];
};

export type ToWorker = { readonly settings: ContentFilterOptions } | ValidationWork;

/**
 * `result` is JSON text: a `ResponseReading`, the problems of patterns, or the filter's denial or null. Posting large responses as objects would take the event loop ten times as
 * long as parsing their text.
 */
export type FromWorker = 'ready' | { readonly result: string };

export type WorkerRunnerOptions = {
  readonly settings: ContentFilterOptions;
  readonly timerWheel: TimerWheel;
  /** Maximum milliseconds for one piece of work, without the start of the worker. */
  readonly maxMs: number;
  readonly spawn?: () => Worker;
};

/** JSON text. `late`: it took too long. `died`: the worker crashed or was closed. */
export type WorkOutcome = { readonly result: string } | 'late' | 'died';

export type WorkerRunner = {
  /** Call it again only after the previous promise has settled. Never rejects. */
  readonly run: (work: ValidationWork) => Promise<WorkOutcome>;
  /** Terminates the worker; running work settles as `died`. */
  readonly close: () => void;
};

/** Loading the modules takes seconds on a busy machine. */
const maxStartMs = 30_000;

type Job = { readonly work: ValidationWork; readonly settle: (outcome: WorkOutcome) => void };
type Running = { readonly worker: Worker; isReady: boolean; job?: Job | undefined; deadline: Deadline };

export function createWorkerRunner(options: WorkerRunnerOptions): WorkerRunner {
  const { timerWheel, settings } = options;
  let current: Running | undefined;

  function start(): Running {
    const worker = (options.spawn ?? spawnWorker)();
    const deadline = timerWheel.arm(maxStartMs, () => end(running, 'died'));
    const running: Running = { worker, isReady: false, deadline };
    worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
      if (data === 'ready') {
        running.isReady = true;
        timerWheel.disarm(deadline);
        begin(running);
      } else settle(running, data);
    };
    worker.addEventListener('error', (event) => {
      event.preventDefault();
      end(running, 'died');
    });
    worker.addEventListener('close', () => end(running, 'died'));
    post(worker, { settings });
    return running;
  }

  function begin(running: Running): void {
    if (running.job === undefined) return;
    running.deadline = timerWheel.arm(options.maxMs, () => end(running, 'late'));
    post(running.worker, running.job.work);
  }

  function settle(running: Running, outcome: WorkOutcome): void {
    const { job } = running;
    running.job = undefined;
    timerWheel.disarm(running.deadline);
    job?.settle(outcome);
  }

  /** Terminates a worker in any state, and forgets it. */
  function end(running: Running, outcome: WorkOutcome): void {
    if (current === running) current = undefined;
    running.worker.terminate();
    settle(running, outcome);
  }

  return {
    run: (work) =>
      new Promise((resolve) => {
        current ??= start();
        current.job = { work, settle: resolve };
        if (current.isReady) begin(current);
      }),
    close() {
      if (current !== undefined) end(current, 'died');
    },
  };
}

function post(worker: Worker, message: ToWorker): void {
  worker.postMessage(message);
}

function spawnWorker(): Worker {
  return new Worker(new URL('./validation-worker.ts', import.meta.url).href);
}
