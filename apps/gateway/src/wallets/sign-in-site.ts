/** The site that a signed message names (EIP-4361). */

export type SignInSite = {
  /** The authority of `uri`: the host, and the port unless it is the scheme's default. */
  readonly domain: string;
  /** The gateway's public address. */
  readonly uri: string;
};

export function signInSite(publicUrl: string): SignInSite {
  return { domain: new URL(publicUrl).host, uri: publicUrl };
}
