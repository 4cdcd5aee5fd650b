/** Opens authentication: API keys, their revocations, and access tokens. */

import { createDistinctTimes } from '@flowgate/base/clock';
import { createSafeFetch } from '@flowgate/http1/safe-fetch/safe-fetch';
import { createPeppers } from '../access/api-key-digest.ts';
import { createAuthenticator } from '../access/authenticator.ts';
import { createHeldRevocations } from '../access/held-revocations.ts';
import { KeyCache } from '../access/key-cache.ts';
import { KnownKeys } from '../access/known-keys.ts';
import { createLastUsed } from '../access/last-used.ts';
import type { ListKeysParts } from '../access/list-keys.ts';
import { createRevocationSync } from '../access/revocation-sync.ts';
import type { RevokeKeyParts } from '../access/revoke-key.ts';
import { accessRoutes } from '../access/routes.ts';
import { createTokenVerifier } from '../access/tokens.ts';
import type { LimitOverrides } from '../access/user-limits.ts';
import { createKeyVerifier } from '../access/verify-key.ts';
import type { Authenticator, KeyChangeListener } from '../api/authenticator.ts';
import type { Config } from '../config/config.ts';
import { createSqlApiKeyStore } from '../stores/sql/keys/api-key-store.ts';
import { type Part, part } from './part.ts';
import type { Sharing } from './sharing.ts';
import type { Storage } from './storage.ts';
import type { Surroundings } from './surroundings.ts';

/** The interval in milliseconds at which last-used times are written. */
const lastUsedFlushMs = 5_000;

export type Access = {
  readonly authenticator: Authenticator;
  /** Tells of keys that may have become invalid; the returned function ends that. */
  readonly onKeyChange: (listener: KeyChangeListener) => () => void;
  /** To list and revoke the keys of any user. */
  readonly keys: ListKeysParts & RevokeKeyParts;
  /** Whether tokens can be verified now. Never rejects. */
  readonly hasIssuerKeys: () => Promise<boolean>;
  readonly part: Part;
};

type Rooms = { readonly storage: Storage; readonly sharing: Sharing; readonly userLimits: LimitOverrides };

export function openAccess(
  config: Config,
  surroundings: Surroundings,
  { storage, sharing, userLimits }: Rooms,
): Access {
  const { clock, timerWheel, turns, randomBytes, log } = surroundings;
  const { pubSub } = sharing;
  const store = createSqlApiKeyStore(storage.database, storage.audited);
  const peppers = createPeppers(config.keys.peppers);
  const lastUsed = createLastUsed(store);
  const known = new KnownKeys(new KeyCache(clock, { ttlMs: config.keys.cacheTtlSeconds * 1000 }));
  const held = createHeldRevocations({ store, known, pubSub, clock, log });
  const revocations = createRevocationSync({ known, store, pubSub, clock, log });
  const issuerFetch = createSafeFetch({ allowPrivateHosts: [], timerWheel, turns, clock });
  const tokens = createTokenVerifier({ ...config.identity, request: issuerFetch.request, clock, log });
  const keys = createKeyVerifier({ store: held, peppers, known, lastUsed });
  const managed = { store: { ...store, revoke: held.revoke }, forget: revocations.forget, lastUsed, clock };
  const running = new AsyncDisposableStack();
  return {
    keys: managed,
    authenticator: createAuthenticator({
      keys,
      known,
      tokens,
      invalidPerMinute: config.limits.invalidPerMinute,
      clock,
    }),
    onKeyChange: (listener) => known.onChange(listener),
    hasIssuerKeys: tokens.ready,
    part: part({
      routes: accessRoutes({
        ...managed,
        overrides: userLimits,
        limits: config.limits,
        peppers,
        creationTime: createDistinctTimes(clock),
        randomBytes,
      }),
      /** Each returns the function that ends it; they are ended in reverse order. */
      start() {
        running.defer(held.start());
        running.defer(held.retry);
        running.defer(revocations.start());
        running.defer(async () => issuerFetch.close());
        tokens.start();
        running.defer(tokens.close);
        running.defer(async () => {
          if (!(await lastUsed.flush())) log.warn('last-used.lost');
        });
        running.defer(lastUsed.start(lastUsedFlushMs));
      },
      close: () => running.disposeAsync(),
    }),
  };
}
