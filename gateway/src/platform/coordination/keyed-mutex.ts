/** Lets what bears the same name happen one after another, so that many of one name cannot use up what all share. */

import { startLoopDeadline } from '../loop-deadline.ts';

export class Turns {
  readonly #tails = new Map<string, Promise<void>>();

  /** Runs `work` when everything before it under `name` has settled; rejects with `late()`, and never runs it, when that takes longer than `maxWaitMs`. */
  async take<T>(name: string, maxWaitMs: number, work: () => Promise<T>, late: () => Error): Promise<T> {
    const before = this.#tails.get(name);
    const { promise: done, resolve: leave } = Promise.withResolvers<void>();
    // Who gives up waiting still stands in the queue until those before are through.
    const tail = before === undefined ? done : before.then(() => done);
    this.#tails.set(name, tail);
    void tail.then(() => {
      if (this.#tails.get(name) === tail) this.#tails.delete(name);
    });
    try {
      if (before !== undefined) await within(before, maxWaitMs, late);
      return await work();
    } finally {
      leave();
    }
  }

  /** Names under which something runs or waits. */
  get size(): number {
    return this.#tails.size;
  }
}

async function within(before: Promise<void>, maxWaitMs: number, late: () => Error): Promise<void> {
  const { promise, reject } = Promise.withResolvers<never>();
  const stop = startLoopDeadline(maxWaitMs, () => reject(late()));
  try {
    await Promise.race([before, promise]);
  } finally {
    stop();
  }
}
