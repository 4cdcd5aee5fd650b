/** The development provider's signing keys, stored in a file so that tokens survive a restart. The newest key signs; older keys still verify. */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { exportJWK, generateKeyPair } from 'jose';

/** A private P-256 key (RFC 7517, RFC 7518 6.2): ES256 tokens are short enough to paste. */
export type SigningKey = {
  readonly kid: string;
  readonly kty: 'EC';
  readonly crv: 'P-256';
  readonly alg: 'ES256';
  readonly use: 'sig';
  readonly x: string;
  readonly y: string;
  readonly d: string;
};

export async function createSigningKey(): Promise<SigningKey> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true });
  const { x, y, d } = await exportJWK(privateKey);
  if (x === undefined || y === undefined || d === undefined) throw new Error('The new signing key is incomplete.');
  return { kid: crypto.randomUUID(), kty: 'EC', crv: 'P-256', alg: 'ES256', use: 'sig', x, y, d };
}

/** The keys in `file`, newest first. A missing file is created with one key. Without a file name the keys are in memory only. */
export async function loadSigningKeys(file: string | undefined): Promise<readonly SigningKey[]> {
  const stored = file === undefined ? undefined : readIfPresent(file);
  if (stored !== undefined) return parseSigningKeys(stored);
  const keys = [await createSigningKey()];
  if (file !== undefined) saveSigningKeys(file, keys);
  return keys;
}

/** Replaces the file atomically, readable by its owner only: a crash leaves the old or the new file. */
export function saveSigningKeys(file: string, keys: readonly SigningKey[]): void {
  writeFileSync(`${file}.new`, `${JSON.stringify({ keys }, undefined, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

function readIfPresent(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

function parseSigningKeys(text: string): SigningKey[] {
  const parsed: unknown = JSON.parse(text);
  if (typeof parsed === 'object' && parsed !== null && 'keys' in parsed && Array.isArray(parsed.keys)) {
    const keys: unknown[] = parsed.keys;
    if (keys.length > 0 && keys.every(isSigningKey)) return keys;
  }
  throw new Error('The file of signing keys is damaged: delete it to create new keys (earlier tokens become invalid).');
}

function isSigningKey(value: unknown): value is SigningKey {
  if (typeof value !== 'object' || value === null || !('alg' in value) || value.alg !== 'ES256') return false;
  return ['kid', 'x', 'y', 'd'].every((name) => typeof Reflect.get(value, name) === 'string');
}
