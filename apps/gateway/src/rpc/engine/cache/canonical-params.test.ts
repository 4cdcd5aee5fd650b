/** Equal params have one canonical form, and different params have different forms (contract/cache#identical). */

import { expect, test } from 'bun:test';
import { ByteRange, rangeOf } from '@flowgate/bytes/byte-range';
import fc from 'fast-check';
import { CanonicalParams, maxParamsLength } from './canonical-params.ts';

const canonical = new CanonicalParams();

function formOf(params: string, hexFolds = true): string | undefined {
  const size = canonical.write(rangeOf(params), hexFolds);
  return size < 0 ? undefined : Buffer.from(canonical.bytes.subarray(0, size)).toString();
}

const address = '0xAbCdEf0123456789aBcDeF0123456789abcdef01';
const hash = `0x${'Ab'.repeat(32)}`;

test('the order of members, white space, escapes, and the case of addresses and hashes make no difference', () => {
  const forms = [
    `[{"to":"${address}","data":"0xAb","n":{"b":1,"a":[true,null]}},"${hash}"]`,
    `[ {"n" : {"a":[ true,null ],"b":1},\t"data":"0xAb","to":"${address.toLowerCase()}"} ,\r\n"${hash.toLowerCase()}" ]`,
    `[{"d\\u0061ta":"0x\\u0041b","to":"\\u0030x${address.slice(2).toUpperCase()}","n":{"b":1,"a":[true,null]}},"${hash}"]`,
  ].map((text) => formOf(text));
  expect(forms[0]).toBe(
    `[{"data":"0xAb","n":{"a":[true,null],"b":1},"to":"${address.toLowerCase()}"},"${hash.toLowerCase()}"]`,
  );
  expect(new Set(forms).size).toBe(1);
});

test('different numbers, strings and names stay different', () => {
  const different = [
    ...['["0x1"]', '["0x01"]', '["0X1"]', '[1]', '["1"]', '[1.0]', '[1e0]', '[10]', '[-1]', '["0xA"]', '["0xa"]'],
    ...['[]', '{}', '[[]]', '[{}]', '[null]', '[""]', '[true]', '["true"]', '["a","b"]', '["b","a"]', '["a,b"]'],
    ...[
      '[{"a":1,"b":2}]',
      '[{"a":2,"b":1}]',
      '[{"ab":1}]',
      '[{"A":1}]',
      '[{"a":1}]',
      '["é"]',
      '["e\\u0301"]',
      '["\\""]',
    ],
    ...[`["${address}0"]`, `["${address.toLowerCase()}0"]`, `[{"${address}":1}]`, '["\\ud800"]', '["\\udc00"]'],
  ];
  const forms = different.map((text) => formOf(text));
  expect(new Set(forms).size).toBe(different.length);
  expect(forms).not.toContain(undefined);
  expect(formOf(`["${address}"]`, false)).toBe(`["${address}"]`);
});

test('params with duplicate names, too deep or too long have no canonical form', () => {
  for (const text of ['[{"a":1,"a":1}]', '[{"b":1,"a":1,"\\u0062":2}]', `${'['.repeat(18)}${']'.repeat(18)}`])
    expect(formOf(text)).toBeUndefined();
  const members = (count: number) =>
    `[${JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, n) => [`m${n}`, n])))}]`;
  expect([formOf(members(64)) === undefined, formOf(members(65))]).toEqual([false, undefined]);
  const text = `["${'x'.repeat(maxParamsLength - 4)}"]`;
  expect([formOf(text)?.length, formOf(`${text} `)]).toEqual([maxParamsLength, undefined]);
  expect(formOf(`["${'\\u0001'.repeat(2_000)}"]`)?.length).toBe(12_004);
  const escaped = (count: number) => formOf(`[${Array.from({ length: count }, (_, n) => `"\\n${n}"`).join()}]`);
  expect([escaped(16) === undefined, escaped(17)]).toEqual([false, undefined]);
});

test('all spellings of one JSON value have one form, and no other value has it', () => {
  const json = fc.jsonValue({ maxDepth: 4 });
  fc.assert(
    fc.property(json, json, fc.boolean(), (value, other, isSpaced) => {
      const shuffled = JSON.stringify(reversed(value), null, isSpaced ? 2 : 0);
      expect(formOf(shuffled, false)).toBe(formOf(JSON.stringify(value), false));
      const isSame = formOf(JSON.stringify(value), false) === formOf(JSON.stringify(other), false);
      expect(isSame).toBe(Bun.deepEquals(reread(value), reread(other), true));
    }),
    { numRuns: 400, seed: 12 },
  );
});

/** The value after a round trip through its text: -0 becomes 0. */
function reread(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).reverse();
  return Object.fromEntries(entries.map(([name, each]) => [name, reversed(each)]));
}

test('only the range is read, and its form is compared by its bytes', () => {
  const all = Buffer.from('xx["a", 1]yy');
  const size = canonical.write(new ByteRange(all, 2, 10), true);
  expect(Buffer.from(canonical.bytes.subarray(0, size)).toString()).toBe('["a",1]');
  const first = canonical.hash(size, 1);
  expect(canonical.hash(size, 1)).toBe(first);
  expect(canonical.hash(size, 2)).not.toBe(first);
  expect(canonical.isAt(Buffer.from('zz["a",1]'), 2, size)).toBeTrue();
  expect(canonical.isAt(Buffer.from('zz["a",2]'), 2, size)).toBeFalse();
});

test('hashes are well distributed, regardless of what differs', () => {
  const seen = new Set<number>();
  for (let nth = 0; nth < 20_000; nth++) {
    const size = canonical.write(rangeOf(`["0x${nth.toString(16).padStart(40, '0')}","latest"]`), true);
    seen.add(canonical.hash(size, 7));
  }
  expect(seen.size).toBeGreaterThan(19_990);
});
