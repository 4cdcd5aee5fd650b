/** The outcome of verifying one credential. */

import type { Caller } from '../../api/caller.ts';

/** Three distinct outcomes, because only `invalid` may become a 401 or 403 (contract/keys). */
export type Verification =
  | { readonly kind: 'valid'; readonly caller: Caller; readonly expiresAtMs?: number | undefined }
  | { readonly kind: 'invalid' }
  | { readonly kind: 'unavailable' };

export const invalidCredential: Verification = { kind: 'invalid' };
export const unverifiableCredential: Verification = { kind: 'unavailable' };
