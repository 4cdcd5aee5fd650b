/** What a signed message names as the place where its signer signs in (EIP-4361). */

export type SignInSite = {
  /** The authority of `uri`: host, and port unless it is the scheme's. */
  readonly domain: string;
  /** The gateway's public address. */
  readonly uri: string;
};

export function signInSite(publicUrl: string): SignInSite {
  return { domain: new URL(publicUrl).host, uri: publicUrl };
}
