import { expect, test } from 'bun:test';
import { nextCommit } from './next-commit.ts';
import type { WorkerRequest } from './sqlite-messages.ts';

const write = (slot: number, bytes: number, hasLongDeadline = false): WorkerRequest => ({
  slot,
  writes: true,
  hasLongDeadline,
  statements: [{ text: 'UPDATE a SET b = ?', values: ['x'.repeat(bytes), 1, null] }],
});
const slots = (requests: readonly WorkerRequest[]) => requests.map(({ slot }) => slot);

test('writes that a request waits for go first, small ones before large ones, and no write waits for megabytes of other callers', () => {
  const large = Array.from({ length: 60 }, (_, at) => write(at, 700_000, true));
  const { group, left } = nextCommit([...large, write(100, 500, true), write(101, 50)]);
  expect(slots(group)).toEqual([101, 0, 100]);
  expect(left).toHaveLength(59);
});

test('every write gets its turn, each commit is short, and the oldest of its kind is always in it', () => {
  let waiting = Array.from({ length: 300 }, (_, at) => write(at, (at * 7_919) % 900_000, at % 3 === 0));
  const done: number[] = [];
  while (waiting.length > 0) {
    const oldest = [false, true].flatMap(
      (hasLongDeadline) => waiting.find((each) => each.hasLongDeadline === hasLongDeadline)?.slot ?? [],
    );
    const { group, left } = nextCommit(waiting);
    expect(slots(group)).toEqual(expect.arrayContaining(oldest));
    const bytes = group.reduce((sum, { statements }) => sum + String(statements[0]?.values[0]).length, 0);
    expect(bytes).toBeLessThan(1_048_576 + 900_000);
    done.push(...slots(group));
    waiting = left;
  }
  expect(done.sort((left, right) => left - right)).toEqual(Array.from({ length: 300 }, (_, at) => at));
});
