/** The caller of a request with a verified credential. */

export type Caller = {
  /** The token's `sub`; for an API key, the `sub` of its owner. Both share limits and resources. */
  readonly userId: string;
  readonly via: 'api-key' | 'token';
  /** Present for API keys only. */
  readonly keyId?: string;
  /** From the token's roles claim. Always empty for API keys, which cannot use admin routes. */
  readonly roles: readonly string[];
};
