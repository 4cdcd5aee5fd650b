/** Relative times. */
import { expect, test } from 'bun:test';
import { relativeTime } from '../src/format/relative-time.ts';

const now = new Date(2027, 1, 20, 12, 0, 0);
const after = (seconds: number) => relativeTime(new Date(now.getTime() + seconds * 1_000), now);

test('within 24 hours a time is relative, beyond it is a date in the zone of the browser', () => {
  expect([after(-2), after(-40), after(-190), after(-86_399), after(7_200)]).toEqual([
    'just now',
    '40 seconds ago',
    '3 minutes ago',
    '23 hours ago',
    'in 2 hours',
  ]);
  expect([after(86_400), after(-86_400), after(400 * 86_400)]).toEqual([
    'Feb 21, 2027',
    'Feb 19, 2027',
    'Mar 26, 2028',
  ]);
});
