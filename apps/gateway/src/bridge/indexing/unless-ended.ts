/** Limits how long a job waits when it ends. */

import { unlessAborted } from '@flowgate/async/bounded-waits';

/** The time to store a range. A node may take minutes to answer, and is not awaited. */
const graceMs = 1_000;

/** Undefined when `pending` does not settle soon after `signal` is aborted. It continues, but without the lease it cannot store anything. */
export async function unlessEnded<T>(pending: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  const late = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const end = () => {
    timer = setTimeout(() => late.abort(), graceMs);
  };
  if (signal.aborted) end();
  else signal.addEventListener('abort', end, { once: true });
  try {
    return await unlessAborted(pending, late.signal);
  } finally {
    signal.removeEventListener('abort', end);
    clearTimeout(timer);
  }
}
