import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { base58Of, bytesOfBase58 } from './base58.ts';

test("base 58 uses Bitcoin's alphabet (draft-msporny-base58, section 5)", () => {
  expect(base58Of(Buffer.from('Hello World!'))).toBe('2NEpo7TZRRrLZSi2U');
  expect(base58Of(Buffer.from('0000287fb4cd', 'hex'))).toBe('11233QC4');
  expect(base58Of(new Uint8Array(0))).toBe('');
  expect(base58Of(new Uint8Array(2))).toBe('11');
  for (const text of ['0', 'O', 'I', 'l', ' 1', '1\n', 'é']) expect(bytesOfBase58(text)).toBeUndefined();
});

test('an encoded value decodes to itself', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => {
      expect(Buffer.from(bytesOfBase58(base58Of(bytes)) ?? [])).toEqual(Buffer.from(bytes));
    }),
  );
});
