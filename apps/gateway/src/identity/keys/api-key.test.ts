import { expect, test } from 'bun:test';
import { crc32 } from 'node:zlib';
import { isKeyId } from '../../api/credential.ts';
import { apiKeyChecksum, mintApiKey, parseApiKey } from './api-key.ts';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Base62 by another algorithm than the code's: powers from the top. */
function digits(value: bigint, length: number): string {
  return Array.from({ length }, (_, at) => alphabet[Number((value / 62n ** BigInt(length - 1 - at)) % 62n)]).join('');
}

/** Bytes that count upwards from `start`, wrapping at 256. */
function counting(start: number) {
  let next = start;
  return (length: number) => Buffer.from(Array.from({ length }, () => next++ & 0xff));
}

const systemRandom = (length: number) => crypto.getRandomValues(Buffer.alloc(length));

test('a minted key has the form of contract/keys#mint and is parsed into its parts', () => {
  for (let round = 0; round < 200; round++) {
    const key = mintApiKey(systemRandom);
    expect(key.raw).toMatch(/^fk_[0-9A-Za-z]{16}\.[0-9A-Za-z]{49}$/);
    expect(parseApiKey(key.raw)).toEqual(key);
    expect(key.raw).toBe(`fk_${key.keyId}.${key.secret}`);
  }
});

test('the checksum is CRC-32 (IEEE) of all preceding characters in six base62 digits, most significant first (contract/keys#form)', () => {
  const { raw } = mintApiKey(systemRandom);
  expect(raw.slice(-6)).toBe(digits(BigInt(crc32(raw.slice(0, -6))), 6));
  // CRC-32's check value: 0xCBF43926 for "123456789".
  expect(apiKeyChecksum('123456789')).toBe(digits(0xcbf43926n, 6));
  expect(apiKeyChecksum('123456789')).toBe('3jZRME');
});

test('the secret holds 256 random bits in 43 base62 characters, padded on the left (contract/keys#form)', () => {
  const last = (value: number) => Buffer.from(Array.from({ length: 32 }, (_, at) => (at === 31 ? value : 0)));
  const secretOf = (bits: Buffer) => {
    // First the bytes of the keyId are requested, then those of the secret.
    const answers = [Buffer.alloc(32), bits];
    return mintApiKey(() => answers.shift() ?? Buffer.alloc(0)).secret.slice(0, 43);
  };
  expect(secretOf(last(0))).toBe('0'.repeat(43));
  expect(secretOf(last(61))).toBe(`${'0'.repeat(42)}z`);
  expect(secretOf(last(62))).toBe(`${'0'.repeat(41)}10`);
  expect(secretOf(Buffer.alloc(32, 255))).toBe(digits(2n ** 256n - 1n, 43));
});

test('keyId characters are unbiased: bytes from 248 on are discarded (contract/keys#form)', () => {
  const { keyId } = mintApiKey(counting(248));
  // 248 to 255 are skipped, then 0, 1, 2 …
  expect(keyId).toBe(alphabet.slice(0, 16));
});

test('a key that lost or changed any one character is refused without a look-up (contract/keys#form)', () => {
  const { raw } = mintApiKey(systemRandom);
  for (let at = 0; at < raw.length; at++) {
    expect(parseApiKey(raw.slice(0, at) + raw.slice(at + 1))).toBeUndefined();
    expect(parseApiKey(`${raw.slice(0, at)}${raw[at] === 'a' ? 'b' : 'a'}${raw.slice(at + 1)}`)).toBeUndefined();
  }
  for (const text of [
    '',
    raw.slice(0, -1),
    `${raw}x`,
    ` ${raw}`,
    `${raw}\n`,
    raw.replace('.', ' '),
    raw.toUpperCase(),
    'fk_',
  ])
    expect(parseApiKey(text)).toBeUndefined();
});

test('keyIds are exactly sixteen base62 characters', () => {
  expect(isKeyId('0123456789ABCDxz')).toBe(true);
  for (const text of ['', '0123456789ABCDx', '0123456789ABCDxyz', '0123456789ABCD-z', '0123456789ABCDxz\n'])
    expect(isKeyId(text)).toBe(false);
});
