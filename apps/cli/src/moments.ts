/** Parses and formats times of the command line. */

import { CliProblem } from './cli-problem.ts';

const units: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** Parses a span from `now` (`90d`, `12h`, `30m`, `2w`), into the future or the past, or a time with a zone. Throws `CliProblem`. */
export function momentFrom(text: string, now: number, direction: 1 | -1 = 1): string {
  const [, count, unit = ''] = /^(\d{1,6})([mhdw])$/.exec(text) ?? [];
  const span = units[unit];
  if (count !== undefined && span !== undefined) return new Date(now + direction * Number(count) * span).toISOString();
  const at = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d))?$/.test(text)
    ? Date.parse(text)
    : Number.NaN;
  if (Number.isFinite(at)) return new Date(at).toISOString();
  throw new CliProblem('usage', 'a time is a span such as 90d, 12h or 30m, or a date such as 2027-01-31T00:00:00Z');
}

/** To the minute, in UTC; a text that is not a time is returned unchanged. */
export function shownTime(text: string): string {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(text) ? `${text.slice(0, 10)} ${text.slice(11, 16)}Z` : text;
}
