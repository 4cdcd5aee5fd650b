import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { BudgetedBuffer } from './budgeted-buffer.ts';
import { BufferedBody, type BufferedPart } from './buffered-body.ts';
import { ByteBudget } from './byte-budget.ts';

const length = 400_000;
const content = Uint8Array.from({ length }, (_, at) => (at * 31 + (at >> 7)) & 0xff);

function bufferedContent() {
  const budget = new ByteBudget({ totalBytes: length, ownerBytes: length });
  const buffer = new BudgetedBuffer(budget, 'alice');
  buffer.append(content, 0, length);
  return { budget, buffer };
}

type Part = string | { start: number; end: number };
const ofBytes = (buffer: BudgetedBuffer, parts: readonly Part[]): BufferedPart[] =>
  parts.map((part) => (typeof part === 'string' ? part : { source: buffer, ...part }));

function drained(parts: BufferedBody): Buffer {
  const pieces: Uint8Array[] = [];
  for (let piece = parts.next(); piece !== undefined; piece = parts.next()) pieces.push(piece);
  return Buffer.concat(pieces);
}

test('texts and ranges are returned unchanged in their order, and all bytes are returned to the budget', () => {
  const range = fc
    .tuple(fc.nat(length - 1), fc.nat(length - 1))
    .map(([a, b]) => ({ start: Math.min(a, b), end: Math.max(a, b) + 1 }));
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.string({ unit: 'grapheme' }), range), { maxLength: 12 }), (parts) => {
      const { budget, buffer } = bufferedContent();
      const expected = Buffer.concat(
        parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : content.subarray(part.start, part.end))),
      );
      expect(drained(new BufferedBody([buffer], ofBytes(buffer, parts))).equals(expected)).toBeTrue();
      expect({ bytes: budget.reservedBytes, owners: budget.owners }).toEqual({ bytes: 0, owners: 0 });
    }),
    { numRuns: 60 },
  );
});

test('blocks that no part needs are freed at once, the others as their pieces are taken', () => {
  const { budget, buffer } = bufferedContent();
  const parts = new BufferedBody([buffer], ['{', { source: buffer, start: 70_000, end: 200_000 }, '}']);
  const counted = [budget.reservedBytes];
  while (parts.next() !== undefined) counted.push(budget.reservedBytes);
  // The range is in three of seven blocks.
  expect(counted[0]).toBe(3 * 65_536);
  expect(counted).toEqual([...counted].sort((a, b) => b - a));
  expect(counted.at(-1)).toBe(0);
});

test('a body that is released before its end returns all bytes to the budget', () => {
  const { budget, buffer } = bufferedContent();
  const parts = new BufferedBody([buffer], [{ source: buffer, start: 0, end: length }]);
  parts.next();
  parts.release();
  parts.release();
  expect(budget.reservedBytes).toBe(0);
  expect(parts.next()).toBeUndefined();
});

test('many small parts are joined into few pieces', () => {
  const { buffer } = bufferedContent();
  const parts = new BufferedBody(
    [buffer],
    Array.from({ length: 20_000 }, (_, nth) =>
      nth % 2 === 0 ? ',"id":' : { source: buffer, start: nth, end: nth + 10 },
    ),
  );
  let pieces = 0;
  while (parts.next() !== undefined) pieces++;
  expect(pieces).toBeLessThan(10);
});

test('parts of several answers: each block is freed once no part needs it, in any order of the parts', () => {
  const { budget, buffer } = bufferedContent();
  const other = bufferedContent();
  const unused = bufferedContent();
  const all = [buffer, other.buffer, unused.buffer];
  const parts = new BufferedBody(all, [
    { source: other.buffer, start: 0, end: 100_000 },
    Buffer.from('é'),
    { source: buffer, start: 300_000, end: length },
    { source: buffer, start: 5, end: 5 },
    { source: other.buffer, start: 90_000, end: 100_000 },
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
  new BufferedBody([released.buffer], [{ source: released.buffer, start: 0, end: length }]).release();
  expect(released.budget.reservedBytes).toBe(0);
});
