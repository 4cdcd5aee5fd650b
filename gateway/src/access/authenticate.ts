/** From a presented credential to a caller, or to the reason why not; failed ones are counted against the address they come from (contract/limits). */

import type { Caller, Verification } from '../api/caller.ts';
import type { Clock } from '../platform/clock.ts';
import { AdmissionLog } from './admission-log.ts';
import { type Admission, admissionOf, windowMs } from './rate-limit.ts';

export type KeyVerification = { readonly verify: (raw: string) => Verification | Promise<Verification> };
export type TokenVerification = { readonly verify: (raw: string) => Promise<Verification> };

/** Identity is established before any limit of the user's is touched; an invalid credential never spends a user's requests. */
export type Authentication =
  | { readonly kind: 'caller'; readonly caller: Caller }
  | { readonly kind: 'refused'; readonly reason: 'credential-invalid' | 'credential-unverifiable' }
  | { readonly kind: 'limited'; readonly admission: Admission };

export type Credential = { readonly kind: 'api-key' | 'token'; readonly raw: string };

export type Authenticate = (
  credential: Credential,
  /** Asked only when the credential turns out invalid. */
  address: () => string,
) => Authentication | Promise<Authentication>;

export type AuthenticateOptions = {
  readonly keys: KeyVerification;
  readonly tokens: TokenVerification;
  readonly invalidPerMinute: number;
  readonly clock: Clock;
};

/** Addresses remembered apart; more than that at once share one limit, so that inventing addresses gains nothing. */
const maxAddresses = 100_000;

const unverifiable: Authentication = { kind: 'refused', reason: 'credential-unverifiable' };
const invalid: Authentication = { kind: 'refused', reason: 'credential-invalid' };

export function createAuthenticate({ keys, tokens, invalidPerMinute, clock }: AuthenticateOptions): Authenticate {
  const failed = new AdmissionLog(windowMs, maxAddresses);

  const conclude = (verification: Verification, address: () => string): Authentication => {
    if (verification.kind === 'valid') return { kind: 'caller', caller: verification.caller };
    if (verification.kind === 'unavailable') return unverifiable;
    const now = clock.monotonic();
    const window = failed.of(address(), now);
    const waitMs = window.waitFor(1, invalidPerMinute, now);
    if (waitMs > 0) return { kind: 'limited', admission: admissionOf(window, invalidPerMinute, waitMs, now, clock) };
    window.add(1, now);
    return invalid;
  };

  return (credential, address) => {
    const verification = credential.kind === 'api-key' ? keys.verify(credential.raw) : tokens.verify(credential.raw);
    return verification instanceof Promise
      ? verification.then((settled) => conclude(settled, address))
      : conclude(verification, address);
  };
}
