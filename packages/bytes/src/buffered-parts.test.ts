import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { BudgetedBuffer } from './budgeted-buffer.ts';
import { type BufferedPart, BufferedParts } from './buffered-parts.ts';
import { ByteBudget } from './byte-budget.ts';

const length = 400_000;
const content = Uint8Array.from({ length }, (_, at) => (at * 31 + (at >> 7)) & 0xff);

function bufferedContent() {
  const budget = new ByteBudget({ totalBytes: length, ownerBytes: length });
  const held = new BudgetedBuffer(budget, 'alice');
  held.append(content, 0, length);
  return { budget, held };
}

type Part = string | { start: number; end: number };
const ofBytes = (held: BudgetedBuffer, parts: readonly Part[]): BufferedPart[] =>
  parts.map((part) => (typeof part === 'string' ? part : { held, ...part }));

function drained(parts: BufferedParts): Buffer {
  const pieces: Uint8Array[] = [];
  for (let piece = parts.next(); piece !== undefined; piece = parts.next()) pieces.push(piece);
  return Buffer.concat(pieces);
}

test('any texts and ranges, in any order, come out as they stand, and everything is given back', () => {
  const range = fc
    .tuple(fc.nat(length - 1), fc.nat(length - 1))
    .map(([a, b]) => ({ start: Math.min(a, b), end: Math.max(a, b) + 1 }));
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.string({ unit: 'grapheme' }), range), { maxLength: 12 }), (parts) => {
      const { budget, held } = bufferedContent();
      const expected = Buffer.concat(
        parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : content.subarray(part.start, part.end))),
      );
      expect(drained(new BufferedParts([held], ofBytes(held, parts))).equals(expected)).toBeTrue();
      expect({ bytes: budget.reservedBytes, owners: budget.owners }).toEqual({ bytes: 0, owners: 0 });
    }),
    { numRuns: 60 },
  );
});

test('what no part needs is given back at once, the rest as it is taken', () => {
  const { budget, held } = bufferedContent();
  const parts = new BufferedParts([held], ['{', { held, start: 70_000, end: 200_000 }, '}']);
  const counted = [budget.reservedBytes];
  while (parts.next() !== undefined) counted.push(budget.reservedBytes);
  // Three of seven blocks hold something of the range.
  expect(counted[0]).toBe(3 * 65_536);
  expect(counted).toEqual([...counted].sort((a, b) => b - a));
  expect(counted.at(-1)).toBe(0);
});

test('a body that is not fetched to its end gives everything back when it is released', () => {
  const { budget, held } = bufferedContent();
  const parts = new BufferedParts([held], [{ held, start: 0, end: length }]);
  parts.next();
  parts.release();
  parts.release();
  expect(budget.reservedBytes).toBe(0);
  expect(parts.next()).toBeUndefined();
});

test('many small parts leave in few pieces', () => {
  const { held } = bufferedContent();
  const parts = new BufferedParts(
    [held],
    Array.from({ length: 20_000 }, (_, nth) => (nth % 2 === 0 ? ',"id":' : { held, start: nth, end: nth + 10 })),
  );
  let pieces = 0;
  while (parts.next() !== undefined) pieces++;
  expect(pieces).toBeLessThan(10);
});

test('parts of several answers: each gives back what is no longer needed, in whatever order they come', () => {
  const { budget, held } = bufferedContent();
  const other = bufferedContent();
  const unused = bufferedContent();
  const all = [held, other.held, unused.held];
  const parts = new BufferedParts(all, [
    { held: other.held, start: 0, end: 100_000 },
    Buffer.from('é'),
    { held, start: 300_000, end: length },
    { held, start: 5, end: 5 },
    { held: other.held, start: 90_000, end: 100_000 },
  ]);
  expect(unused.budget.reservedBytes).toBe(0);
  const expected = Buffer.concat([
    content.subarray(0, 100_000),
    Buffer.from('é'),
    content.subarray(300_000),
    content.subarray(90_000, 100_000),
  ]);
  expect(drained(parts).equals(expected)).toBeTrue();
  expect([budget.reservedBytes, other.budget.reservedBytes, unused.budget.reservedBytes]).toEqual([0, 0, 0]);
  const released = bufferedContent();
  new BufferedParts([released.held], [{ held: released.held, start: 0, end: length }]).release();
  expect(released.budget.reservedBytes).toBe(0);
});
