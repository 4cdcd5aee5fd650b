/** Shares the event loop between long jobs and everything else: jobs run a step at a time, in turn, for a few milliseconds in each turn of the loop. */
import type { Clock } from './clock.ts';

export type TimeSlices = {
  /**
   * Calls `step` until it says that it is done. A short job is done, and its promise settled, at once, unless others are being worked on. A
   * step should take well under a millisecond. What it throws rejects.
   */
  readonly run: (step: () => boolean) => Promise<void>;
};

/** All jobs together have the event loop no longer than that at a stretch, but for the step that overruns it. */
const usualSliceMs = 3;

/** Runs a generator's body a step at a time: it yields where others may have their turn, and its result is what it returns. */
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

/** The result of such a body for whoever has the event loop to himself. */
export function runAtOnce<T>(steps: Iterator<undefined, T>): T {
  let last = steps.next();
  while (last.done !== true) last = steps.next();
  return last.value;
}

type Job = { readonly step: () => boolean; readonly resolve: () => void; readonly reject: (cause: unknown) => void };

export function createTimeSlices(clock: Pick<Clock, 'monotonic'>, sliceMs = usualSliceMs): TimeSlices {
  const jobs: Job[] = [];
  /** Whether a turn is to come; until then this turn's time is spent. */
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
