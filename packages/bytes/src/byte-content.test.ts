import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { bytesOf, TextContent } from './byte-content.ts';
import { ByteRange, rangeOf } from './byte-range.ts';
import { ByteWriter } from './byte-writer.ts';

test('a range contains only its own bytes, for any bytes around it', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string(), fc.string(), (text, before, after) => {
      const bytes = Buffer.from(before + text + after);
      const start = Buffer.byteLength(before);
      const range = new ByteRange(bytes, start, start + Buffer.byteLength(text));
      expect([range.text(), range.length]).toEqual([text, Buffer.byteLength(text)]);
      expect(rangeOf(text).text()).toBe(text);
      const writer = new ByteWriter(range.length + 2);
      writer.byte(0x5b);
      writer.range(bytes, range.start, range.end);
      writer.byte(0x5d);
      expect(writer.bytes.toString()).toBe(`[${text}]`);
    }),
  );
});

test('a byte order mark is part of the text', () => {
  expect(rangeOf('\ufeffa').text()).toBe('\ufeffa');
});

test('content can be written repeatedly', () => {
  const content = new TextContent('é€😀');
  expect(content.length).toBe(9);
  for (let round = 0; round < 2; round++) expect(Buffer.from(bytesOf(content)).toString()).toBe('é€😀');
});

test('content of another length than it announces throws: the block would contain previous contents of the memory', () => {
  for (const length of [4, 6]) {
    const wrong = { length, writeTo: (writer: ByteWriter) => writer.put(Buffer.from('wrong')) };
    expect(() => bytesOf(wrong)).toThrow();
    expect(() => bytesOf(wrong, 'head')).toThrow();
  }
});
