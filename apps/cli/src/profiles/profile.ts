/** A profile: one gateway, and what was given to this user for it. Nothing of it is ever sent to another gateway. */

import { z } from 'zod';

/** What `login` brought back, and what renews it. */
const signIn = z.object({
  accessToken: z.string().min(1),
  /** Milliseconds since the epoch; absent when the issuer did not say. */
  expiresAt: z.number().optional(),
  refreshToken: z.string().min(1).optional(),
  issuer: z.string(),
  clientId: z.string(),
  /** The gateway's address as the issuer received it (RFC 8707); absent when it received none. */
  resource: z.string().optional(),
});

const profile = z.object({
  version: z.literal(1),
  /** The gateway's address as `gatewayUrl` writes it. */
  url: z.string(),
  signIn: signIn.optional(),
  /** For JSON-RPC: `keys mint --save`. */
  apiKey: z.object({ keyId: z.string(), apiKey: z.string().min(1) }).optional(),
});

export type SignIn = z.output<typeof signIn>;
export type Profile = Omit<z.output<typeof profile>, 'version'>;

/** Undefined for a text that no version of ours wrote. */
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

/** A file's name on every platform, whatever its letters' case. */
export function isProfileName(name: string): boolean {
  return /^[a-z0-9][a-z0-9._-]{0,62}$/.test(name) && !name.endsWith('.');
}

/** One spelling for one gateway: without a slash at its end. Undefined for what cannot be a gateway's address. */
export function gatewayUrl(text: string): string | undefined {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined;
  if (url.username + url.password + url.search + url.hash !== '') return undefined;
  return url.origin + url.pathname.replace(/\/$/, '');
}
