import { expect, test } from 'bun:test';
import { MOST_JSON_DEPTH, parseJsonBytes } from './json-text.ts';

const parse = (text: string) => parseJsonBytes(Buffer.from(text, 'utf8'));

test('JSON is read as it stands, brackets and quotes within strings included', () => {
  for (const value of [null, 1, 'x', [], {}, { 'a"]}': '[[[{{"\\', é: ['\\"', '€\u2028'] }, [['\\\\'], { b: [] }]]) {
    expect(parse(` ${JSON.stringify(value)} `)).toEqual({ value });
  }
  const brackets = '[{'.repeat(10_000);
  expect(parse(JSON.stringify([brackets, 1, `\\"${brackets}`]))).toEqual({ value: [brackets, 1, `\\"${brackets}`] });
});

test('what is no JSON, or no UTF-8, is told without repeating it', () => {
  for (const text of ['', '<html>', '{"a":1', '{"a":1}}', '[1,]', "{'a':1}", 'NaN', '"a\nb"', '\ufeff{}', '"open']) {
    expect([text, parse(text)]).toEqual([text, 'is not JSON']);
  }
  expect(parseJsonBytes(Buffer.from([0x22, 0xff, 0x22]))).toBe('is not JSON');
  expect(parseJsonBytes(Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]))).toBe('is not JSON');
});

test('nesting is bounded, since what is nested deeper than the stack ends whoever walks it', () => {
  const nested = (levels: number, open: string, close: string) => open.repeat(levels) + close.repeat(levels);
  expect(parse(nested(MOST_JSON_DEPTH, '[', ']'))).toBeObject();
  for (const text of [
    nested(MOST_JSON_DEPTH + 1, '[', ']'),
    `${'{"a":'.repeat(MOST_JSON_DEPTH + 1)}1${'}'.repeat(MOST_JSON_DEPTH + 1)}`,
    nested(400_000, '[', ']'),
  ]) {
    expect(parse(text)).toBe(`is nested deeper than ${MOST_JSON_DEPTH} levels`);
  }
});
