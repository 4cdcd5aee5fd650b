/** Whether a refused request can be retried, and after which delay. */

import type { FlowgateError } from './flowgate-error.ts';

/** Temporary failures: too many requests, a slow body, a failing component, a node that did not answer, maintenance. */
const passingStatuses: readonly number[] = [408, 429, 500, 502, 503, 504];
const firstDelayMs = 250;
const maxDelayMs = 10_000;

/** Whether the same request may succeed later. This does not mean that repeating it is harmless. */
export function mayPass({ failure, status }: FlowgateError): boolean {
  if (failure.kind === 'no-answer') return true;
  return failure.kind === 'problem' ? failure.body.retryable : passingStatuses.includes(status);
}

/**
 * Milliseconds to wait before attempt `attempt + 1`: at least `Retry-After`, otherwise a doubling delay. Up to a quarter is added at random, so that clients
 * refused at the same time do not retry at the same time. `random` returns 0 to 1.
 */
export function retryDelayMs(error: FlowgateError, attempt: number, random: () => number): number {
  const minMs =
    error.retryAfter === undefined ? Math.min(firstDelayMs * 2 ** (attempt - 1), maxDelayMs) : error.retryAfter * 1000;
  return minMs * (1 + random() / 4);
}
