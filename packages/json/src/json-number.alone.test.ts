import { expect, test } from 'bun:test';
import { takesMoreThan } from '@flowgate/testing/takes-more-than';
import fc from 'fast-check';
import { isExactAsDouble } from './json-number.ts';
import { parseJsonBytes } from './json-text.ts';

const isExact = (text: string) => isExactAsDouble(Buffer.from(text), 0, text.length);
const parse = (text: string) => parseJsonBytes(Buffer.from(text), { shows: (name) => /^\w+$/.test(name) });

/** A decimal's value as a fraction of whole numbers, computed in another way than in the code. */
function fractionOf(text: string): readonly [bigint, bigint] {
  const [, sign = '', whole = '0', fraction = '', power = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  const digits = BigInt(`${sign}${whole}${fraction}`);
  const exponent = Number(power) - fraction.length;
  return exponent >= 0 ? [digits * 10n ** BigInt(exponent), 1n] : [digits, 10n ** BigInt(-exponent)];
}

function isSameValue(left: string, right: string): boolean {
  const [[a, b], [c, d]] = [fractionOf(left), fractionOf(right)];
  return a * d === c * b;
}

const digits = (min: number, max: number) =>
  fc.array(fc.constantFrom(...'0123456789'), { minLength: min, maxLength: max }).map((all) => all.join(''));
const literal = fc
  .record({
    sign: fc.constantFrom('', '-'),
    whole: fc.oneof(
      fc.constant('0'),
      digits(1, 24).map((text) => text.replace(/^0+(?=\d)/, '')),
    ),
    fraction: fc.option(digits(1, 24), { nil: undefined }),
    power: fc.option(fc.integer({ min: -340, max: 340 }), { nil: undefined }),
    mark: fc.constantFrom('e', 'E', 'e+'),
  })
  .map(({ sign, whole, fraction, power, mark }) => {
    const exponent = power === undefined ? '' : `${power < 0 ? mark.charAt(0) : mark}${power}`;
    return `${sign}${whole}${fraction === undefined ? '' : `.${fraction}`}${exponent}`;
  });

test('a number passes exactly when its shortest text as a double has the same value (contract/flow-apps#numbers)', () => {
  fc.assert(
    fc.property(literal, (text) => {
      const again = JSON.stringify(JSON.parse(text));
      expect([text, isExact(text)]).toEqual([text, again !== 'null' && isSameValue(text, again)]);
    }),
    { numRuns: 2_000 },
  );
});

test('every number that a double can represent passes as JavaScript writes it', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
      expect([value, isExact(JSON.stringify(value))]).toEqual([value, true]);
    }),
    { numRuns: 2_000 },
  );
});

test('amounts of money in a small unit do not pass as numbers', () => {
  for (const text of [
    '1000000000000000001',
    '-9007199254740993',
    '18446744073709551616',
    '12345678901234567.8',
    '1e400',
  ])
    expect([text, isExact(text)]).toEqual([text, false]);
  for (const text of ['1e-400', '0.1000000000000000055511151231257827', '1.00000000000000000000001'])
    expect([text, isExact(text)]).toEqual([text, false]);
  for (const text of ['0', '-0', '-0.0e7', '1.10', '1e3', '1E+21', '1000000000000000000000', '9007199254740992', '0.1'])
    expect([text, isExact(text)]).toEqual([text, true]);
});

test('texts of digits, and digits in names, are not numbers; places are named as far as they may be shown', () => {
  const texts = { '1000000000000000001': '"9007199254740993', deep: ['1e400\\'] };
  expect(parse(JSON.stringify(texts))).toEqual({ value: texts });
  expect(parse('{"a":[1,{"b c":9007199254740993}],"d":{"e":[[],[2,1e999]]},"\\u0066":1e-999}')).toBe(
    'holds a number at a[1], d.e[1][1], f that a 64-bit float would change: send it as a string',
  );
  expect(parse('9007199254740993')).toBe('holds a number that a 64-bit float would change: send it as a string');
  for (const text of ['[9007199254740993', '--9007199254740993', '[09007199254740993]', '1e', '9007199254740993x'])
    expect([text, parse(text)]).toEqual([text, 'is not JSON']);
});

test('the check of a number takes time linear in its length', () => {
  const reading = (length: number) => {
    const bytes = Buffer.from(`[${'1'.repeat(length)},${'0.'.padEnd(length, '0')}1,1e${'9'.repeat(length)}]`);
    return () => parseJsonBytes(bytes);
  };
  // Eight times the length; quadratic time would be sixty-four times as long.
  expect(takesMoreThan(28, reading(400_000), reading(50_000))).toBe(false);
});
