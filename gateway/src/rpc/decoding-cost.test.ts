/** What a body costs to decode follows its length, whatever is in it: held for every hostile body of the corpus. */

import { expect, test } from 'bun:test';
import { hostileBodies, plainBody } from '../../test/corpora/hostile-bodies.ts';
import { takesMoreThan } from '../../test/fixtures/takes-more-than.ts';
import { decodeBody, decodeUtf8 } from './message.ts';

const bodies = [plainBody, ...hostileBodies];
const quarterMiB = 262_144;

function decode(bytes: Uint8Array): void {
  const text = decodeUtf8(bytes);
  if (text === undefined) throw new Error('not UTF-8');
  decodeBody(text, 100);
}

test('four times the bytes cost about four times the time: no body is worse than linear', () => {
  const worse = bodies.filter(({ make }) => {
    const small = new TextEncoder().encode(make(quarterMiB));
    const large = new TextEncoder().encode(make(4 * quarterMiB));
    // Sixteen times would be quadratic. Half a millisecond is what a stir of the machine adds to something very short.
    return takesMoreThan(
      9,
      () => decode(large),
      () => decode(small),
      0.5,
    );
  });
  expect(worse.map(({ name }) => name)).toEqual([]);
});

test('no body costs more for its size than three times what the runtime’s own parser takes for a list of numbers', () => {
  const numbers = `[${'1,'.repeat(2 * quarterMiB)}1]`;
  const costly = bodies.filter(({ make }) => {
    const bytes = new TextEncoder().encode(make(4 * quarterMiB));
    return takesMoreThan(
      3,
      () => decode(bytes),
      () => JSON.parse(numbers),
    );
  });
  expect(costly.map(({ name }) => name)).toEqual([]);
});
