import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { methodName } from './method-names.ts';

const nameOf = (raw: string) => methodName(Buffer.from(` ${raw} `), 1, Buffer.byteLength(raw) + 1);
const escaped = (text: string) =>
  [...Array(text.length).keys()].map((at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`).join('');

test('a name is the value of its JSON string, for any names that were read before', () => {
  const character = fc.oneof(fc.constantFrom('e', 't', 'h', '_', 'a'), fc.string({ unit: 'grapheme', maxLength: 1 }));
  const written = fc
    .array(fc.tuple(character, fc.boolean()), { maxLength: 70 })
    .map((parts) =>
      parts.map(([text, isEscaped]) => (isEscaped ? escaped(text) : JSON.stringify(text).slice(1, -1))).join(''),
    );
  fc.assert(
    fc.property(fc.array(written, { maxLength: 6 }), (names) => {
      for (const name of [...names, ...names]) expect(nameOf(`"${name}"`)).toBe(JSON.parse(`"${name}"`));
    }),
  );
});

test('a decoded name is not confused with a name that is spelled with the same bytes', () => {
  expect(nameOf('"admin_peers"')).toBe('admin_peers');
  expect(nameOf('"\\u0061dmin_peers"')).toBe('admin_peers');
  for (let round = 0; round < 2; round++) {
    expect(nameOf('"a\\\\nb"')).toBe('a\\nb');
    expect(nameOf('"a\\nb"')).toBe('a\nb');
  }
});

test('lone surrogates stay unchanged', () => {
  for (const name of ['\\ud800', 'x\\udc00y', '\\ud800']) expect(nameOf(`"${name}"`)).toBe(JSON.parse(`"${name}"`));
});

test('only the beginning of a name is decoded when it is too long for any method, and no character is cut', () => {
  for (const [spelled, character] of [
    ['a', 'a'],
    ['\\u0061', 'a'],
    ['\\"', '"'],
    ['\\\\', '\\'],
    ['é', 'é'],
    ['😀', '😀'],
  ] as const)
    for (const before of ['', 'x', 'xy', 'xyz', 'xyzz', 'xyzzy']) {
      const name = nameOf(`"${before}${spelled.repeat(100_000)}"`);
      expect(name.length).toBeWithin(257, 2_000);
      expect(name === before + character.repeat((name.length - before.length) / character.length)).toBeTrue();
    }
});
