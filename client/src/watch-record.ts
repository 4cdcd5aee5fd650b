/** Polls a record until it is final, and yields it after each change. */

import { pause } from './deadline.ts';
import { FlowgateError } from './flowgate-error.ts';
import { mayPass, retryDelayMs } from './retry-delay.ts';
import type { CallOptions } from './transport.ts';

export type WatchOptions = {
  /** Milliseconds between two polls. Default 4,000. */
  readonly everyMs?: number | undefined;
  /** Ends the loop, which then throws the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** How many polls in a row may fail temporarily before the loop throws. Default 10. */
  readonly retries?: number | undefined;
};

/** Yields the record now and after each change; ends with the one that `isOver`. Only the signal limits its time. */
export async function* watchRecord<T>(
  look: (options: CallOptions) => Promise<T>,
  isOver: (record: T) => boolean,
  { everyMs = 4000, signal = new AbortController().signal, retries = 10 }: WatchOptions = {},
): AsyncGenerator<T> {
  let reported: string | undefined;
  for (let failures = 0; ; ) {
    signal.throwIfAborted();
    let waitMs = everyMs;
    try {
      const record = await look({ signal });
      failures = 0;
      const text = JSON.stringify(record);
      if (text !== reported) yield record;
      reported = text;
      if (isOver(record)) return;
    } catch (error) {
      signal.throwIfAborted();
      failures += 1;
      if (!(error instanceof FlowgateError) || !mayPass(error) || failures > retries) throw error;
      waitMs = Math.max(everyMs, retryDelayMs(error, failures, Math.random));
    }
    await pause(waitMs, signal);
  }
}
