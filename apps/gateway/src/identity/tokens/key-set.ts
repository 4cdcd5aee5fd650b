/** The issuer's published keys from a JWK Set (RFC 7517), limited to keys that may verify a token (contract/tokens#keys-of-the-issuer). */

import { isJsonObject, type JsonObject, member } from '@flowgate/json/json-object';
import { type CryptoKey, importJWK } from 'jose';
import { keyKindOf } from './token-algorithms.ts';

/** `absent`: the set does not contain this kid. `unusable`: the set contains it, but no key, or more than one, may verify this algorithm. */
export type KeyMatch = CryptoKey | 'absent' | 'unusable';

export type KeySet = {
  /** Without a kid: the only key of the set that fits the algorithm (OpenID Connect Core 10.1 requires a kid when there are several). */
  readonly find: (algorithm: string, kid: string | undefined) => KeyMatch;
  /** Published keys that verify at least one allowed algorithm. */
  readonly usableKeys: number;
};

type PublishedKey = { readonly kid: string | undefined; readonly byAlgorithm: ReadonlyMap<string, CryptoKey> };

const minRsaBits = 2048;

/**
 * Reads a JWK Set document. Malformed entries and entries for other purposes are known by their kid but verify nothing. `undefined` when the document is no
 * JWK Set with at least one key: an issuer without keys has failed and not revoked all of them.
 */
export async function readKeySet(document: JsonObject, algorithms: ReadonlySet<string>): Promise<KeySet | undefined> {
  const entries = member(document, 'keys');
  if (!Array.isArray(entries)) return undefined;
  const published: PublishedKey[] = [];
  for (const entry of entries) {
    if (!isJsonObject(entry) || typeof member(entry, 'kty') !== 'string') continue;
    const kid = member(entry, 'kid');
    if (kid !== undefined && typeof kid !== 'string') continue;
    published.push({ kid, byAlgorithm: await importEntry(entry, algorithms) });
  }
  return published.length === 0 ? undefined : keySetOf(published);
}

function keySetOf(published: readonly PublishedKey[]): KeySet {
  const byKid = Map.groupBy(published, (key) => key.kid);
  return {
    usableKeys: published.filter((key) => key.byAlgorithm.size > 0).length,
    find(algorithm, kid) {
      const named = kid === undefined ? published : byKid.get(kid);
      if (named === undefined) return 'absent';
      const fitting = named.flatMap((key) => key.byAlgorithm.get(algorithm) ?? []);
      if (kid === undefined && fitting.length === 0) return 'absent';
      const [key, ...others] = fitting;
      return key === undefined || others.length > 0 ? 'unusable' : key;
    },
  };
}

async function importEntry(jwk: JsonObject, algorithms: ReadonlySet<string>): Promise<ReadonlyMap<string, CryptoKey>> {
  const imported = new Map<string, CryptoKey>();
  if (!mayVerify(jwk)) return imported;
  const declared = member(jwk, 'alg');
  for (const algorithm of algorithms) {
    if (declared !== undefined && declared !== algorithm) continue;
    const key = await importFor(jwk, algorithm);
    if (key !== undefined) imported.set(algorithm, key);
  }
  return imported;
}

/** RFC 7517, 4.2 and 4.3. A key published with its private part (`d`) is not secret. */
function mayVerify(jwk: JsonObject): boolean {
  const use = member(jwk, 'use');
  const operations = member(jwk, 'key_ops');
  if (Object.hasOwn(jwk, 'd') || (use !== undefined && use !== 'sig')) return false;
  return operations === undefined || (Array.isArray(operations) && operations.includes('verify'));
}

/** Copies only the public numbers, so that other members (`x5u`, `x5c`, `ext`) have no effect. */
async function importFor(jwk: JsonObject, algorithm: string): Promise<CryptoKey | undefined> {
  const kind = keyKindOf(algorithm);
  if (kind === undefined || member(jwk, 'kty') !== kind.kty) return undefined;
  if (kind.kty !== 'RSA' && member(jwk, 'crv') !== kind.crv) return undefined;
  const numbers: Record<string, string> = {};
  for (const name of kind.kty === 'RSA' ? ['n', 'e'] : ['crv', 'x', 'y']) {
    const value = member(jwk, name);
    if (typeof value === 'string') numbers[name] = value;
  }
  try {
    const key = await importJWK({ ...numbers, kty: kind.kty }, algorithm);
    return key instanceof CryptoKey && !isWeak(key) ? key : undefined;
  } catch {
    return undefined;
  }
}

/** RFC 7518, 3.3 and 3.5. */
function isWeak(key: CryptoKey): boolean {
  return 'modulusLength' in key.algorithm && Number(key.algorithm.modulusLength) < minRsaBits;
}
