import { expect, test } from 'bun:test';
import { isUtf8 } from 'node:buffer';
import { jsonTexts } from '@flowgate/testing/json-texts';
import fc from 'fast-check';
import { maxAnswerDepth } from './json-scan.ts';
import { PushScanner } from './push-scanner.ts';

type Found = readonly (readonly [name: string | undefined, value: string])[];

/** The members of each object, in order; undefined when the pieces are not one complete object or array. */
function objectsIn(pieces: readonly Uint8Array[]): readonly Found[] | undefined {
  const all = Buffer.concat(pieces);
  const objects: [string | undefined, string][][] = [];
  const events: string[] = [];
  const scanner = new PushScanner({
    begin: () => objects.push([]),
    value: (name, start) => events.push(`${name} ${start}`),
    member: (name, start, end) => {
      // A value is reported when it begins, with no other event in between.
      expect(events.pop()).toBe(`${name} ${start}`);
      objects.at(-1)?.push([name, all.subarray(start, end).toString()]);
    },
    end: () => expect(events).toEqual([]),
  });
  return pieces.every((piece) => scanner.push(piece)) && scanner.isWhole() ? objects : undefined;
}

/** The same by the runtime's parser, for texts without numbers or names that it would change. */
function expectedOf(text: string): readonly Found[] | undefined {
  const value: unknown = parsed(text);
  if (typeof value !== 'object' || value === null) return undefined;
  const objects = Array.isArray(value) ? value.filter((each) => isObject(each)) : [value];
  return objects.map((object) =>
    Object.entries(object).map(([name, member]) => [JSON.stringify(name), JSON.stringify(member)]),
  );
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const oneByOne = (bytes: Uint8Array) => Array.from(bytes, (byte) => Uint8Array.of(byte));

/** The text, cut in two at every byte, and one byte at a time. */
function cutsOf(bytes: Uint8Array): readonly (readonly Uint8Array[])[] {
  const inTwo = Array.from({ length: bytes.length }, (_, at) => [bytes.subarray(0, at), bytes.subarray(at)]);
  return [...inTwo, oneByOne(bytes)];
}

// The parser's object would reorder names that are numbers.
const names = fc.constantFrom('result', 'é€😀', 'a"b', '\\', '', '{', 'x'.repeat(40));
const values = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(null, true, false, 0, 10, -1.5, '', '"', '\\', '\u2028', '}],', 'é😀'),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(names, tie('value'), { maxKeys: 3 }),
  ),
})).value;

test('members are reported byte for byte, for any split of 300 random texts', () => {
  fc.assert(
    fc.property(values, (value) => {
      const text = JSON.stringify(value);
      const expected = expectedOf(text);
      for (const pieces of cutsOf(Buffer.from(text))) expect(objectsIn(pieces)).toEqual(expected);
    }),
    { numRuns: 300 },
  );
});

test('random bytes are accepted exactly when they are UTF-8 that the parser reads as an object or array', () => {
  const bytes = [...'{}[]:,"\\u00e9truefalsnb/-+.0123Ee \n\t'].map((character) => Buffer.from(character));
  const pieces = fc.array(
    fc.oneof(
      fc.constantFrom(...bytes, Buffer.from('"a":'), Buffer.from('{"a":1}'), Buffer.from('[1,"b"]')),
      fc.constantFrom(Buffer.from([0xc3, 0xa9]), Buffer.from([0xc3]), Buffer.from([0x00]), Buffer.from([0xff])),
    ),
    { maxLength: 12 },
  );
  fc.assert(
    fc.property(pieces, fc.constantFrom('', '{"a":', '['), fc.constantFrom('', '}', ']'), (middle, before, after) => {
      const all = Buffer.concat([Buffer.from(before), ...middle, Buffer.from(after)]);
      const value = isUtf8(all) ? parsed(all.toString()) : undefined;
      const isText = typeof value === 'object' && value !== null;
      for (const cut of cutsOf(all)) expect(objectsIn(cut) !== undefined).toBe(isText);
    }),
    { numRuns: 2_000 },
  );
});

test('each object or array of the corpus is accepted or refused according to RFC 8259, byte by byte', () => {
  for (const [name, text, accepted] of jsonTexts) {
    // Depth is a limit of each reader's own.
    if (name.includes('depth') || name.includes('flood')) continue;
    const isNested = /^[ \t\r\n]*[[{]/.test(text);
    expect([name, objectsIn(oneByOne(Buffer.from(text))) !== undefined]).toEqual([name, accepted && isNested]);
  }
});

test('a name longer than 256 bytes is not reported as text, and is bounded in memory', () => {
  const text = (length: number) => Buffer.from(`{"${'n'.repeat(length)}":1}`);
  for (const cut of [(bytes: Uint8Array) => [bytes], oneByOne]) {
    expect(objectsIn(cut(text(256)))).toEqual([[[`"${'n'.repeat(256)}"`, '1']]]);
    expect(objectsIn(cut(text(257)))).toEqual([[[undefined, '1']]]);
    expect(objectsIn(cut(text(5_000)))).toEqual([[[undefined, '1']]]);
  }
});

test('texts may nest as deep as an answer, and no deeper', () => {
  const nested = (levels: number) => Buffer.from('['.repeat(levels) + ']'.repeat(levels));
  expect(objectsIn([nested(maxAnswerDepth)])).toEqual([]);
  expect(objectsIn([nested(maxAnswerDepth + 1)])).toBeUndefined();
});

test('a piece may be overwritten after `push`', () => {
  const names: (string | undefined)[] = [];
  const scanner = new PushScanner({ value: (name) => names.push(name) });
  const piece = Buffer.alloc(4);
  for (const text of ['{"ab', 'cd":', '1}  ']) {
    piece.write(text);
    expect(scanner.push(piece)).toBe(true);
  }
  expect([names, scanner.isWhole()]).toEqual([['"abcd"'], true]);
});
