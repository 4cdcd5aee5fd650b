import { expect, test } from 'bun:test';
import { newestRead } from './newest-read.ts';

const headAt = (number: number) => ({ number, hash: '0x1', timeMs: 0 });

test('a head that a node claims confirms nothing before its blocks are read', () => {
  expect(newestRead({ nextBlock: 10, head: headAt(1_000_000) })).toBe(9);
});

test('a chain that became shorter ends at its head', () => {
  expect(newestRead({ nextBlock: 10, head: headAt(7) })).toBe(7);
});

test('before the head is read, the newest block is unknown', () => {
  expect(newestRead({ nextBlock: 0 })).toBeUndefined();
});
