import { expect, test } from 'bun:test';
import { randomBytes } from 'node:crypto';
import { createEncryptionAtRest } from './encryption-at-rest.ts';

const [old, fresh] = ['the-old-pepper-0123456789abcdefghij', 'the-new-pepper-0123456789abcdefghij'];
const context = 'flow-version acme/pay@1.0.0';
const secret = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';

test('a sealed text can be opened; its ciphertext differs each time and contains nothing of it', () => {
  const encryption = createEncryptionAtRest([old], randomBytes);
  const sealed = [encryption.seal(secret, context), encryption.seal(secret, context)];
  expect(new Set(sealed).size).toBe(2);
  for (const each of sealed) {
    expect(each).toMatch(/^s1\.[0-9a-f]{12}\.[A-Za-z0-9_-]+$/);
    expect(each).not.toContain('C2FV');
    expect(encryption.open(each, context)).toBe(secret);
  }
  for (const text of ['', 'Ünïcödé 🔑', 'x'.repeat(10_000)])
    expect(encryption.open(encryption.seal(text, context), context)).toBe(text);
});

test('a ciphertext opens only with the context for which it was sealed', () => {
  const encryption = createEncryptionAtRest([old], randomBytes);
  const sealed = encryption.seal(secret, context);
  for (const other of ['', 'flow-version acme/pay@1.0.1', `${context} `])
    expect(encryption.open(sealed, other)).toBeUndefined();
});

test('a ciphertext that was changed anywhere or truncated does not open, nor does any other text', () => {
  const encryption = createEncryptionAtRest([old], randomBytes);
  const sealed = encryption.seal(secret, context);
  // The last character of base64url may contain unused bits.
  const changed = Array.from(sealed.slice(0, -1), (character, at) =>
    sealed.slice(0, at).concat(character === 'A' ? 'B' : 'A', sealed.slice(at + 1)),
  );
  expect(changed.filter((each) => encryption.open(each, context) !== undefined)).toEqual([]);
  for (const text of ['', 's1.', secret, sealed.slice(0, -3), `${sealed.slice(0, 16)}AAAA`, ` ${sealed}`])
    expect(encryption.open(text, context)).toBeUndefined();
});

test('the first pepper seals and all open: peppers rotate without losing a secret (contract/running)', () => {
  const before = createEncryptionAtRest([old], randomBytes);
  const during = createEncryptionAtRest([fresh, old], randomBytes);
  const after = createEncryptionAtRest([fresh], randomBytes);
  const stored = before.seal(secret, context);
  expect(during.open(stored, context)).toBe(secret);
  expect(after.open(stored, context)).toBeUndefined();
  expect(after.open(during.seal(secret, context), context)).toBe(secret);
  expect(() => createEncryptionAtRest([], randomBytes)).toThrow('pepper');
});
