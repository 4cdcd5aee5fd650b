/** Waits that end after a time, or when a signal is aborted. */

/**
 * Returns the outcome of `pending`, or `late` after `ms` milliseconds. A later outcome is dropped, also a rejection.
 */
export async function settledWithin<T>(ms: number, pending: Promise<T>): Promise<T | undefined>;
export async function settledWithin<T, Late>(ms: number, pending: Promise<T>, late: Late): Promise<T | Late>;
export async function settledWithin<T>(ms: number, pending: Promise<T>, late?: unknown): Promise<unknown> {
  const { promise, resolve } = Promise.withResolvers<unknown>();
  const timer = setTimeout(resolve, ms, late);
  try {
    return await Promise.race([pending, promise]);
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
