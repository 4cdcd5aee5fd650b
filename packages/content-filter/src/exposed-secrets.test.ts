import { expect, test } from 'bun:test';
import { generateKeyPairSync } from 'node:crypto';
import { base58Of } from '@flowgate/chain/base58';
import { readText } from './content-filter-text.ts';
import { exposedSecretFinding } from './exposed-secrets.ts';
import { holdsSeedPhrase } from './seed-phrases.ts';

const finding = (text: string) => exposedSecretFinding(readText(text.padEnd(60)));

/** The 64 bytes of a key file of Solana. */
function solanaKey(): Buffer {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const secret = privateKey.export({ format: 'der', type: 'pkcs8' }).subarray(-32);
  return Buffer.concat([secret, publicKey.export({ format: 'der', type: 'spki' }).subarray(-32)]);
}

test('a Solana key is distinguished from a signature of the same length by its public half', () => {
  const key = solanaKey();
  const signature = Buffer.concat([key.subarray(32), key.subarray(0, 32)]);
  expect(finding(base58Of(key))).toBe('refuse');
  expect(finding(`[${[...key].join(',')}]`)).toBe('refuse');
  expect(finding(base58Of(signature))).toBeUndefined();
  expect(finding(`[${[...signature].join(', ')}]`)).toBeUndefined();
});

test('a text with a wrong checksum is not a key', () => {
  expect(finding('5HueCGU8rMjxEXxiPuD5BDku4MkFqeZyd4dZ1jvhTVqvbTLvyTJ')).toBe('refuse');
  expect(finding('5HueCGU8rMjxEXxiPuD5BDku4MkFqeZyd4dZ1jvhTVqvbTLvyTK')).toBeUndefined();
});

const hex = 'ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';

test.each([
  `Transaction 0x${hex}`,
  `storage key 0x${hex}`,
  `Public key: ${hex}`,
  `merkle root ${hex}`,
  `idempotency key ${hex}`,
  hex,
])('a hash or public key passes: %s', (text) => {
  expect(finding(text)).toBeUndefined();
});

test('seed phrases are found in several languages, with numbers and marks between the words', () => {
  const french = `${'abaisser '.repeat(11)}abeille`;
  for (const text of [french, french.toUpperCase(), french.replaceAll(' ', ', '), french.replaceAll(' ', '\n')])
    expect([text, holdsSeedPhrase(text)]).toEqual([text, true]);
});

test('words of the list with a wrong checksum, and one repeated word, are not a phrase', () => {
  expect(holdsSeedPhrase('abandon '.repeat(500))).toBe(false);
  expect(holdsSeedPhrase(`${'abandon '.repeat(11)}ability`)).toBe(false);
});
