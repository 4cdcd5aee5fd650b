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
   * Whether `stored` is the digest of `key`. The cost is always one HMAC and one constant-time comparison, also for `undefined` (unknown keyId) and for a
   * pepper that is no longer configured, which never match.
   */
  matches(key: ApiKey, stored: KeyDigest | undefined): boolean;
};

type Pepper = { readonly version: string; readonly hmac: Bun.CryptoHasher };

/** New keys use the first pepper; keys of all peppers are accepted (contract/running). @throws for an empty list, which the configuration refuses. */
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
    matches(key, stored = nothing) {
      const pepper = byVersion.get(stored.pepperVersion);
      const equal = constantTimeEqual(digestOf(pepper ?? first, key), stored.digest);
      return equal && pepper !== undefined;
    },
  };
}

/**
 * The id of a pepper in the database: the first 12 hex digits of an HMAC with it, over a text that no key can be. It depends only on the pepper, so peppers
 * can be reordered and rotated without version numbers in the configuration.
 */
export function pepperVersion(secret: string): string {
  return new Bun.CryptoHasher('sha256', secret).update('flowgate/pepper-version').digest('hex').slice(0, 12);
}

/** Its time depends on the lengths only. */
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
