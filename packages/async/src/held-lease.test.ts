/** A lease is renewed in time, certain for a part of it, and lost as soon as the storage names another owner. */

import { afterEach, beforeEach, expect, jest, test } from 'bun:test';
import { HeldLease } from './held-lease.ts';

const ttlMs = 900;

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

type Renewal = { readonly settle: PromiseWithResolvers<boolean>['resolve']; readonly fail: (error: Error) => void };

/** A lease whose renewals wait for the test. */
function lease() {
  let nowMs = 0;
  let losses = 0;
  const errors: unknown[] = [];
  const renewals: Renewal[] = [];
  const heldLease = new HeldLease({
    ttlMs,
    askedAtMs: 0,
    clock: { monotonic: () => nowMs },
    renew: () => {
      const { promise, resolve, reject } = Promise.withResolvers<boolean>();
      renewals.push({ settle: resolve, fail: reject });
      return promise;
    },
    onError: (error) => errors.push(error),
    onLost: () => {
      losses += 1;
    },
  });
  const settled = async () => {
    for (let turn = 0; turn < 10; turn++) await Promise.resolve();
  };
  return {
    heldLease,
    errors,
    renewals,
    losses: () => losses,
    settled,
    advance(ms: number) {
      nowMs += ms;
      jest.advanceTimersByTime(ms);
    },
  };
}

test('a lease is renewed three times within its time, and certain from the moment before each renewal', async () => {
  const { heldLease, renewals, advance, settled } = lease();
  for (const count of [1, 2, 3, 4]) {
    advance(ttlMs / 3);
    expect(renewals.length).toBe(count);
    advance(50);
    renewals.at(-1)?.settle(true);
    await settled();
    expect(heldLease.certainForMs).toBe(ttlMs * 0.8 - 50);
  }
  await heldLease.end();
  advance(10 * ttlMs);
  expect(renewals.length).toBe(4);
});

test('while the storage does not answer, the lease is renewed again, and stops being certain', async () => {
  const { heldLease, renewals, errors, advance, settled } = lease();
  advance(ttlMs / 3);
  renewals[0]?.fail(new Error('unavailable'));
  await settled();
  expect([errors.map(String), await heldLease.isOurs()]).toEqual([['Error: unavailable'], true]);
  advance(ttlMs / 3);
  expect(renewals.length).toBe(2);
  expect(heldLease.certainForMs).toBeGreaterThan(0);
  advance(ttlMs / 3);
  expect(heldLease.certainForMs).toBeLessThan(0);
});

test('a lease that is no longer certain is renewed before isOurs answers, which rejects when the storage does not', async () => {
  const { heldLease, renewals, advance } = lease();
  advance(ttlMs);
  const scheduled = renewals.length;
  const failing = heldLease.isOurs();
  renewals[scheduled]?.fail(new Error('unavailable'));
  await expect(failing).rejects.toThrow('unavailable');
  const renewed = heldLease.isOurs();
  renewals[scheduled + 1]?.settle(true);
  expect(await renewed).toBe(true);
  expect(heldLease.certainForMs).toBeGreaterThan(0);
});

test('a lease with another owner is lost once and for all, whichever renewal says so', async () => {
  const { heldLease, renewals, losses, advance, settled } = lease();
  advance(ttlMs);
  const asked = [heldLease.isOurs(), heldLease.isOurs()];
  for (const { settle } of renewals.slice(0, -1)) settle(false);
  renewals.at(-1)?.settle(true);
  expect(await Promise.all(asked)).toEqual([false, false]);
  await settled();
  expect([heldLease.isLost, losses(), heldLease.certainForMs]).toEqual([true, 1, 0]);
  const count = renewals.length;
  advance(10 * ttlMs);
  expect([await heldLease.isOurs(), renewals.length]).toEqual([false, count]);
});

test('end resolves when the renewal in flight has ended', async () => {
  const { heldLease, renewals, advance, settled } = lease();
  advance(ttlMs / 3);
  let hasEnded = false;
  const ended = heldLease.end().then(() => {
    hasEnded = true;
  });
  await settled();
  expect(hasEnded).toBe(false);
  renewals[0]?.settle(true);
  await ended;
  expect(hasEnded).toBe(true);
});
