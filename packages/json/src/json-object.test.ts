import { expect, test } from 'bun:test';
import { isJsonObject, member, parseJsonObject } from './json-object.ts';

test('objects are objects; lists, null and plain values are not', () => {
  expect([{}, JSON.parse('{"a":1}')].map(isJsonObject)).toEqual([true, true]);
  expect([[], null, undefined, 'a', 1, true].map(isJsonObject)).toEqual([false, false, false, false, false, false]);
});

test('a member must be in the text; inherited members do not count', () => {
  const value: unknown = JSON.parse('{"a":1,"__proto__":{"b":2},"c":null}');
  expect(['a', '__proto__', 'c', 'b', 'constructor', 'toString'].map((name) => member(value, name))).toEqual([
    1,
    { b: 2 },
    null,
    undefined,
    undefined,
    undefined,
  ]);
  expect([member(['x'], 0), member(['x'], 1), member(['x'], 'map')]).toEqual(['x', undefined, undefined]);
  for (const other of [null, undefined, 'text', 1]) expect(member(other, 'length')).toBeUndefined();
});

test('bytes are an object only when they are one valid text without duplicate names (RFC 7519, 4)', () => {
  const parse = (text: string | Uint8Array) => parseJsonObject(Buffer.from(text));
  expect(parse('{"a":{"b":1,"b":2},"c":"\\":{}"}')).toEqual({ a: { b: 2 }, c: '":{}' });
  for (const text of ['', '[]', 'null', '{"a":1', '{"a":1,"a":1}', '{"a":1,"\\u0061":1}', '\ufeff{}'])
    expect(parse(text)).toBeUndefined();
  expect(parse(Uint8Array.of(0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d))).toBeUndefined();
});
