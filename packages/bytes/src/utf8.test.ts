import { expect, test } from 'bun:test';
import { isUtf8 } from 'node:buffer';
import fc from 'fast-check';
import { Utf8Pieces } from './utf8.ts';

/** The result for bytes that arrive in pieces, split at `cuts`. */
function evaluate(bytes: Uint8Array, cuts: readonly number[]): boolean {
  const pieces = new Utf8Pieces();
  let from = 0;
  for (const to of [...cuts, bytes.length]) {
    if (!pieces.push(bytes.subarray(from, to))) return false;
    from = to;
  }
  // An incomplete character must not be followed by this byte.
  return pieces.push(Buffer.from('x'));
}

const spelled = fc.string({ unit: 'grapheme', maxLength: 12 }).map((text) => Uint8Array.from(Buffer.from(text)));
const cutsIn = (bytes: Uint8Array) =>
  fc
    .array(fc.nat({ max: bytes.length }), { maxLength: 8 })
    .map((cuts) => [bytes, cuts.toSorted((a, b) => a - b)] as const);

test('text, and text with any byte changed, has the same result in one block and in any pieces', () => {
  const spoiled = fc.tuple(spelled, fc.nat(), fc.nat({ max: 255 })).map(([bytes, at, byte]) => {
    if (bytes.length > 0) bytes[at % bytes.length] = byte;
    return bytes;
  });
  fc.assert(
    fc.property(fc.oneof(spelled, spoiled, fc.uint8Array({ maxLength: 8 })).chain(cutsIn), ([bytes, cuts]) => {
      expect(evaluate(bytes, cuts)).toBe(isUtf8(bytes));
    }),
    { numRuns: 2_000 },
  );
});

test('a character in pieces of one byte is valid, and half of one is not', () => {
  const smile = Buffer.from('😀');
  expect(evaluate(smile, [1, 2, 3])).toBe(true);
  expect(evaluate(smile.subarray(0, 3), [1, 2])).toBe(false);
  expect(evaluate(Buffer.of(0xf0, 0x9f, 0x41), [1, 2])).toBe(false);
});

test('a piece may be overwritten after `push`, also a Buffer', () => {
  const pieces = new Utf8Pieces();
  const piece = Buffer.from([0x61, 0xe2, 0x82]);
  expect(pieces.push(piece)).toBe(true);
  piece.fill(0x61);
  expect(pieces.push(Buffer.of(0xac))).toBe(true);
  expect(pieces.isWhole).toBe(true);
});
