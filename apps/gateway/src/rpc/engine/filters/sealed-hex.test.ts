import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { createSealedHex } from './sealed-hex.ts';

const peppers = ['first-pepper-0123456789abcdef012345', 'second-pepper-0123456789abcdef01234'] as const;
const sealing = createSealedHex([peppers[0]], 'test');

test('a sealed text opens only with its own context, in any process with the pepper, and does not show its content', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string(), fc.string(), (text, context, other) => {
      const sealed = sealing.seal(text, context);
      expect(sealing.open(sealed, context)).toBe(text);
      expect(createSealedHex(peppers.toReversed(), 'test').open(sealed, context)).toBe(text);
      if (other !== context) expect(sealing.open(sealed, other)).toBeUndefined();
    }),
  );
  expect(sealing.seal('node-of-a-user 0x1', 'c')).not.toContain(Buffer.from('node-of-a-user').toString('hex'));
});

test('a sealed text does not open when characters move between text and context', () => {
  expect(sealing.open(sealing.seal('b', 'a'), '')).toBeUndefined();
  expect(sealing.open(sealing.seal('1 xy', 'a'), 'a1 xy')).toBeUndefined();
});

test('the result is a hexadecimal number without leading zeros, so clients that parse and write it do not change it', () => {
  for (let n = 0; n < 200; n++) {
    const sealed = sealing.seal(`node ${n}`, 'c');
    expect(`0x${BigInt(sealed).toString(16)}`).toBe(sealed);
    expect(sealing.open(sealed.toUpperCase().replace('X', 'x'), 'c')).toBe(`node ${n}`);
  }
});

test('changed, truncated or forged texts, and texts of another purpose or pepper, do not open', () => {
  const sealed = sealing.seal('node 0x1', 'c');
  for (let at = 4; at < sealed.length; at++) {
    const digit = sealed[at] === '0' ? '1' : '0';
    expect(sealing.open(sealed.slice(0, at) + digit + sealed.slice(at + 1), 'c')).toBeUndefined();
    expect(sealing.open(sealed.slice(0, at), 'c')).toBeUndefined();
  }
  for (const made of ['', '0x', '0x1', '0xf1', `0xf1${'00'.repeat(16)}`, `${sealed}00`, sealed.slice(2), ` ${sealed}`])
    expect(sealing.open(made, 'c')).toBeUndefined();
  expect(createSealedHex([peppers[0]], 'other').open(sealed, 'c')).toBeUndefined();
  expect(createSealedHex([peppers[1]], 'test').open(sealed, 'c')).toBeUndefined();
});
