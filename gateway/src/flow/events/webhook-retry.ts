/** When a delivery that failed is tried again: soon at first, then ever later, for about a day (contract/events#webhooks). */

const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;

/** After the first failure, the second, and so on; 23 hours and 43 minutes together. */
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
/** Endpoints that fail together do not come back together: each pause is between three and five quarters of the table's. */
const jitter = 0.25;
/** An endpoint may ask for more time than the table gives, up to this. */
const longestAskedMs = hourMs;

/**
 * Which attempt of the table a claim is, from 1: as many as were claimed, but no more than there was time for. A gateway that dies again and again claims without sending
 * anything, and an endpoint that was never asked must not wait for hours, nor be given up.
 */
export function attemptOf(claims: number, ageMs: number): number {
  let neededMs = 0;
  let attempt = 1;
  for (const pauseMs of pausesMs) {
    neededMs += pauseMs * (1 - jitter);
    if (attempt >= claims || ageMs < neededMs) break;
    attempt += 1;
  }
  return attempt;
}

/**
 * Milliseconds until the attempt after the failed one of this number, from 1; `undefined` when it was the last. `chance` is from 0 to 1. `askedMs` is what the endpoint's
 * Retry-After says.
 */
export function retryPauseMs(attempt: number, chance: number, askedMs = 0): number | undefined {
  const pauseMs = pausesMs[attempt - 1];
  if (pauseMs === undefined) return undefined;
  const spreadMs = pauseMs * (1 - jitter + 2 * jitter * chance);
  return Math.round(Math.max(spreadMs, Math.min(askedMs, longestAskedMs)));
}

/** Retry-After (RFC 9110 10.2.3), seconds or a date, as milliseconds from now; 0 when it says nothing that can be read. */
export function retryAfterMs(header: string | undefined, nowMs: number): number {
  if (header === undefined) return 0;
  if (/^\d{1,9}$/.test(header)) return Number(header) * secondMs;
  const atMs = /^[A-Za-z]{3}, \d\d [A-Za-z]{3} \d{4} \d\d:\d\d:\d\d GMT$/.test(header)
    ? Date.parse(header)
    : Number.NaN;
  return Number.isNaN(atMs) ? 0 : Math.max(0, atMs - nowMs);
}
