import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { ByteBudget } from './byte-budget.ts';
import { ChargedLevel } from './charged-level.ts';

test('a level is charged in steps, and a step without room leaves the charge unchanged', () => {
  const budget = new ByteBudget({ totalBytes: 300, ownerBytes: 300 });
  const level = new ChargedLevel(budget, 'alice', { freeBytes: 50, stepBytes: 100 });
  const charged: number[] = [];
  for (const bytes of [50, 51, 100, 101, 300, 301, 200, 50, 0]) {
    level.set(bytes);
    charged.push(budget.reservedBytes);
  }
  expect(charged).toEqual([0, 100, 100, 200, 300, 300, 200, 0, 0]);
  expect(level.set(301)).toBe(false);
  expect(budget.owners).toBe(0);
});

test('for any levels of any owners the budget counts the sum of their steps, and nothing at the end', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(2), fc.nat(5_000))), (moves) => {
      const budget = new ByteBudget({ totalBytes: 6_000, ownerBytes: 4_000 });
      const levels = [0, 1, 2].map((owner) => new ChargedLevel(budget, `${owner}`, { freeBytes: 70, stepBytes: 64 }));
      const reached = [0, 0, 0];
      for (const [owner, bytes] of moves) {
        if (levels[owner]?.set(bytes) !== true) continue;
        reached[owner] = bytes <= 70 ? 0 : Math.ceil(bytes / 64) * 64;
        expect(budget.reservedBytes).toBe(reached.reduce((sum, each) => sum + each));
      }
      for (const level of levels) level.set(0);
      expect(budget.reservedBytes).toBe(0);
    }),
  );
});
