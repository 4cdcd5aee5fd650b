/** Work whose result nobody waits for once a signal is aborted. */

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
