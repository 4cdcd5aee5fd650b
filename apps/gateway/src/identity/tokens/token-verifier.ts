/** Verifies the JWT access tokens of the configured issuer (contract/tokens). */

import type { Clock } from '@flowgate/base/clock';
import type { SafeFetch } from '@flowgate/http1/safe-fetch/safe-fetch';
import { member } from '@flowgate/json/json-object';
import type { Log } from '@flowgate/telemetry/log';
import { compactVerify, errors } from 'jose';
import { invalidCredential, unverifiableCredential, type Verification } from '../keys/verification.ts';
import type { IssuerLocation } from './fetch-issuer-keys.ts';
import { IssuerKeys } from './issuer-keys.ts';
import { defaultTokenAlgorithms, tokenAlgorithms } from './token-algorithms.ts';
import { type ClaimRules, callerFromClaims } from './token-claims.ts';
import { parseToken } from './token-form.ts';
import { VerifiedSignatures } from './verified-signatures.ts';

export type TokenVerifier = {
  /** Verifies the token of `Authorization: Bearer <token>`. `unavailable` only when the issuer's keys are needed and cannot be fetched. */
  readonly verify: (token: string) => Promise<Verification>;
  /** Whether tokens can be verified now. Without keys, it asks the issuer (one question for concurrent callers) and waits at most `patienceMs`. */
  readonly ready: () => Promise<boolean>;
  /** Starts fetching the issuer's keys and refreshes them until `close`. */
  readonly start: () => void;
  readonly close: () => void;
};

export type TokenVerifierOptions = IssuerLocation &
  ClaimRules & {
    /** Default `defaultTokenAlgorithms`. Throws a RangeError for a name that is not in `supportedTokenAlgorithms`. */
    readonly algorithms?: readonly string[] | undefined;
    /** For the documents of the issuer. */
    readonly request: SafeFetch['request'];
    readonly clock: Clock;
    readonly log?: Pick<Log, 'info' | 'warn'> | undefined;
    readonly fetchTimeoutMs?: number | undefined;
    readonly patienceMs?: number | undefined;
  };

export function createTokenVerifier(options: TokenVerifierOptions): TokenVerifier {
  const algorithms = tokenAlgorithms(options.algorithms ?? defaultTokenAlgorithms);
  const keys = new IssuerKeys({ ...options, algorithms });
  const signatures = new VerifiedSignatures();

  return {
    async verify(token) {
      const form = parseToken(token, algorithms);
      if (form === undefined) return invalidCredential;
      // Claims before the signature, so that a token with refused claims causes no request to the issuer and no wait.
      const caller = callerFromClaims(form.claims, options, options.clock.now());
      if (caller === undefined) return invalidCredential;
      const issuedAtMs = secondsAsMs(member(form.claims, 'iat'));
      const key = await keys.find(form.algorithm, form.kid, issuedAtMs);
      if (key === 'unavailable') return unverifiableCredential;
      if (key === 'invalid') return invalidCredential;
      try {
        await signatures.once(key, token, () => compactVerify(token, key, { algorithms: [form.algorithm] }));
        return { kind: 'valid', caller };
      } catch (failure) {
        if (failure instanceof errors.JOSEError) return invalidCredential;
        throw failure;
      }
    },
    ready: () => keys.ready(),
    start: () => keys.start(),
    close: () => keys.close(),
  };
}

/** A NumericDate (RFC 7519, 2). */
function secondsAsMs(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value * 1000 : undefined;
}
