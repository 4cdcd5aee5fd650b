import { expect, test } from 'bun:test';
import { BudgetedBuffer } from './budgeted-buffer.ts';
import { ByteBudget } from './byte-budget.ts';

const budgetOf = (totalBytes: number, ownerBytes = totalBytes) => new ByteBudget({ totalBytes, ownerBytes });
const pattern = (length: number) => Uint8Array.from({ length }, (_, at) => (at * 7 + (at >> 8)) & 0x7f);

function contentOf(buffer: BudgetedBuffer): Buffer {
  return Buffer.concat(Array.from({ length: buffer.blockCount }, (_, nth) => buffer.block(nth)));
}

test('bytes are returned as they were appended, for pieces of any size', () => {
  const bytes = pattern(300_001);
  for (const size of [1000, 65_535, 65_536, 65_537, 200_000, 300_001]) {
    const buffer = new BudgetedBuffer(budgetOf(400_000), 'alice');
    for (let at = 0; at < bytes.length; at += size) buffer.append(bytes, at, Math.min(bytes.length, at + size));
    expect(buffer.length).toBe(bytes.length);
    expect(contentOf(buffer).equals(bytes)).toBeTrue();
    expect(buffer.text(65_500, 131_100)).toBe(Buffer.from(bytes.subarray(65_500, 131_100)).toString());
  }
});

test('bytes are counted from their arrival until they are freed, block by block or all at once, and never twice', () => {
  const budget = budgetOf(1_000_000);
  const buffer = new BudgetedBuffer(budget, 'alice');
  buffer.append(pattern(150_000), 0, 150_000);
  expect(budget.reservedBytes).toBe(150_000);
  buffer.freeBlock(1);
  buffer.freeBlock(1);
  expect(budget.reservedBytes).toBe(150_000 - 65_536);
  expect(buffer.block(1)).toHaveLength(0);
  expect(buffer.block(2)).toHaveLength(150_000 - 2 * 65_536);
  expect(() => buffer.text(65_000, 66_000)).toThrow();
  buffer.freeBlock(2);
  buffer.release();
  buffer.release();
  buffer.freeBlock(0);
  expect({ bytes: budget.reservedBytes, owners: budget.owners }).toEqual({ bytes: 0, owners: 0 });
});

test('an append without room takes nothing and returns which bound was reached', () => {
  const budget = budgetOf(250, 200);
  const alice = new BudgetedBuffer(budget, 'alice');
  const bob = new BudgetedBuffer(budget, 'bob');
  expect(alice.append(pattern(200), 0, 200)).toBe('granted');
  expect(alice.append(pattern(1), 0, 1)).toBe('owner-full');
  expect(bob.append(pattern(51), 0, 51)).toBe('all-full');
  expect(bob.append(pattern(50), 0, 50)).toBe('granted');
  expect([alice.length, bob.length, budget.reservedBytes]).toEqual([200, 50, 250]);
});
