/**
 * A mutex for each key: work under one key runs one after another, so that many calls of one key cannot use up a shared
 * resource.
 */

import { startLoopDeadline } from './loop-deadline.ts';

export class KeyedMutex {
  readonly #tails = new Map<string, Promise<void>>();

  /** Runs `work` when everything before it under `key` has settled. Rejects with `late()`, without running it, when that takes longer than `maxWaitMs`. */
  async runExclusive<T>(key: string, maxWaitMs: number, work: () => Promise<T>, late: () => Error): Promise<T> {
    const before = this.#tails.get(key);
    const { promise: done, resolve: leave } = Promise.withResolvers<void>();
    // A call that gave up stays in the queue until the calls before it have settled.
    const tail = before === undefined ? done : before.then(() => done);
    this.#tails.set(key, tail);
    void tail.then(() => {
      if (this.#tails.get(key) === tail) this.#tails.delete(key);
    });
    try {
      if (before !== undefined) await within(before, maxWaitMs, late);
      return await work();
    } finally {
      leave();
    }
  }

  /** The number of keys under which work runs or waits. */
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
