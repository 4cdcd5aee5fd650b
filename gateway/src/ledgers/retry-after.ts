/** `Retry-After` of an answer: seconds or a date (RFC 9110 10.2.3). */

/** Milliseconds from `nowMs` on; 0 for what is past or cannot be read. */
export function retryAfterMs(value: string, nowMs: number): number {
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1000;
  const atMs = /^[a-z]{3,9},? /i.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(atMs) ? 0 : Math.max(0, atMs - nowMs);
}
