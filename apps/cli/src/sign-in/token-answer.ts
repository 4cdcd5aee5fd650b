/** Converts an answer of an issuer's token endpoint to a profile's sign-in. */

import type { TokenEndpointResponse } from 'openid-client';
import { CliProblem } from '../cli-problem.ts';
import type { SignIn } from '../profiles/profile.ts';
import type { Issuer } from './issuer.ts';

/**
 * `before`: the current refresh token, for an answer without a new one, and the `resource` of the request. Throws `CliProblem` for a token that cannot be a
 * header's value.
 */
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
