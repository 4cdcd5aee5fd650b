import { expect, test } from 'bun:test';
import { valueAt } from './json-pointer.ts';

/** The document of RFC 6901, section 5. */
const document = JSON.parse(
  '{"foo":["bar","baz"],"":0,"a/b":1,"c%d":2,"e^f":3,"g|h":4,"i\\\\j":5,"k\\"l":6," ":7,"m~n":8,"__proto__":9}',
);

test('pointers select the values of RFC 6901', () => {
  const expected: Readonly<Record<string, unknown>> = {
    '': document,
    '/foo': ['bar', 'baz'],
    '/foo/0': 'bar',
    '/': 0,
    '/a~1b': 1,
    '/c%d': 2,
    '/e^f': 3,
    '/g|h': 4,
    '/i\\j': 5,
    '/k"l': 6,
    '/ ': 7,
    '/m~0n': 8,
    '/__proto__': 9,
  };
  for (const [pointer, value] of Object.entries(expected))
    expect([pointer, valueAt(document, pointer)]).toEqual([pointer, value]);
});

test('an absent value is undefined: no prototype, no length, no index with a leading zero', () => {
  for (const pointer of [
    '/foo/2',
    '/foo/-',
    '/foo/00',
    '/foo/length',
    '/constructor',
    '/toString',
    '/foo/0/0',
    '/~01',
    '/foo/0/length',
  ])
    expect([pointer, valueAt(document, pointer)]).toEqual([pointer, undefined]);
});
