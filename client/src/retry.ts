/** The retries of a call: which failures, how often, and with which delays. */

import type { Deadline } from './deadline.ts';
import { FlowgateError } from './flowgate-error.ts';
import { mayPass, retryDelayMs } from './retry-delay.ts';

export type RetryOptions = {
  /**
   * Maximum number of retries after a temporary failure, each after the time in `Retry-After`, never beyond `timeoutMs`. Default: 2 for a `GET` answered with
   * 503; 3 for starts and submissions of sessions, which have idempotency keys; 0 otherwise. A request that may have had an effect is never retried, for any
   * value: minting, registrations, JSON-RPC methods other than plain reads, and in particular `eth_sendRawTransaction`.
   */
  readonly retries?: number | undefined;
  /**
   * In milliseconds; a refusal that requires a longer wait is thrown. Default 90,000, more than the gateway's window of 60 s; 10,000 when `retries` is omitted.
   */
  readonly maxDelayMs?: number | undefined;
};

/** `false`: no retries. */
export type Retry = false | RetryOptions;

/** A call's own retry rules. */
export type Repeatable = {
  readonly method: string;
  /** Whether repeating the call is harmless. */
  readonly repeatable: boolean;
  /** Number of retries when neither the call's options nor the client's set it. Omitted: `readRetries` after a 503 for a `GET`, otherwise none. */
  readonly defaultRetries?: number;
};

export type Repeating = {
  readonly retries: number;
  readonly after: (error: FlowgateError) => boolean;
  /** In milliseconds; a call does not wait longer than this. */
  readonly maxDelayMs: number;
};

/** A gateway that drains or waits for its database answers 503 with a time; a read is retried if that time is short. */
const readRetries = 2;
const maxUnaskedDelayMs = 10_000;
const maxDelayMs = 90_000;

export function repeatingOf(call: Repeatable, retry: Retry | undefined): Repeating {
  if (retry === false || !call.repeatable) return { retries: 0, after: () => false, maxDelayMs: 0 };
  const reported = retry?.retries ?? call.defaultRetries;
  if (reported !== undefined) {
    return { retries: reported, after: mayPass, maxDelayMs: retry?.maxDelayMs ?? maxDelayMs };
  }
  return {
    retries: call.method === 'GET' ? readRetries : 0,
    after: (error) => error.status === 503 && mayPass(error),
    maxDelayMs: retry?.maxDelayMs ?? maxUnaskedDelayMs,
  };
}

export async function withRetries<T>(
  { retries, after, maxDelayMs }: Repeating,
  deadline: Deadline,
  once: () => Promise<T>,
): Promise<T> {
  for (let attempts = 1; ; attempts++) {
    try {
      return await once();
    } catch (error) {
      const mayRepeat = attempts <= retries && !deadline.signal.aborted;
      if (!mayRepeat || !(error instanceof FlowgateError) || !after(error)) throw error;
      const delayMs = retryDelayMs(error, attempts, Math.random);
      // The refusal is more informative than the time-out that would follow.
      if (delayMs >= Math.min(deadline.remainingMs(), maxDelayMs)) throw error;
      await deadline.pause(delayMs);
    }
  }
}
