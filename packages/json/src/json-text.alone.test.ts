import { expect, test } from 'bun:test';
import { hostileBodies } from '@flowgate/testing/hostile-bodies';
import { takesMoreThan } from '@flowgate/testing/takes-more-than';
import { maxJsonDepth, maxRequestValues, parseJsonBytes } from './json-text.ts';

const parse = (text: string) => parseJsonBytes(Buffer.from(text, 'utf8'));

test('JSON is parsed with brackets and quotes within strings', () => {
  for (const value of [null, 1, 'x', [], {}, { 'a"]}': '[[[{{"\\', é: ['\\"', '€\u2028'] }, [['\\\\'], { b: [] }]]) {
    expect(parse(` ${JSON.stringify(value)} `)).toEqual({ value });
  }
  const brackets = '[{'.repeat(10_000);
  expect(parse(JSON.stringify([brackets, 1, `\\"${brackets}`]))).toEqual({ value: [brackets, 1, `\\"${brackets}`] });
});

test('text that is not JSON, or not UTF-8, is refused without repeating it', () => {
  for (const text of ['', '<html>', '{"a":1', '{"a":1}}', '[1,]', "{'a':1}", 'NaN', '"a\nb"', '\ufeff{}', '"open']) {
    expect([text, parse(text)]).toEqual([text, 'is not JSON']);
  }
  expect(parseJsonBytes(Buffer.from([0x22, 0xff, 0x22]))).toBe('is not JSON');
  expect(parseJsonBytes(Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]))).toBe('is not JSON');
});

test('nesting is bounded, because recursion over deeper values would overflow the stack', () => {
  const nested = (levels: number, open: string, close: string) => open.repeat(levels) + close.repeat(levels);
  expect(parse(nested(maxJsonDepth, '[', ']'))).toBeObject();
  for (const text of [
    nested(maxJsonDepth + 1, '[', ']'),
    `${'{"a":'.repeat(maxJsonDepth + 1)}1${'}'.repeat(maxJsonDepth + 1)}`,
    nested(400_000, '[', ']'),
  ]) {
    expect(parse(text)).toBe(`is nested deeper than ${maxJsonDepth} levels`);
  }
});

test('values are bounded if the caller sets a bound, at any place', () => {
  const parseFew = (text: string) => parseJsonBytes(Buffer.from(text, 'utf8'), { maxValues: 10 });
  for (const text of [
    '[1,2,3,4,5,6,7,8,9]',
    '{"a":1,"b":[2,3,{"c":4}],"d":5}',
    '"[1,1,1,1,1,1,1,1,1,1,1,1"',
    '[[[[[[[[[1]]]]]]]]]',
  ])
    expect(parseFew(text)).toEqual({ value: JSON.parse(text) });
  for (const text of [
    '[1,2,3,4,5,6,7,8,9,10]',
    '{"a":1,"b":2,"c":3,"d":4,"e":5,"f":6,"g":7,"h":8,"i":9,"j":10}',
    '[[1,2],[3,4],[5,6],[7,8]]',
    '[[[[[[[[[[1]]]]]]]]]]',
    // Nothing is read behind the value that exceeds the bound.
    `[${',1'.repeat(10)} this is never read`,
  ])
    expect(parseFew(text)).toBe('holds more than 10 values');
});

const bytesOf = (text: string) => new TextEncoder().encode(text);
/**
 * Texts of the size of typical bodies: the runtime finds the end of a single long text at once, which is no baseline.
 */
const plain = bytesOf(JSON.stringify(new Array(17_000).fill('a'.repeat(58))));

// One test for each: on a busy machine one comparison may take seconds.
test.each(hostileBodies)(
  '$name: a request with such a body takes at most a few times as long as a plain one of its size',
  ({ make }) => {
    const read = (bytes: Uint8Array) => parseJsonBytes(bytes, { maxValues: maxRequestValues });
    const bytes = bytesOf(make(1_048_576));
    const isCostly = takesMoreThan(
      8,
      () => read(bytes),
      () => read(plain),
    );
    expect(isCostly).toBe(false);
  },
);
