/** The stored form of a secret: HMAC-SHA-256(pepper, keyId ‖ secret), and the pepper's version (contract/keys#at-rest). */

import type { ApiKey } from './api-key.ts';

export type KeyDigest = {
  /** 64 hex digits. */
  readonly digest: string;
  readonly pepperVersion: string;
};

export type Peppers = {
  /** The digest of a new key, made with the first pepper. */
  digest(key: ApiKey): KeyDigest;
  /**
   * Whether `kept` was made from `key`. Costs one HMAC and one constant-time comparison whatever the outcome. For `undefined` (unknown keyId) and for a pepper that
   * is no longer configured it costs the same and is false.
   */
  matches(key: ApiKey, kept: KeyDigest | undefined): boolean;
};

type Pepper = { readonly version: string; readonly hmac: Bun.CryptoHasher };

/** The first pepper is used for new keys, all are accepted (contract/running). Throws on an empty list, which the configuration refuses. */
export function createPeppers(secrets: readonly string[]): Peppers {
  const peppers = secrets.map(
    (secret): Pepper => ({ version: pepperVersion(secret), hmac: new Bun.CryptoHasher('sha256', secret) }),
  );
  const [first] = peppers;
  if (first === undefined) throw new Error('at least one pepper is needed');
  const byVersion = new Map(peppers.map((pepper) => [pepper.version, pepper]));
  const nothing: KeyDigest = { digest: '0'.repeat(64), pepperVersion: '' };

  return {
    digest: (key) => ({ digest: digestOf(first, key), pepperVersion: first.version }),
    matches(key, kept = nothing) {
      const pepper = byVersion.get(kept.pepperVersion);
      const equal = constantTimeEqual(digestOf(pepper ?? first, key), kept.digest);
      return equal && pepper !== undefined;
    },
  };
}

/**
 * A pepper's name in the database: the first 12 hex digits of an HMAC under it, over a text that no key can be. It follows from the pepper alone, so it survives
 * reordering and rotation, and the configuration needs no version numbers.
 */
export function pepperVersion(secret: string): string {
  return new Bun.CryptoHasher('sha256', secret).update('flowgate/pepper-version').digest('hex').slice(0, 12);
}

/** Takes a time that depends on the lengths only. */
export function constantTimeEqual(left: string, right: string): boolean {
  if (left.length !== right.length) return false;
  let difference = 0;
  for (let at = 0; at < left.length; at++) difference |= left.charCodeAt(at) ^ right.charCodeAt(at);
  return difference === 0;
}

function digestOf(pepper: Pepper, key: ApiKey): string {
  return pepper.hmac
    .copy()
    .update(key.keyId + key.secret)
    .digest('hex');
}
