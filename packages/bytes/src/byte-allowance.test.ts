import { expect, test } from 'bun:test';
import { createManualClock } from '@flowgate/testing/manual-clock';
import { ByteAllowance } from './byte-allowance.ts';

function newAllowance(maxOwners = 1_000) {
  const clock = createManualClock();
  return { clock, allowance: new ByteAllowance({ bytesPerMinute: 600, maxOwners, clock }) };
}

test('an owner continues until its bytes are used up, then waits exactly as long as `waitMs` says', () => {
  const { clock, allowance } = newAllowance();
  allowance.spend('a', 599);
  expect(allowance.waitMs('a')).toBe(0);
  allowance.spend('a', 101);
  expect(allowance.waitMs('a')).toBe(10_000);
  clock.advance(9_999);
  expect(allowance.waitMs('a')).toBe(1);
  clock.advance(2);
  expect(allowance.waitMs('a')).toBe(0);
});

test('owners do not use up each other’s allowance', () => {
  const { allowance } = newAllowance();
  allowance.spend('a', 5_000);
  expect(allowance.waitMs('a')).toBeGreaterThan(0);
  expect(allowance.waitMs('b')).toBe(0);
});

test('no owner waits longer than a minute, however much it used', () => {
  const { clock, allowance } = newAllowance();
  for (let n = 0; n < 100; n++) allowance.spend('a', 1_000_000);
  expect(allowance.waitMs('a')).toBe(60_000);
  clock.advance(60_001);
  expect(allowance.waitMs('a')).toBe(0);
});

test('an owner with an empty bucket is removed', () => {
  const { clock, allowance } = newAllowance(1_000_000);
  for (let n = 0; n < 5_000; n++) allowance.spend(`owner ${n}`, 100);
  expect(allowance.owners).toBe(5_000);
  clock.advance(10_000);
  for (let n = 0; n < 5_000; n++) allowance.spend('other', 0);
  expect(allowance.owners).toBeLessThanOrEqual(1);
});

test('owners beyond `maxOwners` share one bucket, and the earlier ones retain their own', () => {
  const { allowance } = newAllowance(3);
  for (const owner of ['a', 'b', 'c', 'd']) allowance.spend(owner, 590);
  expect(allowance.waitMs('e')).toBe(0);
  allowance.spend('e', 590);
  expect(allowance.waitMs('f')).toBeGreaterThan(0);
  expect(allowance.waitMs('a')).toBe(0);
  expect(allowance.owners).toBeLessThanOrEqual(4);
});
