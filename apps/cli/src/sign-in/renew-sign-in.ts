/** The access token of a profile, renewed before it ends: once, however many commands of the user run at the same time. */

import * as oauth from 'openid-client';
import { CliProblem } from '../cli-problem.ts';
import type { Profiles } from '../profiles/create-profiles.ts';
import { holdLock } from '../profiles/lock-file.ts';
import type { Profile, SignIn } from '../profiles/profile.ts';
import type { CliRuntime, Fetch } from '../runtime.ts';
import { asking, openIssuer, resourceOf } from './issuer.ts';
import { signInOf } from './token-answer.ts';

/** A token that ends sooner is renewed: a command may take that long. */
const minMs = 60_000;

export type Renewal = {
  readonly runtime: CliRuntime;
  readonly profiles: Profiles;
  readonly fetch: Fetch;
};

/** For the client, which asks before each attempt. What it gives was read or renewed a moment ago. Throws `CliProblem` when the sign-in has ended. */
export function presentToken(renewal: Renewal, name: string, profile: Profile): () => Promise<string> {
  let signIn = profile.signIn;
  return async () => {
    const now = renewal.runtime.clock.now();
    if (signIn !== undefined && isFresh(signIn, now)) return signIn.accessToken;
    signIn = await renewed(renewal, name, profile.url);
    return signIn.accessToken;
  };
}

/** Issuers replace refresh tokens and take the use of an old one for a theft: two at once would end the sign-in. */
async function renewed({ runtime, profiles, fetch }: Renewal, name: string, url: string): Promise<SignIn> {
  const { clock, signal, randomBytes } = runtime;
  // Its file stands where the renewed token is written to: a directory that cannot be written fails before the token is used up.
  const release = await holdLock(profiles.lockFile(name), { clock, signal, randomBytes });
  try {
    const present = signInAt(profiles, name, url);
    if (isFresh(present, clock.now())) return present;
    const { refreshToken } = present;
    if (refreshToken === undefined) throw ended(url);
    const issuer = await openIssuer(present, fetch);
    const answer = await asking(issuer.issuer, () =>
      oauth.refreshTokenGrant(issuer.configuration, refreshToken, resourceOf(present)),
    ).catch((error: unknown) => {
      throw error instanceof CliProblem && error.kind === 'refused' ? ended(url) : error;
    });
    const signIn = signInOf(answer, issuer, clock.now(), present);
    // The issuer took its time: whoever signed out stays signed out, and a key that was kept or another sign-in stays.
    const latest = profiles.read(name);
    if (signInAt(profiles, name, url).refreshToken === refreshToken) profiles.write(name, { ...latest, url, signIn });
    return signIn;
  } finally {
    release();
  }
}

/** A command that runs for hours may find that the name is another gateway's by now: nothing of that one is for this one. Throws `CliProblem`. */
function signInAt(profiles: Profiles, name: string, url: string): SignIn {
  const profile = profiles.read(name);
  if (profile?.url !== url || profile.signIn === undefined) throw ended(url);
  return profile.signIn;
}

function isFresh({ expiresAt }: SignIn, now: number): boolean {
  return expiresAt === undefined || expiresAt - now > minMs;
}

function ended(url: string): CliProblem {
  return new CliProblem('refused', 'your sign-in has ended', `flowgate login ${url}`);
}
