import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { parseJsonObject } from './json-object.ts';
import { eachMember, elementAt, endOfText, endOfValue, isExactly, skipBlank } from './valid-json.ts';

/**
 * JSON as nodes and callers write it: with and without white space, with strings of lengths around the one from which
 * the runtime searches them.
 */
const texts = fc
  .tuple(
    fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom(null, true, false, 0, -1.5e3, '', '"', '\\', '\\"', '{"a":[', 'é😀'),
        fc.nat(300).map((length) => 'x'.repeat(length)),
        fc.tuple(fc.nat(140), fc.constantFrom('"', '\\', '\\\\"')).map(([length, end]) => 'y'.repeat(length) + end),
        fc.array(tie('value'), { maxLength: 4 }),
        fc.dictionary(fc.constantFrom('a', 'b"', 'c\\', 'd'.repeat(130), ''), tie('value'), { maxKeys: 4 }),
      ),
    })).value,
    fc.constantFrom(undefined, 1, '\t'),
  )
  .map(([value, indent]) => ({ value, text: JSON.stringify(value, undefined, indent) }));

/** Bytes after a value must not change where it ends. */
const rest = fc.constantFrom('', ' ', ',1', ']', '}', '"', ' \\"');

const entriesOf = (value: unknown): readonly (readonly [string, unknown])[] =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : [];

/** Allows reads only within the text: an index at its end or beyond it fails. */
function guarded(text: string, after: string): { readonly bytes: Uint8Array; readonly end: number } {
  const bytes = Buffer.from(text + after);
  return { bytes, end: Buffer.byteLength(text) };
}

test('a value ends where the parser says, for any bytes after it', () => {
  fc.assert(
    fc.property(texts, rest, ({ text }, after) => {
      const { bytes, end } = guarded(text, after);
      // A number or literal needs a delimiter: its end is known only there.
      const isScalar = !/^["[{]/.test(text);
      if (isScalar && /^["\\]/.test(after)) return;
      expect(endOfValue(bytes, 0, isScalar ? end : bytes.length)).toBe(end);
      if (text.startsWith('"')) expect(endOfText(bytes, 0, bytes.length)).toBe(end);
    }),
    { numRuns: 1_000 },
  );
});

test('the members of an object and the elements of an array are those of the parser, in order', () => {
  fc.assert(
    fc.property(texts, rest, ({ value, text }, after) => {
      const { bytes, end } = guarded(text, after);
      const found: (readonly [string, unknown])[] = [];
      const slice = (from: number, to: number): unknown => JSON.parse(bytes.subarray(from, to).toString());
      const isObject = eachMember(bytes, 0, end, (nameAt, nameEnd, valueAt, valueEnd) => {
        found.push([String(slice(nameAt, nameEnd)), slice(valueAt, valueEnd)]);
        return true;
      });
      expect([isObject, found]).toEqual([text.startsWith('{'), [...entriesOf(value)]]);
      const elements: readonly unknown[] = Array.isArray(value) ? value : [];
      for (let nth = 0; nth <= elements.length; nth++) {
        const at = elementAt(bytes, 0, end, nth);
        if (nth === elements.length) expect(at).toBe(-1);
        else expect(slice(at, endOfValue(bytes, at, end))).toEqual(elements[nth]);
      }
    }),
    { numRuns: 1_000 },
  );
});

test('text that is truncated, or is not JSON, ends at its end, and is read once', () => {
  const pieces = fc.array(
    fc.constantFrom('{', '}', '[', ']', ',', ':', '"', '\\', '"a"', '1', ' ', '\0', 'x'.repeat(130)),
    { maxLength: 20 },
  );
  fc.assert(
    fc.property(pieces, (all) => {
      const text = all.join('');
      const { bytes, reads } = counted(text);
      const end = text.length;
      for (const at of [endOfValue(bytes, 0, end), endOfText(bytes, 0, end), skipBlank(bytes, 0, end)]) {
        expect(at).toBeGreaterThanOrEqual(0);
        expect(at).toBeLessThanOrEqual(end);
      }
      eachMember(bytes, 0, end, () => true);
      elementAt(bytes, 0, end, 3);
      expect(reads()).toBeLessThan(40 * (end + 4));
    }),
    { numRuns: 1_000 },
  );
});

/** The text, and how many of its bytes were read. */
function counted(text: string) {
  let reads = 0;
  const all = Buffer.from(text);
  const bytes = new Proxy(all, {
    get(target, name) {
      if (name === 'length') return target.length;
      if (name === 'indexOf')
        return (byte: number, from: number) => {
          const found = target.indexOf(byte, from);
          reads += (found < 0 ? target.length : found) - from;
          return found;
        };
      reads++;
      return Reflect.get(target, name, target);
    },
  });
  return { bytes, reads: () => reads };
}

test.each([
  ['long strings', (n: number) => `["${'x'.repeat(100 * n)}"]`],
  ['strings of escaped quotes', (n: number) => `["${'\\"'.repeat(50 * n)}"]`],
  ['long strings with a late escape', (n: number) => `[${`"${'x'.repeat(200)}\\"y",`.repeat(n)}1]`],
  ['quotes alone', (n: number) => '"'.repeat(100 * n)],
  ['backslashes alone', (n: number) => `"${'\\'.repeat(100 * n)}`],
  ['nested arrays', (n: number) => '['.repeat(50 * n) + ']'.repeat(50 * n)],
  ['members', (n: number) => `{${'"a":1,'.repeat(20 * n)}"b":2}`],
])('%s: twice the text takes at most twice the reads', (_, textOf) => {
  const readsOf = (n: number) => {
    const { bytes, reads } = counted(textOf(n));
    endOfValue(bytes, 0, bytes.length);
    eachMember(bytes, 0, bytes.length, () => true);
    elementAt(bytes, 0, bytes.length, 10_000);
    return reads();
  };
  const [one, two, four] = [readsOf(32), readsOf(64), readsOf(128)];
  expect(two).toBeLessThanOrEqual(2 * one + 64);
  expect(four).toBeLessThanOrEqual(2 * two + 64);
});

test('a text is exactly another, and no longer or shorter', () => {
  const bytes = Buffer.from('"hash":1');
  const name = Buffer.from('"hash"');
  expect([6, 7, 5].map((end) => isExactly(bytes, 0, end, name))).toEqual([true, false, false]);
  expect(isExactly(bytes, 1, 7, name)).toBe(false);
  expect(isExactly(bytes.subarray(0, 4), 0, 6, name)).toBe(false);
});

test('an object is refused exactly when a name occurs twice at its top level', () => {
  const names = fc.constantFrom('"a"', '"\\u0061"', '"b"', '"__proto__"', '"c:"', '"é"');
  const values = fc.constantFrom('1', '{"a":1,"a":2}', '["a","a"]', '"a:,"', '""');
  fc.assert(
    fc.property(fc.array(fc.tuple(names, values), { maxLength: 5 }), fc.constantFrom('', ' ', '\n'), (all, blank) => {
      const text = `${blank}{${blank}${all.map(([name, value]) => `${name}${blank}:${blank}${value}`).join(`${blank},`)}}${blank}`;
      const spelled = all.map(([name]): unknown => JSON.parse(name));
      const expected = new Set(spelled).size === spelled.length;
      expect(parseJsonObject(Buffer.from(text)) !== undefined).toBe(expected);
    }),
    { numRuns: 500 },
  );
});
