/** The port by which the HTTP edge learns who is calling; `identity/` implements it (contract/credentials, contract/limits#invalid-credentials). */

import type { Caller } from './caller.ts';
import type { Credential } from './credential.ts';
import type { Admission } from './rate-limiter.ts';

/** Identity is established before any limit of the user is touched; an invalid credential never spends a user's requests. */
export type Authentication =
  | {
      readonly kind: 'caller';
      readonly caller: Caller;
      /** Of an API key that expires: when, in milliseconds since the Unix epoch. */
      readonly expiresAtMs?: number | undefined;
    }
  | { readonly kind: 'refused'; readonly reason: 'credential-invalid' | 'credential-unverifiable' }
  /** Too many invalid credentials from one address. */
  | { readonly kind: 'limited'; readonly admission: Admission };

/** Where a credential comes from; asked for only when the credential is invalid. */
export type CredentialSource = { clientAddress(): string };

export type Authenticator = {
  /** Synchronous when memory decides: the request path must not await it then. */
  readonly authenticate: (credential: Credential, from: CredentialSource) => Authentication | Promise<Authentication>;
  /** Increases whenever an API key that was verified before may have become invalid. */
  readonly keyChanges: () => number;
};

/** Called with a key that may have become invalid on this gateway or another, in the turn in which that becomes known; undefined: any key may have. */
export type KeyChangeListener = (keyId: string | undefined) => void;
