/** What a body costs to decode follows its length, whatever is in it: held for every hostile body of the corpus. */

import { expect, test } from 'bun:test';
import { hostileBodies, plainBody } from '../../test/corpora/hostile-bodies.ts';
import { systemClock } from '../platform/clock.ts';
import { decodeBody, decodeUtf8 } from './message.ts';

const bodies = [plainBody, ...hostileBodies];
const quarterMiB = 262_144;

function decode(bytes: Uint8Array): void {
  const text = decodeUtf8(bytes);
  if (text === undefined) throw new Error('not UTF-8');
  decodeBody(text, 100);
}

/** The quickest of several: what else the machine does can only add. */
function quickestMs(work: () => void, tries = 3): number {
  let best = Number.POSITIVE_INFINITY;
  for (let n = 0; n < tries; n++) {
    const startedMs = systemClock.monotonic();
    work();
    best = Math.min(best, systemClock.monotonic() - startedMs);
  }
  return best;
}

test('four times the bytes cost about four times the time: no body is worse than linear', () => {
  const worse = bodies.filter(({ make }) => {
    const small = new TextEncoder().encode(make(quarterMiB));
    const large = new TextEncoder().encode(make(4 * quarterMiB));
    decode(small);
    // Sixteen times would be quadratic. Half a millisecond is what a stir of the machine adds to something very short.
    const grows = () => quickestMs(() => decode(large)) > 9 * quickestMs(() => decode(small)) + 0.5;
    return grows() && grows() && grows();
  });
  expect(worse.map(({ name }) => name)).toEqual([]);
});

test('no body costs more for its size than three times what the runtime’s own parser takes for a list of numbers', () => {
  const numbers = `[${'1,'.repeat(2 * quarterMiB)}1]`;
  const parsingMs = quickestMs(() => JSON.parse(numbers), 5);
  const encoded = bodies.map(({ name, make }) => ({ name, bytes: new TextEncoder().encode(make(4 * quarterMiB)) }));
  const costly = encoded.filter(({ bytes }) => {
    decode(bytes);
    const isCostly = () => quickestMs(() => decode(bytes)) > 3 * parsingMs;
    return isCostly() && isCostly() && isCostly();
  });
  expect(costly.map(({ name }) => name)).toEqual([]);
});
