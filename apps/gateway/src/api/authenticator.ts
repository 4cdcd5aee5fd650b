/** The interface by which the HTTP edge authenticates callers; `identity/` implements it (contract/credentials, contract/limits#invalid-credentials). */

import type { Caller } from './caller.ts';
import type { Credential } from './credential.ts';
import type { Admission } from './rate-limiter.ts';

/** The caller is authenticated before any limit of the user is counted. An invalid credential never spends a user's requests. */
export type Authentication =
  | {
      readonly kind: 'caller';
      readonly caller: Caller;
      /** Expiry of the API key, in milliseconds since the Unix epoch; absent if it does not expire. */
      readonly expiresAtMs?: number | undefined;
    }
  | { readonly kind: 'refused'; readonly reason: 'credential-invalid' | 'credential-unverifiable' }
  /** Too many invalid credentials from one address. */
  | { readonly kind: 'limited'; readonly admission: Admission };

/** The address that the credential came from. Called only for an invalid credential. */
export type CredentialSource = { clientAddress(): string };

export type Authenticator = {
  /** Returns a value instead of a promise when the result is in memory: that path must not await. */
  readonly authenticate: (credential: Credential, from: CredentialSource) => Authentication | Promise<Authentication>;
  /** Increases whenever an API key that was verified before may have become invalid. */
  readonly keyChanges: () => number;
};

/** Called with the id of a key that may have become invalid, on this gateway or another; `undefined` means any key. Called in the event-loop turn in which this gateway learns of it. */
export type KeyChangeListener = (keyId: string | undefined) => void;
