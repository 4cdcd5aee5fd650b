import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { parseIdempotencyKey } from './idempotency-key.ts';
import { derivedKey } from './render-request.ts';

const detailOf = (header: string | null) => {
  const parsed = parseIdempotencyKey(header);
  return parsed.ok ? undefined : parsed.detail;
};

test('a missing or empty header is refused as required (contract/sessions#idempotency)', () => {
  expect(detailOf(null)).toBe('The Idempotency-Key header is required');
  expect(detailOf('')).toBe('The Idempotency-Key header is required');
});

test('1 to 256 printable ASCII characters are a key (contract/bounds#sizes: an Idempotency-Key)', () => {
  for (const key of ['k', 'x'.repeat(256), ' ', '~', 'a,b', 'a ,b', '"quoted"', '550e8400-e29b-41d4-a716-446655440000'])
    expect(parseIdempotencyKey(key)).toEqual({ ok: true, value: key });
  expect(detailOf('x'.repeat(257))).toContain('1 to 256');
});

test('control characters, other alphabets and a repeated header are each refused with their own sentence (contract/sessions#idempotency)', () => {
  for (const key of ['a\tb', 'a\u0000', '\u007f', 'é', 'a\u00a0b', '😀'])
    expect(detailOf(key)).toContain('printable ASCII');
  for (const key of ['one, two', 'same, same', ', ', ', b']) expect(detailOf(key)).toContain('sent once');
});

test('a derived key is the same for the same pair, different for any other, and reveals nothing of the key', () => {
  const pair = fc.tuple(fc.stringMatching(/^ses_[0-9A-Z]{1,26}$/), fc.stringMatching(/^[\x20-\x7e]{1,20}$/));
  fc.assert(
    fc.property(pair, pair, ([session, key], [otherSession, otherKey]) => {
      const derived = derivedKey(session, key);
      expect(derived).toMatch(/^[A-Za-z0-9_-]{43}$/);
      expect(derived === derivedKey(otherSession, otherKey)).toBe(session === otherSession && key === otherKey);
    }),
  );
  expect(derivedKey('ses_1', 'key')).toBe(derivedKey('ses_1', 'key'));
});
