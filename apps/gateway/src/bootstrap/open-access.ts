/** Opens authentication: API keys, their revocations, and access tokens. */

import { createDistinctTimes } from '@flowgate/base/clock';
import { createSafeFetch } from '@flowgate/http1/safe-fetch/safe-fetch';
import type { Authenticator, KeyChangeListener } from '../api/authenticator.ts';
import type { Config } from '../config/config.ts';
import { createCredentialAuthenticator } from '../identity/credential-authenticator.ts';
import { identityRoutes } from '../identity/identity-routes.ts';
import { createPeppers } from '../identity/keys/api-key-digest.ts';
import { KeyCache } from '../identity/keys/key-cache.ts';
import { createKeyVerifier } from '../identity/keys/key-verifier.ts';
import { KnownKeys } from '../identity/keys/known-keys.ts';
import { createLastUsed } from '../identity/keys/last-used.ts';
import type { ListKeysDeps } from '../identity/keys/list-keys.ts';
import { createPendingRevocations } from '../identity/keys/pending-revocations.ts';
import { createRevocationSync } from '../identity/keys/revocation-sync.ts';
import type { RevokeKeyDeps } from '../identity/keys/revoke-key.ts';
import { createSqlApiKeyStore } from '../identity/keys/sql-api-key-store.ts';
import { createTokenVerifier } from '../identity/tokens/token-verifier.ts';
import type { LimitOverrides } from '../limits/user-limits.ts';
import { type ModuleHooks, moduleHooks } from './open-modules.ts';
import type { Sharing } from './open-sharing.ts';
import type { Storage } from './open-storage.ts';
import type { Runtime } from './runtime.ts';

/** The interval in milliseconds at which last-used times are written. */
const lastUsedFlushMs = 5_000;

export type Access = {
  readonly authenticator: Authenticator;
  /** Notifies of keys that may have become invalid; the returned function ends that. */
  readonly onKeyChange: (listener: KeyChangeListener) => () => void;
  /** To list and revoke the keys of any user. */
  readonly keys: ListKeysDeps & RevokeKeyDeps;
  /** Whether tokens can be verified now. Never rejects. */
  readonly hasIssuerKeys: () => Promise<boolean>;
  readonly hooks: ModuleHooks;
};

type Modules = { readonly storage: Storage; readonly sharing: Sharing; readonly userLimits: LimitOverrides };

export function openAccess(config: Config, runtime: Runtime, { storage, sharing, userLimits }: Modules): Access {
  const { clock, timerWheel, turns, randomBytes, log } = runtime;
  const { pubSub } = sharing;
  const store = createSqlApiKeyStore(storage.database, storage.audited);
  const peppers = createPeppers(config.keys.peppers);
  const lastUsed = createLastUsed(store);
  const known = new KnownKeys(new KeyCache(clock, { ttlMs: config.keys.cacheTtlSeconds * 1000 }));
  const pending = createPendingRevocations({ store, known, pubSub, clock, log });
  const revocations = createRevocationSync({ known, store, pubSub, clock, log });
  const issuerFetch = createSafeFetch({ allowPrivateHosts: [], timerWheel, turns, clock });
  const tokens = createTokenVerifier({ ...config.identity, request: issuerFetch.request, clock, log });
  const keys = createKeyVerifier({ store: pending, peppers, known, lastUsed });
  const managed = { store: { ...store, revoke: pending.revoke }, forget: revocations.forget, lastUsed, clock };
  const running = new AsyncDisposableStack();
  return {
    keys: managed,
    authenticator: createCredentialAuthenticator({
      keys,
      known,
      tokens,
      invalidPerMinute: config.limits.invalidPerMinute,
      clock,
    }),
    onKeyChange: (listener) => known.onChange(listener),
    hasIssuerKeys: tokens.ready,
    hooks: moduleHooks({
      routes: identityRoutes({
        ...managed,
        overrides: userLimits,
        limits: config.limits,
        peppers,
        creationTime: createDistinctTimes(clock),
        randomBytes,
      }),
      /** Each returns the function that ends it; they are ended in reverse order. */
      start() {
        running.defer(pending.start());
        running.defer(pending.retry);
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
