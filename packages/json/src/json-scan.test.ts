import { expect, test } from 'bun:test';
import { jsonTexts } from '@flowgate/testing/json-texts';
import fc from 'fast-check';
import { endsAt, maxAnswerDepth, maxDepth, skipSpace, skipValue as skipValueAt } from './json-scan.ts';

const skipValue = (text: string, at: number, levels?: number) => skipValueAt(Buffer.from(text), at, levels);

function accepts(text: string): boolean {
  const bytes = Buffer.from(text);
  const end = skipValueAt(bytes, skipSpace(bytes, 0));
  return end >= 0 && endsAt(bytes, end);
}

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

test.each([...jsonTexts])('JSON text %s is accepted or refused according to RFC 8259', (name, text, accepted) => {
  expect(accepts(text)).toBe(accepted);
  // The corpus is compared with a second parser, except for depth, which is Flowgate's own limit.
  if (!name.includes('depth') && !name.includes('flood')) expect(parses(text)).toBe(accepted);
});

test('the corpus has at least 100 cases and no name twice', () => {
  const names = jsonTexts.map(([name]) => name);
  expect(names.length).toBeGreaterThanOrEqual(100);
  expect(new Set(names).size).toBe(names.length);
});

test('every valid JSON text within the depth limit is accepted, compact and indented', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), fc.constantFrom(0, 1, '\t', '\r\n'), (value, indent) => {
      const text =
        typeof indent === 'string' ? JSON.stringify(value, null, indent) : JSON.stringify(value, null, indent);
      expect(accepts(text)).toBe(depthOf(value) <= maxDepth && parses(text));
    }),
    { numRuns: 500 },
  );
});

const fragments = [
  ...[
    '[',
    ']',
    '{',
    '}',
    ',',
    ':',
    '"',
    '\\',
    '\\u',
    '\\u0061',
    '\\"',
    ' ',
    '\n',
    '\u0000',
    '\u001f',
    '\u00a0',
    'é',
    '😀',
  ],
  ...[
    '0',
    '1',
    '-',
    '+',
    '.',
    'e',
    'E',
    'true',
    'false',
    'null',
    'nul',
    '"a"',
    '"a":',
    'a',
    'x'.repeat(60),
    '/',
    '\ufeff',
  ],
];

test('scanner and JSON.parse agree on mutated texts: a piece removed, inserted, or duplicated', () => {
  const mutation = fc.record({ at: fc.nat(), remove: fc.nat(3), insert: fc.constantFrom('', ...fragments) });
  let refusals = 0;
  fc.assert(
    fc.property(fc.jsonValue(), fc.array(mutation, { minLength: 1, maxLength: 3 }), (value, mutations) => {
      let text = JSON.stringify(value);
      for (const { at, remove, insert } of mutations) {
        const cut = at % (text.length + 1);
        text = text.slice(0, cut) + insert + text.slice(cut + remove);
      }
      const valid = parses(text);
      if (!valid) refusals++;
      expect(accepts(text)).toBe(valid);
    }),
    { numRuns: 3000 },
  );
  expect(refusals).toBeGreaterThan(500);
});

test('scanner and JSON.parse agree on texts of random JSON pieces', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...fragments), { maxLength: 12 }), (pieces) => {
      const text = pieces.join('');
      expect(accepts(text)).toBe(parses(text));
    }),
    { numRuns: 5000 },
  );
});

test('the end of a value does not depend on the bytes after it', () => {
  const cases: [string, number][] = [
    ['1,2', 1],
    ['"a"x', 3],
    ['{"a":[1]}}', 9],
    ['[] []', 2],
    ['12 ', 2],
    ['truex', 4],
    ['-0.5e+1]', 7],
    ['01', 1],
  ];
  for (const [text, end] of cases) expect(skipValue(`##${text}`, 2)).toBe(end + 2);
});

test('a value may nest up to the limit, and no deeper', () => {
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
  expect(skipValue(nested(maxDepth), 0)).toBe(2 * maxDepth);
  expect(skipValue(nested(maxDepth + 1), 0)).toBe(-1);
  expect(skipValue(nested(3), 0, 3)).toBe(6);
  expect(skipValue(nested(4), 0, 3)).toBe(-1);
  expect(skipValue(nested(maxAnswerDepth), 0, maxAnswerDepth)).toBe(2 * maxAnswerDepth);
});

test('100,000 levels are refused without a stack overflow, closed or not, arrays or objects', () => {
  for (const opener of ['[', '{"a":', '[{"a":', '[[],']) {
    expect(skipValue(opener.repeat(100_000), 0)).toBe(-1);
  }
});

test('strings of 5 MB are read to their end, and a fault in the last character is found', () => {
  const long = 'ab12ef90'.repeat(655_360);
  for (const filler of [long, `é${long}`, `Ω${long}`]) {
    expect(skipValue(`"${filler}"`, 0)).toBe(Buffer.byteLength(filler) + 2);
    expect(skipValue(`"${filler}\n"`, 0)).toBe(-1);
    expect(skipValue(`"${filler}\\q"`, 0)).toBe(-1);
    expect(skipValue(`"${filler}`, 0)).toBe(-1);
  }
});
