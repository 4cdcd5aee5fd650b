import { expect, test } from 'bun:test';
import { isStalled } from './deposit.ts';
import { confirmationsOf, progressLimits, progressOf } from './deposit-progress.ts';

/** A deposit in block 100 that needs 3 confirmations: the head of L1, the L1 block that L2 has reached, and the resulting status. */
const table = [
  [undefined, undefined, 'pending'],
  [undefined, 200, 'pending'],
  [99, 200, 'pending'],
  [100, undefined, 'pending'],
  [101, 99, 'pending'],
  // L2 has reached the block before L1 has confirmed it.
  [101, 101, 'pending'],
  [102, 99, 'confirmed'],
  [102, undefined, 'confirmed'],
  [102, 100, 'relaying'],
  [104, 99, 'confirmed'],
  [104, 104, 'relaying'],
  // The sequencer has stopped: twice the confirmations.
  [105, 99, 'relaying'],
  [105, undefined, 'relaying'],
  [1_000, 0, 'relaying'],
] as const;

test.each(table)(
  'with L1 at %p and L2 at L1 block %p it is %s (contract/deposits#statuses)',
  (l1Head, l2Origin, status) => {
    expect(progressOf(100, progressLimits({ l1Head, l2Origin, confirmations: 3 }))).toBe(status);
  },
);

test('with one confirmation the block itself suffices', () => {
  const of = (l1Head: number) => progressOf(5, progressLimits({ l1Head, l2Origin: 4, confirmations: 1 }));
  expect([of(4), of(5), of(6)]).toEqual(['pending', 'confirmed', 'relaying']);
});

test('while both chains grow, no status moves back', () => {
  const order = ['pending', 'confirmed', 'relaying'];
  for (let confirmations = 1; confirmations <= 4; confirmations++) {
    let last = -1;
    for (let l1Head = 98; l1Head < 112; l1Head++)
      for (const l2Origin of [l1Head - 9, l1Head - 8]) {
        const place = order.indexOf(progressOf(100, progressLimits({ l1Head, l2Origin, confirmations })));
        expect(place).toBeGreaterThanOrEqual(last);
        last = place;
      }
    expect(last).toBe(2);
  }
});

test('confirmations include the own block, are at least one while a block includes the deposit, and zero otherwise (contract/deposits#fields)', () => {
  expect(confirmationsOf({ l1Block: 10 }, 12)).toBe(3);
  expect(confirmationsOf({ l1Block: 10 }, 10)).toBe(1);
  expect([confirmationsOf({ l1Block: 10 }, 7), confirmationsOf({ l1Block: 10 }, undefined)]).toEqual([1, 1]);
  expect(confirmationsOf({ l1Block: 10, lostAtMs: 1 }, 12)).toBe(0);
  expect(confirmationsOf({ l1Block: 10, failureReason: 'reorganised' }, 12)).toBe(0);
  expect(confirmationsOf({ l1Block: 10, failureReason: 'relay_failed' }, 12)).toBe(3);
});

test("a deposit that is not over and unchanged for the bridge's time is stalled (contract/deposits#stalled)", () => {
  const bridge = { stalledAfterMs: 1_000 };
  for (const status of ['pending', 'confirmed', 'relaying'] as const) {
    expect(isStalled({ status, statusChangedAtMs: 5_000 }, bridge, 5_999)).toBe(false);
    expect(isStalled({ status, statusChangedAtMs: 5_000 }, bridge, 6_000)).toBe(true);
  }
  for (const status of ['completed', 'failed'] as const)
    expect(isStalled({ status, statusChangedAtMs: 0 }, bridge, 6_000)).toBe(false);
});
