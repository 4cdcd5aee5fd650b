import { expect, test } from 'bun:test';
import { scanFor } from '@flowgate/testing/secret-scan';
import { takesMoreThan } from '@flowgate/testing/takes-more-than';
import fc from 'fast-check';
import { createMarkSearch } from './mark-search.ts';
import { createMarkKeys, createTextHasher, isStoredMark, markOf, noSecrets } from './secret-mark.ts';
import { foldedBytes } from './secret-spellings.ts';

const holds = (secrets: readonly string[], text: string) => createMarkSearch(scanFor(secrets))?.(text) ?? false;

const hex = (text: string) => Buffer.from(text).toString('hex');
const base64 = (text: string) => Buffer.from(text).toString('base64');
const percent = (text: string) =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
const mixed = (text: string) =>
  [...text].map((each, at) => (at % 2 === 0 ? each.toUpperCase() : each.toLowerCase())).join('');

const json = (text: string) => JSON.stringify(text).slice(1, -1);
const asciiJson = (text: string) =>
  json(text).replaceAll(/[^ -~]/g, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Spellings in which an app may show a secret and the text around it. */
const spellings: Readonly<Record<string, (text: string) => string>> = {
  plain: (text) => text,
  'upper case': (text) => text.toUpperCase(),
  'lower case': (text) => text.toLowerCase(),
  'mixed case': mixed,
  hex,
  'hex in capitals': (text) => hex(text).toUpperCase(),
  'hex after one odd digit': (text) => `f${hex(text)}`,
  base64,
  'base64 without padding': (text) => base64(text).replace(/=+$/, ''),
  'base64, safe for URLs': (text) => Buffer.from(text).toString('base64url'),
  'base64 in lines': (text) => base64(text).replaceAll(/.{20}/g, '$&\r\n'),
  'base64 after a letter': (text) => `x${base64(text)}`,
  'base64 after two': (text) => `xy${base64(text)}`,
  'base64 after a path': (text) => `/v1/${base64(text)}`,
  'base64 of capitals': (text) => base64(text.toUpperCase()),
  'percent-encoded': percent,
  'percent-encoded as URLs have it': encodeURIComponent,
  'within a JSON text': json,
  'within an ASCII JSON text': asciiJson,
  'percent-encoded as forms have it': (text) => new URLSearchParams({ q: text }).toString(),
};

/** How much case folding lengthens the text. A text of only `ᾷ` would double, which no word does. */
const foldingGrows = (value: string) => foldedBytes(value).length / Buffer.byteLength(value);
const text = (min: number, max: number) => fc.string({ unit: 'binary', minLength: min, maxLength: max });
const secret = fc
  .oneof(
    fc.string({ unit: 'grapheme-ascii', minLength: 6, maxLength: 80 }),
    text(6, 80),
    fc.stringMatching(/^[0-9a-f]{6,64}$/),
  )
  .filter((each) => each.trim().length >= 6 && each.isWellFormed() && foldingGrows(each) <= 1.6);

test('a secret is found in every spelling at every place of a text, also if the whole text is encoded (contract/flow-apps#answers)', () => {
  for (const [name, spell] of Object.entries(spellings))
    fc.assert(
      fc.property(secret, text(0, 30), text(0, 30), (value, before, after) => {
        const well = [before, after].map((each) => each.toWellFormed());
        const shown = spell(`${well[0]}${value}${well[1]}`);
        const inside = `${well[0]} ${spell(value)} ${well[1]}`;
        expect([name, holds([value], shown), holds([value], inside)]).toEqual([name, true, true]);
      }),
      { numRuns: 60 },
    );
});

test('a secret that grows by case folding is found in every spelling', () => {
  for (const value of ['\0\0\0\0\0ῲ', 'παΐδευσις', 'straße-ŉ', 'ᾷδης-ᾷδης'])
    for (const [name, spell] of Object.entries(spellings))
      expect([value, name, holds([value], spell(value)), holds([value], `x ${spell(value)} y`)]).toEqual([
        value,
        name,
        true,
        true,
      ]);
});

test('a text without a secret is not reported, in any spelling', () => {
  const secrets = Array.from({ length: 60 }, (_, at) => `${'secret'.repeat(1 + (at % 9))}#${at}`);
  const search = createMarkSearch(scanFor(secrets));
  fc.assert(
    fc.property(fc.string({ maxLength: 300 }), (shown) => search?.(shown) === false),
    { numRuns: 300 },
  );
  for (const near of [
    'secret',
    'secretsecret',
    'secret#',
    'ecret#0',
    'secretsecret#',
    hex('secret'),
    base64('secretsecret'),
  ])
    expect([near, search?.(near)]).toEqual([near, false]);
});

test('a secret of four or five characters is found as a whole text, in every spelling; shorter ones are not stored', () => {
  for (const pin of ['1234', 'a1B2c'])
    for (const shown of [pin, pin.toUpperCase(), ` ${pin}\n`, hex(pin), `0x${hex(pin)}`, base64(pin), percent(pin)]) {
      expect([shown, holds([pin], shown)]).toEqual([shown, true]);
      expect([shown, holds([pin], `${shown}.`)]).toEqual([shown, false]);
    }
  const [, four, three] = ['', '1234', '123'].map((each) => scanFor([each]).marks);
  expect(four?.map(isStoredMark)).toEqual([true]);
  expect(three?.map(isStoredMark)).toEqual([false]);
  expect(scanFor(['', ' ']).marks).toEqual([]);
});

test('a mark reveals nothing about its secret: it differs by user, app and pepper, and matches under its own key only', () => {
  const keyOf = (pepper: string, userId: string, appId: string) => {
    const [key] = createMarkKeys([pepper])(userId, appId);
    if (key === undefined) throw new Error('no key');
    return key;
  };
  const own = keyOf('p', 'alice', 'acme/app');
  const value = 'correct horse';
  const mark = markOf(own, createTextHasher(own), value) ?? '';
  const parts = new Set(mark.split('.').slice(3));
  for (const other of [keyOf('q', 'alice', 'acme/app'), keyOf('p', 'bob', 'acme/app'), keyOf('p', 'alice', 'acme/b')]) {
    const another = markOf(other, createTextHasher(other), value) ?? '';
    expect(another.split('.').filter((part) => parts.has(part))).toEqual([]);
    expect(createMarkSearch({ keys: [other], marks: [mark] })?.(value) ?? false).toBe(false);
  }
  expect(createMarkSearch({ keys: [own], marks: [mark, 'rubbish', ''] })?.(`a ${value}`)).toBe(true);
  expect(createMarkSearch(noSecrets)).toBeUndefined();
});

test('after a rotation of peppers, marks of the old pepper match while it is configured', () => {
  const { marks } = scanFor(['correct horse'], 'old');
  const keys = createMarkKeys(['new', 'old'])('alice', 'acme/app');
  expect(createMarkSearch({ keys, marks })?.('CORRECT HORSE')).toBe(true);
  expect(createMarkSearch({ keys: keys.slice(0, 1), marks })).toBeUndefined();
});

/** Texts and secrets chosen to make the search slow. */
const hostile: Readonly<Record<string, readonly [secrets: readonly string[], text: (length: number) => string]>> = {
  'heads everywhere': [
    Array.from({ length: 500 }, (_, at) => `${'a'.repeat(48)}${at}`),
    (length) => 'a'.repeat(length),
  ],
  'every window and length': [
    Array.from({ length: 300 }, (_, at) => `${'a'.repeat(6 + (at % 58))}b${at}`),
    (length) => 'a'.repeat(length),
  ],
  'hex that is base64': [['abcdef012345'], (length) => 'ab'.repeat(length / 2)],
  'percent signs': [['%%%%%%%%1'], (length) => '%25'.repeat(length / 3)],
  'many short runs': [['s3cr3t-s3cr3t'], (length) => 'abcdefgh0123456789abcdef '.repeat(length / 25)],
  backslashes: [['\\\\\\\\\\n'], (length) => '\\'.repeat(length)],
  'plus signs': [['a b c d e'], (length) => 'a+'.repeat(length / 2)],
};

test.each(Object.entries(hostile))(
  'the time of a search depends on the length of the text only: %s',
  (_, [secrets, textOf]) => {
    const search = createMarkSearch(scanFor(secrets));
    const searching = (length: number) => {
      const shown = textOf(length);
      expect(search?.(shown)).toBe(false);
      return () => search?.(shown);
    };
    // The text is eight times as long; a quadratic search would take sixty-four times as long.
    expect(takesMoreThan(28, searching(160_000), searching(20_000))).toBe(false);
  },
);
