/** Caches verified signatures, so that a token in continuous use costs one public-key operation for each key that the issuer publishes. */

import { createHash } from 'node:crypto';
import { BoundedMap } from '@flowgate/async/bounded-map';
import type { CryptoKey } from 'jose';

/** For one key; each entry takes about a hundred bytes. */
const maxTokens = 10_000;

/**
 * Records only that this key has verified this text. Claims, expiry and the choice of the key are decided for each request. A key that is published again is
 * a new object without entries. Texts are stored as SHA-256, so that no token stays in memory and comparisons reveal nothing about it.
 */
export class VerifiedSignatures {
  readonly #byKey = new WeakMap<CryptoKey, BoundedMap<string, true>>();

  /** Runs `verify` unless the key is known to have verified the token. When `verify` throws, nothing is cached and the exception is rethrown. */
  async once(key: CryptoKey, token: string, verify: () => Promise<unknown>): Promise<void> {
    const digest = createHash('sha256').update(token).digest('base64url');
    const known = this.#verifiedBy(key);
    if (known.has(digest)) return;
    await verify();
    known.set(digest, true);
  }

  #verifiedBy(key: CryptoKey): BoundedMap<string, true> {
    const known = this.#byKey.get(key) ?? new BoundedMap(maxTokens);
    this.#byKey.set(key, known);
    return known;
  }
}
