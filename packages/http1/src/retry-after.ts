/** Reads the header `Retry-After`: seconds or a date (RFC 9110 10.2.3). */

const day = '(?:mon|tue|wed|thu|fri|sat|sun)';
const month = '[a-z]{3}';
const time = String.raw`\d\d:\d\d:\d\d`;
/** The three forms of RFC 9110 5.6.7. The last one names no zone, and means UTC. */
const fixDate = new RegExp(String.raw`^${day}, \d\d ${month} \d{4} ${time} gmt$`, 'i');
const rfc850Date = new RegExp(String.raw`^${day}[a-z]{3,6}, \d\d-${month}-\d\d ${time} gmt$`, 'i');
const asctimeDate = new RegExp(String.raw`^${day} ${month} [\d ]\d ${time} \d{4}$`, 'i');

/** Milliseconds from `nowMs`; 0 for a time that is past, absent or unreadable. */
export function retryAfterMs(value: string | undefined, nowMs: number): number {
  if (value === undefined) return 0;
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1000;
  const atMs =
    fixDate.test(value) || rfc850Date.test(value)
      ? Date.parse(value)
      : asctimeDate.test(value)
        ? Date.parse(`${value} GMT`)
        : Number.NaN;
  return Number.isNaN(atMs) ? 0 : Math.max(0, atMs - nowMs);
}
