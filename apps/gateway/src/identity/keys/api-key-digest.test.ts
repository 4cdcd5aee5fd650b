import { expect, test } from 'bun:test';
import { createHmac } from 'node:crypto';
import { type ApiKey, mintApiKey } from './api-key.ts';
import { constantTimeEqual, createPeppers, pepperVersion } from './api-key-digest.ts';

const random = (length: number) => crypto.getRandomValues(Buffer.alloc(length));

function withSecret(key: ApiKey, secret: string): ApiKey {
  return { ...key, secret, raw: `fk_${key.keyId}.${secret}` };
}

test('the stored digest is HMAC-SHA-256(pepper, keyId ‖ secret) in hex (contract/keys#at-rest)', () => {
  const key = mintApiKey(random);
  const expected = createHmac('sha256', 'pepper one').update(key.keyId).update(key.secret).digest('hex');
  expect(createPeppers(['pepper one']).digest(key).digest).toBe(expected);
  // Twice: a digest must not affect the next one.
  expect(createPeppers(['pepper one']).digest(key).digest).toBe(expected);
});

test('only the right secret with the right keyId matches', () => {
  const peppers = createPeppers(['pepper one']);
  const [key, other] = [mintApiKey(random), mintApiKey(random)];
  const stored = peppers.digest(key);
  expect(peppers.matches(key, stored)).toBe(true);
  expect(peppers.matches(withSecret(key, other.secret), stored)).toBe(false);
  expect(peppers.matches({ ...key, keyId: other.keyId }, stored)).toBe(false);
  expect(peppers.matches(key, undefined)).toBe(false);
});

test('the first pepper is used for new keys, and all peppers are accepted in any order (contract/running)', () => {
  const key = mintApiKey(random);
  const old = createPeppers(['old']).digest(key);
  const rotated = createPeppers(['new', 'old']);
  expect(rotated.digest(key).pepperVersion).toBe(pepperVersion('new'));
  expect(rotated.matches(key, old)).toBe(true);
  expect(createPeppers(['old', 'new']).matches(key, rotated.digest(key))).toBe(true);
});

test('a key whose pepper is no longer configured does not match', () => {
  const key = mintApiKey(random);
  expect(createPeppers(['new']).matches(key, createPeppers(['old']).digest(key))).toBe(false);
});

test('a pepper version depends only on the pepper and does not reveal it', () => {
  expect(pepperVersion('one')).toBe(pepperVersion('one'));
  expect(pepperVersion('one')).not.toBe(pepperVersion('two'));
  expect(pepperVersion('one')).toMatch(/^[0-9a-f]{12}$/);
});

test('an empty list of peppers is an error', () => {
  expect(() => createPeppers([])).toThrow('at least one pepper');
});

test('constant-time comparison finds a difference at every position', () => {
  const text = 'abcdefgh';
  expect(constantTimeEqual(text, 'abcdefgh')).toBe(true);
  for (let at = 0; at < text.length; at++)
    expect(constantTimeEqual(text, `${text.slice(0, at)}x${text.slice(at + 1)}`)).toBe(false);
  expect(constantTimeEqual(text, 'abcdefg')).toBe(false);
  expect(constantTimeEqual('', '')).toBe(true);
});
