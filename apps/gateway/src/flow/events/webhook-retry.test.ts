import { expect, test } from 'bun:test';
import { attemptOf, retryPauseMs } from './webhook-retry.ts';

const pauses = (chance: number) => Array.from({ length: 10 }, (_, at) => retryPauseMs(at + 1, chance) ?? Number.NaN);

test('the first retry comes within 10 seconds, for any random number (contract/events#webhooks)', () => {
  for (const chance of [0, 0.5, 1]) expect(retryPauseMs(1, chance)).toBeLessThan(10_000);
});

test('pauses grow, except the last two, which are equal', () => {
  const table = pauses(0.5);
  expect(table.slice(0, 9)).toEqual([...new Set(table)].sort((a, b) => a - b));
  expect(table[9]).toBe(table[8]);
});

test('all attempts together span about a day (contract/events#webhooks)', () => {
  const hours = (chance: number) => pauses(chance).reduce((sum, each) => sum + each, 0) / 3_600_000;
  expect(hours(0)).toBeGreaterThan(17);
  expect(hours(0.5)).toBeCloseTo(23.7, 1);
  expect(hours(1)).toBeLessThan(30);
});

test('pauses are random within a range, and there is none after the tenth', () => {
  expect(retryPauseMs(3, 0)).toBe(90_000);
  expect(retryPauseMs(3, 1)).toBe(150_000);
  expect(retryPauseMs(11, 0.5)).toBeUndefined();
  expect(retryPauseMs(11, 0.5, 60_000)).toBeUndefined();
});

test('Retry-After extends a pause up to an hour, and never shortens it', () => {
  expect(retryPauseMs(1, 0, 60_000)).toBe(60_000);
  expect(retryPauseMs(1, 0, 86_400_000)).toBe(3_600_000);
  expect(retryPauseMs(4, 0.5, 1_000)).toBe(600_000);
});

test('an attempt counts only if there was time for it: leases of crashed gateways do not shorten the day of retries (contract/events#webhooks)', () => {
  // Even with the shortest random pauses, the attempts at an endpoint that is always down are counted one by one.
  let ageMs = 0;
  for (let claim = 1; claim <= 11; claim++) {
    expect(attemptOf(claim, ageMs)).toBe(claim);
    ageMs += retryPauseMs(claim, 0) ?? 0;
  }
  // Eleven leases of 20 s each that ended without a result.
  expect(retryPauseMs(attemptOf(12, 240_000), 0.5)).toBe(600_000);
  expect(attemptOf(1_000_000, 3_600_000)).toBe(6);
  // A gateway that was stopped for days has made no attempt yet.
  expect(attemptOf(1, 200_000_000)).toBe(1);
  expect(attemptOf(12, 200_000_000)).toBe(11);
});
