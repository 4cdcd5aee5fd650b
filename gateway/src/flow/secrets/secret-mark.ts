/** Marks of secrets: by them a secret is found again in any text, and by nothing that is kept of it can it be read or guessed (docs/decisions/0048). */

import { createHmac, hkdfSync } from 'node:crypto';
import { foldedBytes } from './secret-spellings.ts';

/** Makes and tests marks of one user's secrets with one app. The seed is a secret. */
export type MarkKey = { readonly keyId: string; readonly seed: string };

/** Marks, and the keys under which they were made: plain data, for the validation worker too. */
export type SecretScan = { readonly keys: readonly MarkKey[]; readonly marks: readonly string[] };

export const noSecrets: SecretScan = { keys: [], marks: [] };

/** From this length on a secret is found inside of longer texts; a shorter one only where it is the whole text: it would be found by chance. */
const containedFromLength = 6;
/** Shorter ones are not kept beyond the answer to the step that submitted them: `1` is in every app's every text. */
const keptFromLength = 4;
/** Bytes of a longer one that give it away. */
const comparedBytes = 64;

/** Lengths of the windows that are hashed at every place of a text: few, whatever lengths the secrets have. Two windows of a secret always cover it. */
const windows = [6, 8, 12, 16, 24, 32, 48, 64];

export type SecretMark = {
  readonly keyId: string;
  /** Found inside of texts, not only as the whole of one. */
  readonly isContained: boolean;
  /** In bytes. */
  readonly length: number;
  /** Hashes of its first and of its last window. */
  readonly head: number;
  readonly tail: number;
  readonly digest: string;
};

/**
 * Hashes of the windows of a text, each in constant time: that of `length` bytes from `at` on is `sums[at + length] - sums[at] * powers[length]`, modulo 2^32. Of no use to whoever does not
 * know the key.
 */
export type TextHasher = {
  readonly powers: Uint32Array;
  readonly sums: (bytes: Uint8Array) => Uint32Array;
  readonly digest: (bytes: Uint8Array) => string;
};

/** Of a window's length for a mark. */
export function windowOf({ isContained, length }: Pick<SecretMark, 'isContained' | 'length'>): number {
  return isContained ? (windows.findLast((each) => each <= length) ?? length) : length;
}

/**
 * One key for each pepper, user and app: the first makes marks, all find them, so peppers rotate as they do for API keys. HKDF-SHA-256 (RFC 5869), apart from what API keys are hashed and
 * secrets are encrypted with.
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

/** A polynomial over random words, one for each byte, modulo 2^32: without the seed its values say nothing of a text. */
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

/** Of the window of `length` bytes from `at` on; `power` is `powers[length]`. */
export function hashAt(sums: Uint32Array, at: number, length: number, power: number): number {
  return ((sums[at + length] ?? 0) - Math.imul(sums[at] ?? 0, power)) >>> 0;
}

/** Of whatever was submitted in a secret field; an empty text has none. */
export function markOf(key: MarkKey, hasher: TextHasher, text: string): string | undefined {
  const trimmed = text.trim();
  const bytes = foldedBytes(trimmed).subarray(0, comparedBytes);
  if (bytes.length === 0) return undefined;
  const isContained = trimmed.length >= containedFromLength;
  const window = windowOf({ isContained, length: bytes.length });
  const sums = hasher.sums(bytes);
  const [head, tail] = [0, bytes.length - window].map((at) => hashAt(sums, at, window, hasher.powers[window] ?? 0));
  const kind = isContained ? 'c' : trimmed.length >= keptFromLength ? 'w' : 's';
  return [key.keyId, kind, bytes.length, head?.toString(36), tail?.toString(36), hasher.digest(bytes)].join('.');
}

/** Whether it is looked for in later steps too. */
export function isKept(mark: string): boolean {
  return mark.split('.')[1] !== 's';
}

/** `undefined` for what is no mark. */
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
