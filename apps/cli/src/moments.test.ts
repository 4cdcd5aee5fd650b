import { expect, test } from 'bun:test';
import { decimalAmount } from './decimal-amount.ts';
import { momentFrom, shownTime } from './moments.ts';

const now = Date.parse('2026-11-23T00:00:00Z');

test('a time is typed as a span, in either direction, or as a date with a zone', () => {
  expect(momentFrom('90d', now)).toBe('2027-02-21T00:00:00.000Z');
  expect(momentFrom('12h', now, -1)).toBe('2026-11-22T12:00:00.000Z');
  expect(momentFrom('2027-01-31', now)).toBe('2027-01-31T00:00:00.000Z');
  expect(momentFrom('2027-01-31T01:00:00+01:00', now)).toBe('2027-01-31T00:00:00.000Z');
  for (const text of ['', '7', 'd', '-1d', '9999999d', 'tomorrow', '2027-01-31T00:00:00', '2027-13-01', '1 d'])
    expect(() => momentFrom(text, now)).toThrow('a time is a span');
});

test('times are shown to the minute; an invalid time is shown unchanged', () => {
  expect(shownTime('2026-11-23T01:02:03.004Z')).toBe('2026-11-23 01:02Z');
  expect(shownTime('soon')).toBe('soon');
});

test('amounts are exact for any number of digits', () => {
  expect(decimalAmount('1500000000000000000', 18)).toBe('1.5');
  expect(decimalAmount('1', 18)).toBe('0.000000000000000001');
  expect(decimalAmount('0', 18)).toBe('0');
  expect(decimalAmount('123456789012345678901234567890', 0)).toBe('123456789012345678901234567890');
  expect(decimalAmount('1000', 3)).toBe('1');
  for (const units of ['-1', '1e3', '', 'x']) expect(decimalAmount(units, 2)).toBe(units);
  expect(decimalAmount('5', 1e9)).toBe('5');
});
