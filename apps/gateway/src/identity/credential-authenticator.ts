/** Verifies an extracted credential: returns the caller or the reason of the refusal, and counts failures for each address (contract/limits). */

import type { Clock } from '@flowgate/base/clock';
import type { Authentication, Authenticator, CredentialSource } from '../api/authenticator.ts';
import { AdmissionLog } from '../limits/admission-log.ts';
import { admissionOf, windowMs } from '../limits/rate-limit.ts';
import type { KeyVerifier } from './keys/key-verifier.ts';
import type { KnownKeys } from './keys/known-keys.ts';
import type { Verification } from './keys/verification.ts';
import type { TokenVerifier } from './tokens/token-verifier.ts';

export type AuthenticatorOptions = {
  readonly keys: KeyVerifier;
  readonly known: Pick<KnownKeys, 'changes'>;
  readonly tokens: Pick<TokenVerifier, 'verify'>;
  readonly invalidPerMinute: number;
  readonly clock: Clock;
};

/** The maximum number of addresses with a count of their own. Further addresses share one limit, so that invented addresses gain nothing. */
const maxAddresses = 100_000;

const unverifiable: Authentication = { kind: 'refused', reason: 'credential-unverifiable' };
const invalid: Authentication = { kind: 'refused', reason: 'credential-invalid' };

export function createCredentialAuthenticator({
  keys,
  known,
  tokens,
  invalidPerMinute,
  clock,
}: AuthenticatorOptions): Authenticator {
  const failed = new AdmissionLog(windowMs, maxAddresses);

  const conclude = (verification: Verification, from: CredentialSource): Authentication => {
    if (verification.kind === 'valid')
      return { kind: 'caller', caller: verification.caller, expiresAtMs: verification.expiresAtMs };
    if (verification.kind === 'unavailable') return unverifiable;
    const now = clock.monotonic();
    const window = failed.of(from.clientAddress(), now);
    const waitMs = window.waitFor(1, invalidPerMinute, now);
    if (waitMs > 0) return { kind: 'limited', admission: admissionOf(window, invalidPerMinute, waitMs, now, clock) };
    window.add(1, now);
    return invalid;
  };

  return {
    keyChanges: () => known.changes,
    authenticate(credential, from) {
      const verification = credential.kind === 'api-key' ? keys.verify(credential.raw) : tokens.verify(credential.raw);
      return verification instanceof Promise
        ? verification.then((settled) => conclude(settled, from))
        : conclude(verification, from);
    },
  };
}
