import { expect, test } from 'bun:test';
import type { StreamState } from './index-store.ts';
import { staleSince } from './stale-since.ts';

const nowMs = 1_000_000;
const [l1, l2] = ['main/l1', 'main/l2'] as const;
const read = (streamId: string, readAtMs?: number): StreamState => ({
  ...{ streamId, nextBlock: 5, epoch: 1 },
  ...(readAtMs !== undefined && { readAtMs }),
});
const since = (states: readonly StreamState[], createdAtMs = 400_000) =>
  staleSince(states, [l1, l2], { nowMs, pollMs: 4_000, createdAtMs });

test('a record is stale since the last read of the chain that was read least recently (contract/bridge#stale)', () => {
  expect(since([read(l1, nowMs), read(l2, nowMs - 15_000)])).toBeUndefined();
  expect(since([read(l1, nowMs), read(l2, nowMs - 15_001)])).toBe(nowMs - 15_001);
  expect(since([read(l1, 700_000), read(l2, 600_000)])).toBe(600_000);
});

test('a record of a chain that was never read is stale since it was created (contract/bridge#stale)', () => {
  expect(since([read(l1, nowMs)])).toBe(400_000);
  expect(since([read(l1, nowMs), read(l2)])).toBe(400_000);
  // The indexer has just begun.
  expect(since([read(l1, nowMs), read(l2)], nowMs - 5_000)).toBeUndefined();
});
