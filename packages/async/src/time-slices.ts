/** Divides long jobs into time slices, so that the event loop stays responsive: jobs take turns, a step at a time, for a few milliseconds in each turn of the loop. */
import type { Clock } from '@flowgate/base/clock';

export type TimeSlices = {
  /**
   * Calls `step` until it returns true. A short job completes, and its promise settles, at once, unless other jobs are
   * running. A step should take well under a millisecond. Rejects with an error of `step`.
   */
  readonly run: (step: () => boolean) => Promise<void>;
};

/** The maximum time for which all jobs together block the event loop, apart from the step that exceeds it. */
const defaultSliceMs = 3;

/** Runs a generator in slices: it yields where other jobs may run. Resolves with its return value. */
export async function runInSlices<T>(slices: TimeSlices, steps: Iterator<undefined, T>): Promise<T> {
  const done = Promise.withResolvers<T>();
  const step = (): boolean => {
    const next = steps.next();
    if (next.done === true) done.resolve(next.value);
    return next.done === true;
  };
  await slices.run(step);
  return done.promise;
}

/** Runs such a generator to its end at once, where no other work needs the event loop. */
export function runAtOnce<T>(steps: Iterator<undefined, T>): T {
  let last = steps.next();
  while (last.done !== true) last = steps.next();
  return last.value;
}

type Job = { readonly step: () => boolean; readonly resolve: () => void; readonly reject: (cause: unknown) => void };

export function createTimeSlices(clock: Pick<Clock, 'monotonic'>, sliceMs = defaultSliceMs): TimeSlices {
  const jobs: Job[] = [];
  /** Whether a turn is scheduled; until then this turn's time is used up. */
  let isSpent = false;

  function slice(): void {
    const endMs = clock.monotonic() + sliceMs;
    for (let job = jobs.shift(); job !== undefined; job = jobs.shift()) {
      if (!isDone(job)) jobs.push(job);
      if (clock.monotonic() >= endMs) break;
    }
    isSpent = true;
    setImmediate(turn);
  }

  function turn(): void {
    if (jobs.length > 0) slice();
    else isSpent = false;
  }

  return {
    run: (step) =>
      new Promise((resolve, reject) => {
        jobs.push({ step, resolve, reject });
        if (!isSpent) slice();
      }),
  };
}

function isDone({ step, resolve, reject }: Job): boolean {
  try {
    if (!step()) return false;
    resolve();
  } catch (cause) {
    reject(cause);
  }
  return true;
}
