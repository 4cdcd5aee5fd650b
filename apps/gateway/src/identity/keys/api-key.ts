/** The form of an API key (contract/keys#mint): minting, parsing and checksum, as pure functions. */

import type { RandomBytes } from '@flowgate/base/random';
import { apiKeyForm } from '../../api/credential.ts';

/** `fk_<keyId>.<secret>`; the secret's last six characters are the checksum of all preceding characters. */
export type ApiKey = { readonly raw: string; readonly keyId: string; readonly secret: string };

export const apiKeyLength = 69;
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const keyIdLength = 16;
const entropyLength = 43;
const checksumLength = 6;

/** A new key from injected randomness: 16 unbiased base62 characters, 256 random bits and the checksum. */
export function mintApiKey(randomBytes: RandomBytes): ApiKey {
  const head = `fk_${randomKeyId(randomBytes)}.${base62(bytesToInteger(randomBytes(32)), entropyLength)}`;
  return split(head + apiKeyChecksum(head));
}

/** The key's parts, or `undefined` for a text that no mint can have created: a mistyped or truncated key costs no look-up. */
export function parseApiKey(raw: string): ApiKey | undefined {
  if (raw.length !== apiKeyLength || !apiKeyForm.test(raw)) return undefined;
  const headLength = apiKeyLength - checksumLength;
  return apiKeyChecksum(raw.slice(0, headLength)) === raw.slice(headLength) ? split(raw) : undefined;
}

/** CRC-32 (IEEE) over `fk_<16>.<43>` as six base62 digits, most significant first. */
export function apiKeyChecksum(head: string): string {
  let digits = '';
  for (let rest = Bun.hash.crc32(head); digits.length < checksumLength; rest = Math.floor(rest / 62))
    digits = alphabet.charAt(rest % 62) + digits;
  return digits;
}

/** The keyId in a text that has the length of a key; the text is not checked. */
export function keyIdWithin(raw: string): string {
  return raw.substring(3, 3 + keyIdLength);
}

function split(raw: string): ApiKey {
  return { raw, keyId: keyIdWithin(raw), secret: raw.slice(4 + keyIdLength) };
}

function randomKeyId(randomBytes: RandomBytes): string {
  let keyId = '';
  while (keyId.length < keyIdLength) {
    // 248 is the highest multiple of 62 in a byte. Higher values would make some characters more likely.
    for (const byte of randomBytes(keyIdLength * 2))
      if (byte < 248 && keyId.length < keyIdLength) keyId += alphabet.charAt(byte % 62);
  }
  return keyId;
}

function bytesToInteger(bytes: Uint8Array): bigint {
  return bytes.reduce((value, byte) => (value << 8n) | BigInt(byte), 0n);
}

function base62(value: bigint, length: number): string {
  let digits = '';
  for (let rest = value; digits.length < length; rest /= 62n) digits = alphabet.charAt(Number(rest % 62n)) + digits;
  return digits;
}
