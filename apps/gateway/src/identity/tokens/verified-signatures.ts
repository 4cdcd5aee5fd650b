/** Remembers which signatures were verified, so that a token that comes with every request costs its public-key operation once for each key that the issuer publishes. */

import { createHash } from 'node:crypto';
import { BoundedMap } from '@flowgate/async/bounded-map';
import type { CryptoKey } from 'jose';

/** For one key: a hundred bytes each. */
const maxTokens = 10_000;

/**
 * Only that this very key has verified this very text: what the token claims, whether it is in time, and which key has to have signed it is decided again for each request. A key that is
 * published again is another object, and begins with nothing. Texts are kept as their SHA-256, so that no token stays in memory and no comparison tells anything about one.
 */
export class VerifiedSignatures {
  readonly #byKey = new WeakMap<CryptoKey, BoundedMap<string, true>>();

  /** Runs `verify` unless the key is known to have verified the token; throws what it throws, and remembers nothing then. */
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
