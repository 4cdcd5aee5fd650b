import { expect, test } from 'bun:test';
import { retryAfterMs } from './retry-after.ts';

const nowMs = Date.parse('2027-01-15T08:00:00Z');

test.each([
  ['0', 0],
  ['120', 120_000],
  ['Fri, 15 Jan 2027 08:00:30 GMT', 30_000],
  ['fri, 15 jan 2027 08:00:30 gmt', 30_000],
  ['Friday, 15-Jan-27 08:00:30 GMT', 30_000],
  ['Fri Jan 15 08:00:30 2027', 30_000],
  ['Fri Jan  1 08:00:30 2027', 0],
  ['Fri, 15 Jan 2027 07:00:00 GMT', 0],
])('%s is %i ms (RFC 9110 10.2.3, 5.6.7)', (value, ms) => {
  expect(retryAfterMs(value, nowMs)).toBe(ms);
});

test('any other value is read as 0', () => {
  for (const odd of [
    ...[undefined, '', '-1', '1.5', 'soon', '2027-01-16', '99999999999', ' 7', '0x10', 'may 2027'],
    ...['Fri, 15 Foo 2027 08:00:30 GMT', 'Fri, 15 Jan 2027 08:00:30 +0100', 'Fri, 15 Jan 2027', 'tomorrow 2028'],
  ])
    expect(retryAfterMs(odd, nowMs)).toBe(0);
});
