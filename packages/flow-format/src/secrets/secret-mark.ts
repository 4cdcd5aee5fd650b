/** Marks of secrets. A mark allows the gateway to find its secret in a text. Without the key, a mark does not help to read or guess the secret (docs/decisions/0048). */

import { createHmac, hkdfSync } from 'node:crypto';
import { foldedBytes } from './secret-spellings.ts';

/** The key for marks of one user's secrets with one app. The seed is a secret. */
export type MarkKey = { readonly keyId: string; readonly seed: string };

/** Marks with their keys. Plain data, so that it can be posted to the validation worker. */
export type SecretScan = { readonly keys: readonly MarkKey[]; readonly marks: readonly string[] };

export const noSecrets: SecretScan = { keys: [], marks: [] };

/** Secrets of at least this length are found inside longer texts. Shorter ones would match by chance, and count only as a whole text. */
const containedFromLength = 6;
/** Shorter secrets are not stored: `1` appears in every app's texts. They count only in the response to the submission that contained them. */
const storedFromLength = 4;
/** Only the first bytes of a longer secret are compared: showing them already reveals the secret. */
const comparedBytes = 64;

/**
 * The lengths of windows that are hashed at every position of a text. They are few, regardless of the number of different lengths of secrets. A window covers more than half of
 * its secret.
 */
const windows = [6, 8, 12, 16, 24, 32, 48, 64];

export type SecretMark = {
  readonly keyId: string;
  /** Found inside longer texts too, not only as a whole text. */
  readonly isContained: boolean;
  /** In bytes. */
  readonly length: number;
  /** The hashes of the first and of the last window. */
  readonly head: number;
  readonly tail: number;
  readonly digest: string;
};

/**
 * Hashes windows of a text, each in constant time: the hash of `length` bytes from `at` is `sums[at + length] - sums[at] * powers[length]`, modulo 2^32. Without the key the hashes say
 * nothing about the text.
 */
export type TextHasher = {
  readonly powers: Uint32Array;
  readonly sums: (bytes: Uint8Array) => Uint32Array;
  readonly digest: (bytes: Uint8Array) => string;
};

/** The window's length for a mark, in bytes. */
export function windowOf({ isContained, length }: Pick<SecretMark, 'isContained' | 'length'>): number {
  return isContained ? (windows.findLast((each) => each <= length) ?? length) : length;
}

/**
 * One key for each pepper, user and app. The first key makes marks and all keys find them, so peppers rotate as they do for API keys. HKDF-SHA-256 (RFC 5869) separates these keys from
 * those that hash API keys and encrypt secrets.
 */
export function createMarkKeys(peppers: readonly string[]): (userId: string, appId: string) => readonly MarkKey[] {
  const roots = peppers.map((pepper) => {
    const derive = (purpose: string, bytes: number) =>
      Buffer.from(hkdfSync('sha256', pepper, '', `flowgate/flow/secret-marks/${purpose}`, bytes));
    return { keyId: derive('id', 6).toString('hex'), root: derive('key', 32) };
  });
  return (userId, appId) =>
    roots.map(({ keyId, root }) => ({
      keyId,
      seed: createHmac('sha256', root)
        .update(JSON.stringify([userId, appId]))
        .digest('base64url'),
    }));
}

/** A polynomial hash over random words, one for each byte value, modulo 2^32. */
export function createTextHasher({ seed }: MarkKey): TextHasher {
  const random = Buffer.from(hkdfSync('sha256', seed, '', 'flowgate/flow/secret-marks/words', 1_028));
  const words = Uint32Array.from({ length: 256 }, (_, at) => random.readUInt32LE(4 * at));
  const base = random.readUInt32LE(1_024) | 1;
  const powers = new Uint32Array(comparedBytes + 1).fill(1);
  for (let at = 1; at <= comparedBytes; at++) powers[at] = Math.imul(powers[at - 1] ?? 0, base);
  return {
    powers,
    sums(bytes) {
      const sums = new Uint32Array(bytes.length + 1);
      for (let at = 0; at < bytes.length; at++)
        sums[at + 1] = Math.imul(sums[at] ?? 0, base) + (words[bytes[at] ?? 0] ?? 0);
      return sums;
    },
    digest: (bytes) => createHmac('sha256', seed).update(bytes).digest().subarray(0, 16).toString('base64url'),
  };
}

/** The hash of the window of `length` bytes from `at`; `power` is `powers[length]`. */
export function hashAt(sums: Uint32Array, at: number, length: number, power: number): number {
  return ((sums[at + length] ?? 0) - Math.imul(sums[at] ?? 0, power)) >>> 0;
}

/** The mark of a text that was submitted in a secret field; `undefined` for an empty text. */
export function markOf(key: MarkKey, hasher: TextHasher, text: string): string | undefined {
  const trimmed = text.trim();
  const bytes = foldedBytes(trimmed).subarray(0, comparedBytes);
  if (bytes.length === 0) return undefined;
  const isContained = trimmed.length >= containedFromLength;
  const window = windowOf({ isContained, length: bytes.length });
  const sums = hasher.sums(bytes);
  const [head, tail] = [0, bytes.length - window].map((at) => hashAt(sums, at, window, hasher.powers[window] ?? 0));
  const kind = isContained ? 'c' : trimmed.length >= storedFromLength ? 'w' : 's';
  return [key.keyId, kind, bytes.length, head?.toString(36), tail?.toString(36), hasher.digest(bytes)].join('.');
}

/** Whether the mark is stored, so that later steps look for it too. */
export function isStoredMark(mark: string): boolean {
  return mark.split('.')[1] !== 's';
}

/** `undefined` if the text is not a mark. */
export function parseMark(mark: string): SecretMark | undefined {
  const [keyId = '', kind = '', length = '', head = '', tail = '', digest = ''] = mark.split('.');
  const bytes = Number(length);
  if (!/^[csw]$/.test(kind) || !Number.isInteger(bytes) || bytes < 1 || bytes > comparedBytes) return undefined;
  return {
    keyId,
    isContained: kind === 'c',
    length: bytes,
    head: Number.parseInt(head, 36),
    tail: Number.parseInt(tail, 36),
    digest,
  };
}
