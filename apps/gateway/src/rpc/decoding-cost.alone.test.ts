/**
 * The cost of decoding a body is proportional to its length, for any content. Tested with every hostile body of the
 * corpus.
 */

import { expect, test } from 'bun:test';
import { isUtf8 } from 'node:buffer';
import { hostileBodies, plainBody } from '@flowgate/testing/hostile-bodies';
import { takesMoreThan } from '@flowgate/testing/takes-more-than';
import { decodeBody } from './message.ts';

const bodies = [plainBody, ...hostileBodies];
const quarterMiB = 262_144;

function decode(bytes: Uint8Array): void {
  if (!isUtf8(bytes)) throw new Error('not UTF-8');
  decodeBody(bytes, 100);
}

// A test for each body, because one comparison may take seconds on a busy machine.
test.each(bodies)('$name: four times the bytes cost about four times the time', ({ make }) => {
  const small = new TextEncoder().encode(make(quarterMiB));
  const large = new TextEncoder().encode(make(4 * quarterMiB));
  // Quadratic growth would be a factor of sixteen. Half a millisecond covers disturbances by the machine for very short
  // times.
  const isWorse = takesMoreThan(
    9,
    () => decode(large),
    () => decode(small),
    0.5,
  );
  expect(isWorse).toBe(false);
});

const numbers = `[${'1,'.repeat(2 * quarterMiB)}1]`;

test.each(bodies)(
  '$name: costs at most three times as much per byte as the runtime’s own parser needs for a list of numbers',
  ({ make }) => {
    const bytes = new TextEncoder().encode(make(4 * quarterMiB));
    const isCostly = takesMoreThan(
      3,
      () => decode(bytes),
      () => JSON.parse(numbers),
    );
    expect(isCostly).toBe(false);
  },
);
