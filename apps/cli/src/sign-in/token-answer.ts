/** What an issuer's token endpoint answered, as a profile keeps it. */

import type { TokenEndpointResponse } from 'openid-client';
import { CliProblem } from '../cli-problem.ts';
import type { SignIn } from '../profiles/profile.ts';
import type { Issuer } from './issuer.ts';

/** `before`: the refresh token in use, for an answer without a new one, and the `resource` of the request. Throws `CliProblem` for a token that no header can carry. */
export function signInOf(
  answer: TokenEndpointResponse,
  { issuer, clientId }: Pick<Issuer, 'issuer' | 'clientId'>,
  now: number,
  { refreshToken, resource }: Pick<SignIn, 'refreshToken' | 'resource'> = {},
): SignIn {
  const { access_token: accessToken, expires_in: expiresIn, refresh_token: next = refreshToken } = answer;
  if (!/^[\x21-\x7e]{1,65536}$/.test(accessToken))
    throw new CliProblem('failed', `the issuer ${issuer} returned an access token that cannot be sent`);
  return {
    ...{ accessToken, issuer, clientId },
    ...(expiresIn === undefined ? {} : { expiresAt: now + expiresIn * 1000 }),
    ...(next === undefined ? {} : { refreshToken: next }),
    ...(resource === undefined ? {} : { resource }),
  };
}
