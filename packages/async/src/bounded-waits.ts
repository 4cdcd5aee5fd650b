/** Waits that end after a time, or when a signal is aborted. */

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

/** Resolves after `ms`, or as soon as the signal is aborted. Leaves no listener on the signal, which may outlive many pauses. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const end = () => resolve();
  const timer = setTimeout(end, ms);
  signal.addEventListener('abort', end, { once: true });
  try {
    await promise;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', end);
  }
}

/** Resolves with undefined when the signal is aborted first. `pending` must never reject. Removes its listener from the signal. */
export async function unlessAborted<T>(pending: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  if (signal.aborted) return undefined;
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const end = () => resolve(undefined);
  signal.addEventListener('abort', end, { once: true });
  try {
    return await Promise.race([pending, promise]);
  } finally {
    signal.removeEventListener('abort', end);
  }
}
