import { expect, test } from 'bun:test';
import { ByteWriter } from '@flowgate/bytes/byte-writer';
import fc from 'fast-check';
import { OutgoingBytes } from './outgoing-bytes.ts';

const textPart = fc.string({ unit: 'grapheme', maxLength: 40 }).map((text) => ({ kind: 'text', text }) as const);
const bytesPart = fc.uint8Array({ maxLength: 40 }).map((bytes) => ({ kind: 'bytes', bytes }) as const);
const rangePart = fc
  .record({ bytes: fc.uint8Array({ minLength: 1, maxLength: 40 }), before: fc.nat(20) })
  .map((range) => ({ kind: 'range', ...range }) as const);

test('bytes leave complete and in order, however little the socket accepts at a time, and a block may be reused at once', () => {
  const sending = fc.array(fc.oneof(textPart, bytesPart, rangePart), { maxLength: 12 });
  fc.assert(
    fc.property(sending, fc.array(fc.nat(30), { minLength: 1, maxLength: 8 }), (parts, takes) => {
      const left: Uint8Array[] = [];
      const expected: Uint8Array[] = [];
      let nth = 0;
      const take = (bytes: Uint8Array): number => {
        const took = Uint8Array.from(bytes.subarray(0, takes[nth++ % takes.length]));
        left.push(took);
        return took.length;
      };
      const out = new OutgoingBytes(
        {
          write: (bytes) => take(Buffer.from(bytes)),
          writeRange: (bytes, from, length) => take(bytes.subarray(from, from + length)),
        },
        () => 7,
      );
      // A Buffer, as in the server: its `slice` copies nothing.
      const block = new ByteWriter(100).bytes;
      for (const part of parts) {
        if (part.kind === 'range') {
          block.set(part.bytes, part.before);
          out.sendRange(block, part.before, part.before + part.bytes.length);
          expected.push(part.bytes);
          block.fill(0);
        } else {
          out.send(part.kind === 'text' ? part.text : part.bytes);
          expected.push(Buffer.from(part.kind === 'text' ? part.text : part.bytes));
        }
        expect(out.length).toBe(Buffer.concat(expected).length - Buffer.concat(left).length);
        expect(out.isEmpty).toBe(out.length === 0);
      }
      takes.push(30);
      for (let turn = 0; turn < 200 && !out.isEmpty; turn++) out.flush();
      expect(Buffer.concat(left).toString('hex')).toBe(Buffer.concat(expected).toString('hex'));
    }),
  );
});
