/** The access token of a profile, renewed before it expires: once for all concurrent commands of the user. */

import * as oauth from 'openid-client';
import { CliProblem } from '../cli-problem.ts';
import type { Profiles } from '../profiles/create-profiles.ts';
import { holdLock } from '../profiles/lock-file.ts';
import type { Profile, SignIn } from '../profiles/profile.ts';
import type { CliRuntime, Fetch } from '../runtime.ts';
import { asking, openIssuer, resourceOf } from './issuer.ts';
import { signInOf } from './token-answer.ts';

/** A token that expires sooner is renewed, because a command may run that long. */
const minMs = 60_000;

export type Renewal = {
  readonly runtime: CliRuntime;
  readonly profiles: Profiles;
  readonly fetch: Fetch;
};

/** For the client, which calls it before each attempt. Returns a token that was just read or renewed. Throws `CliProblem` when the sign-in has ended. */
export function presentToken(renewal: Renewal, name: string, profile: Profile): () => Promise<string> {
  let signIn = profile.signIn;
  return async () => {
    const now = renewal.runtime.clock.now();
    if (signIn !== undefined && isFresh(signIn, now)) return signIn.accessToken;
    signIn = await renewed(renewal, name, profile.url);
    return signIn.accessToken;
  };
}

/** Issuers rotate refresh tokens and treat the reuse of an old one as theft: two concurrent renewals would end the sign-in. */
async function renewed({ runtime, profiles, fetch }: Renewal, name: string, url: string): Promise<SignIn> {
  const { clock, signal, randomBytes } = runtime;
  // The lock file is in the directory of the renewed token: an unwritable directory fails before the refresh token is used.
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
    // Meanwhile another command may have signed out, saved a key or signed in again; its change is not overwritten.
    const latest = profiles.read(name);
    if (signInAt(profiles, name, url).refreshToken === refreshToken) profiles.write(name, { ...latest, url, signIn });
    return signIn;
  } finally {
    release();
  }
}

/** During a long command, the profile's name may come to belong to another gateway. That gateway's token is not for this command. Throws `CliProblem`. */
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
