/** Relative times: "3 minutes ago", "in 2 hours". Beyond a day: the date in the browser's time zone. */

const steps = [
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

const daySeconds = 86_400;
const words = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const dates = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium' });
const exact = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'long' });

export function relativeTime(at: Date, now: Date): string {
  const seconds = Math.round((at.getTime() - now.getTime()) / 1_000);
  if (Math.abs(seconds) >= daySeconds) return dates.format(at);
  const [unit, length] = steps.find(([, each]) => Math.abs(seconds) >= each) ?? ['second', 1];
  return Math.abs(seconds) < 5 ? 'just now' : words.format(Math.trunc(seconds / length), unit);
}

export const dateWords = (at: Date): string => dates.format(at);

export const exactTime = (at: Date): string => exact.format(at);
