/** What a job does not wait for when it ends. */

import { unlessAborted } from '@flowgate/async/bounded-waits';

/** A range that is being stored has so long; a node that does not answer may take minutes, and is not waited for. */
const graceMs = 1_000;

/** Undefined when `pending` is not over soon after `signal` was aborted: it continues, and the lease keeps it from storing anything. */
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
