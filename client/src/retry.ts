/** What a call repeats by itself and at its caller's wish, how often, and how long it waits for that. */

import type { Deadline } from './deadline.ts';
import { FlowgateError } from './flowgate-error.ts';
import { mayPass, retryDelayMs } from './retry-delay.ts';

export type RetryOptions = {
  /**
   * The most retries after a temporary failure, each after the time in `Retry-After`, never beyond `timeoutMs`. Left out: 2 for a `GET` that was answered 503; 3 for
   * a session's start and a step's submission, whose idempotency keys make that safe; 0 for everything else. What may have happened is never repeated, whatever is
   * asked for: a mint, a registration, a JSON-RPC method that is no plain read, `eth_sendRawTransaction` above all.
   */
  readonly retries?: number | undefined;
  /** A refusal that asks for a longer wait is thrown instead. Default 90 000, which is beyond the gateway's window of 60 s; 10 000 when `retries` is left out. */
  readonly maxDelayMs?: number | undefined;
};

/** `false`: nothing is repeated. */
export type Retry = false | RetryOptions;

/** What a call itself says about being repeated. */
export type Repeatable = {
  readonly method: string;
  /** Whether executing it twice is as good as once. */
  readonly repeatable: boolean;
  /** The number of retries when neither the call's options nor the client's say. Left out: `readRetries` after a 503 for a `GET`, otherwise none. */
  readonly defaultRetries?: number;
};

export type Repeating = {
  readonly retries: number;
  readonly after: (error: FlowgateError) => boolean;
  /** A call does not wait longer than this. */
  readonly maxDelayMs: number;
};

/** A gateway that drains or waits for its database answers 503 with a time: a read repeats itself if that is soon. */
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
      // The refusal says more than the time-out that would follow.
      if (delayMs >= Math.min(deadline.remainingMs(), maxDelayMs)) throw error;
      await deadline.pause(delayMs);
    }
  }
}
