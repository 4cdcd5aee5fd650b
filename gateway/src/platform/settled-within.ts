/** Waits for a promise, but not for ever. */

/** Resolves when `settled` does, or after `ms` milliseconds; rejects when it rejects before. */
export async function settledWithin(ms: number, settled: Promise<unknown>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  try {
    await Promise.race([settled, promise]);
  } finally {
    clearTimeout(timer);
  }
}
