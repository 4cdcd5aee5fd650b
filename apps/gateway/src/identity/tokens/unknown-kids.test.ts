import { expect, test } from 'bun:test';
import { createManualClock } from '@flowgate/testing/manual-clock';
import { UnknownKids } from './unknown-kids.ts';

const question = (kid: string | undefined, issuedAtMs: number | undefined = 0) => ({
  algorithm: 'ES256',
  kid,
  issuedAtMs,
});

test('three fetches may begin at once, then one in five seconds, and a longer pause allows no more than three', () => {
  const clock = createManualClock();
  const kids = new UnknownKids(clock);
  const taken = () => [1, 2, 3, 4, 5].filter(() => kids.takeFetch()).length;
  clock.advance(3_600_000);
  expect(taken()).toBe(3);
  clock.advance(4_999);
  expect(taken()).toBe(0);
  clock.advance(1);
  expect(taken()).toBe(1);
  clock.advance(12_000);
  expect(taken()).toBe(2);
  clock.advance(3_000);
  expect(taken()).toBe(1);
});

test('a kid counts as missing for 30 s, for tokens that are older than the fetch by more than the clock tolerance', () => {
  const clock = createManualClock();
  const kids = new UnknownKids(clock);
  const beganAtMs = clock.now();
  kids.noteMissing(question('a'), beganAtMs);
  kids.noteMissing(question(undefined), beganAtMs);
  expect(kids.isMissing(question('a'))).toBe(true);
  expect(kids.isMissing(question(undefined))).toBe(true);
  expect(kids.isMissing({ ...question(undefined), algorithm: 'RS256' })).toBe(false);
  expect(kids.isMissing(question('b'))).toBe(false);
  expect(kids.isMissing(question('a', beganAtMs - 30_001))).toBe(true);
  expect(kids.isMissing(question('a', beganAtMs - 30_000))).toBe(false);
  expect(kids.isMissing({ ...question('a'), issuedAtMs: undefined })).toBe(false);
  clock.advance(30_000);
  expect(kids.isMissing(question('a'))).toBe(false);
});

test('answers are cached for the last thousand kids of bounded length', () => {
  const kids = new UnknownKids(createManualClock());
  for (let nth = 0; nth < 1_500; nth++) kids.noteMissing(question(`kid-${nth}`), 1e9);
  expect(Array.from({ length: 1_500 }, (_, nth) => kids.isMissing(question(`kid-${nth}`))).lastIndexOf(false)).toBe(
    499,
  );
  kids.noteMissing(question('x'.repeat(300)), 1e9);
  expect(kids.isMissing(question('x'.repeat(300)))).toBe(false);
});
