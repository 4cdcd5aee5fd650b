/** A wait that ends early when it is told to. */

/** Resolves after `ms`, or as soon as the signal is aborted. It leaves nothing behind on the signal, which may outlive any number of pauses. */
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
