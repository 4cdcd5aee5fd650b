import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { ByteWriter } from './byte-writer.ts';

test('values are written one after the other, over any previous contents', () => {
  const writer = new ByteWriter(4096);
  const part = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 60 }).map((text) => ['utf8', text] as const),
    fc.string({ unit: 'grapheme-ascii', maxLength: 60 }).map((text) => ['ascii', text] as const),
    fc.oneof(fc.nat(), fc.maxSafeNat(), fc.double()).map((value) => ['number', value] as const),
    fc.uint8Array({ maxLength: 40 }).map((bytes) => ['put', bytes] as const),
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
      writer.at = 0;
      for (const [kind, value] of parts) {
        if (kind === 'number') writer.number(value);
        else if (kind === 'put') writer.put(value);
        else writer[kind](value);
      }
      const expected = Buffer.concat(
        parts.map(([kind, value]) => (kind === 'put' ? value : Buffer.from(String(value)))),
      );
      expect(writer.bytes.subarray(0, writer.at).equals(expected)).toBe(true);
    }),
  );
});
