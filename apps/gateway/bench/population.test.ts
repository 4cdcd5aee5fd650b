import { expect, test } from 'bun:test';
import { base62, everyKeyOf, madeUpKey, makeUp, populate } from './population.ts';

test('a generated key has the form of contract/keys, including the checksum', () => {
  const key = madeUpKey();
  expect(key).toMatch(/^fk_[0-9A-Za-z]{16}\.[0-9A-Za-z]{49}$/);
  expect(key.slice(-6)).toBe(base62(Bun.hash.crc32(key.slice(0, -6)), 6));
});

test('base 62 puts the most significant digit first', () => {
  expect(base62(62 * 62 + 61, 6)).toBe('00010z');
});

test('no user owns more than ten keys, and keys are unique', async () => {
  const population = await populate(makeUp, { hot: 5, cold: 45 });
  expect(population.hot).toHaveLength(5);
  expect(population.cold).toHaveLength(50);
  const all = everyKeyOf(population);
  expect(new Set(all.map(({ key }) => key)).size).toBe(all.length);
  for (const user of new Set(all.map(({ userId }) => userId)))
    expect(all.filter(({ userId }) => userId === user).length).toBeLessThanOrEqual(10);
});
