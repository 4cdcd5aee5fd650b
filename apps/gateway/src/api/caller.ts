/** Who is calling, once a credential was verified. */

export type Caller = {
  /** The token's `sub`; for an API key the `sub` of its owner. One limit and one set of resources for both. */
  readonly userId: string;
  readonly via: 'api-key' | 'token';
  /** Present for API keys. */
  readonly keyId?: string;
  /** From the token's roles claim; always empty for API keys, which never open admin routes. */
  readonly roles: readonly string[];
};
