/** A profile: one gateway, and this user's credentials for it. They are never sent to another gateway. */

import { z } from 'zod';

/** The tokens of `login`, and the data for renewing them. */
const signIn = z.object({
  accessToken: z.string().min(1),
  /** Milliseconds since the epoch; absent when the issuer did not state it. */
  expiresAt: z.number().optional(),
  refreshToken: z.string().min(1).optional(),
  issuer: z.string(),
  clientId: z.string(),
  /** The gateway's address in the form sent to the issuer (RFC 8707); absent when none was sent. */
  resource: z.string().optional(),
});

const profile = z.object({
  version: z.literal(1),
  /** The gateway's address, normalized by `gatewayUrl`. */
  url: z.string(),
  signIn: signIn.optional(),
  /** For JSON-RPC: saved by `keys mint --save`. */
  apiKey: z.object({ keyId: z.string(), apiKey: z.string().min(1) }).optional(),
});

export type SignIn = z.output<typeof signIn>;
export type Profile = Omit<z.output<typeof profile>, 'version'>;

/** Undefined for a text that is not a profile of any version. */
export function parseProfile(text: string): Profile | undefined {
  try {
    const { version: _, ...read } = profile.parse(JSON.parse(text));
    return read;
  } catch {
    return undefined;
  }
}

export function profileText(read: Profile): string {
  return `${JSON.stringify({ version: 1, ...read }, undefined, 2)}\n`;
}

/** A valid file name on every platform; case-insensitive. */
export function isProfileName(name: string): boolean {
  return /^[a-z0-9][a-z0-9._-]{0,62}$/.test(name) && !name.endsWith('.');
}

/** The canonical spelling of a gateway's address: without a trailing slash. Undefined for an invalid address. */
export function gatewayUrl(text: string): string | undefined {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined;
  if (url.username + url.password + url.search + url.hash !== '') return undefined;
  return url.origin + url.pathname.replace(/\/$/, '');
}
