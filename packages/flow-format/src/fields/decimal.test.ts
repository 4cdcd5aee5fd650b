import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { compareDecimals, isDecimal } from './decimal.ts';

test('an amount has digits and at most one point between them (contract/sessions#fields)', () => {
  for (const text of ['0', '1', '0.5', '10.00', '0.000000000000000001', '9'.repeat(256)])
    expect(isDecimal(text)).toBe(true);
  const refused = [
    '',
    '.',
    '.5',
    '5.',
    '00',
    '01',
    '00.5',
    '-1',
    '+1',
    '1e3',
    '1E3',
    '0x1',
    '1,5',
    '1 000',
    ' 1',
    '1 ',
    '1\n',
    '١',
    '1.2.3',
    'NaN',
    'Infinity',
    '9'.repeat(257),
  ];
  for (const text of refused) expect(`${text}: ${isDecimal(text)}`).toBe(`${text}: false`);
});

test('amounts compare exactly at any precision (contract/sessions#fields)', () => {
  expect(compareDecimals('0.10', '0.1')).toBe(0);
  expect(compareDecimals('9007199254740993', '9007199254740992')).toBeGreaterThan(0);
  expect(compareDecimals('0.3', '0.30000000000000000000001')).toBeLessThan(0);
  expect(compareDecimals('10', '9.999')).toBeGreaterThan(0);
  const decimal = fc.tuple(fc.bigInt({ min: 0n, max: 10n ** 40n }), fc.nat(30)).map(([units, places]) => {
    const digits = units.toString().padStart(places + 1, '0');
    const text = places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`;
    return { text, scaled: units * 10n ** BigInt(30 - places) };
  });
  fc.assert(
    fc.property(decimal, decimal, (a, b) => {
      expect(isDecimal(a.text)).toBe(true);
      expect(Math.sign(compareDecimals(a.text, b.text))).toBe(a.scaled === b.scaled ? 0 : a.scaled < b.scaled ? -1 : 1);
    }),
  );
});
