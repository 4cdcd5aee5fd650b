/** Times as people say them: "3 minutes ago", "in 2 days". */

const steps = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

const words = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const exact = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'long' });

export function relativeTime(at: Date, now: Date): string {
  const seconds = Math.round((at.getTime() - now.getTime()) / 1_000);
  const [unit, length] = steps.find(([, each]) => Math.abs(seconds) >= each) ?? ['second', 1];
  return Math.abs(seconds) < 5 ? 'just now' : words.format(Math.trunc(seconds / length), unit);
}

export const exactTime = (at: Date): string => exact.format(at);
