/** The times at which a failed delivery is retried: soon at first, then at growing intervals, for about a day (contract/events#webhooks). */

import { spreadMs } from '@flowgate/async/back-off';

const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;

/** The pauses after the first failure, the second, and so on: 23 hours and 43 minutes together. */
const pausesMs = [
  5 * secondMs,
  30 * secondMs,
  2 * minuteMs,
  10 * minuteMs,
  30 * minuteMs,
  1 * hourMs,
  2 * hourMs,
  4 * hourMs,
  8 * hourMs,
  8 * hourMs,
];
/** Spreads retries: each pause is between 75 % and 125 % of the table's. */
const jitter = 0.25;
/** The maximum `Retry-After` that is honored. */
const maxAskedMs = hourMs;

/**
 * The number of an attempt, from 1: the number of leases on the delivery, but at most the number of attempts for which there was time. A gateway that crashes repeatedly acquires
 * leases without sending anything; these must neither delay the delivery for hours nor end it.
 */
export function attemptOf(leases: number, ageMs: number): number {
  let neededMs = 0;
  let attempt = 1;
  for (const pauseMs of pausesMs) {
    neededMs += pauseMs * (1 - jitter);
    if (attempt >= leases || ageMs < neededMs) break;
    attempt += 1;
  }
  return attempt;
}

/** Milliseconds until the next attempt after failed attempt number `attempt`, from 1; `undefined` if it was the last. `chance` is from 0 to 1. `askedMs` is the endpoint's `Retry-After`. */
export function retryPauseMs(attempt: number, chance: number, askedMs = 0): number | undefined {
  const pauseMs = pausesMs[attempt - 1];
  if (pauseMs === undefined) return undefined;
  return Math.round(Math.max(spreadMs(pauseMs, jitter, chance), Math.min(askedMs, maxAskedMs)));
}
