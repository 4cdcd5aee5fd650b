/** Signs a user in with a code for any browser: the device flow (RFC 8628), for machines without a browser. */

import * as oauth from 'openid-client';
import { CliProblem } from '../cli-problem.ts';
import type { SignIn } from '../profiles/profile.ts';
import type { SignInSettings } from './code-sign-in.ts';
import { asking, resourceOf, targetOf } from './issuer.ts';
import { signInOf } from './token-answer.ts';

/** Throws `CliProblem`, or the error of `accept`. */
export async function signInByDevice({
  runtime,
  output,
  issuer,
  place,
  timeoutSeconds,
  accept,
}: SignInSettings): Promise<SignIn> {
  const { configuration } = issuer;
  if (configuration.serverMetadata().device_authorization_endpoint === undefined)
    throw new CliProblem('usage', `the issuer ${issuer.issuer} does not support the device flow`, 'Omit --device.');
  const begun = await asking(issuer.issuer, () =>
    oauth.initiateDeviceAuthorization(configuration, {
      scope: place.scope,
      ...targetOf(place),
    }),
  );
  await output.note('Open this address on any machine:');
  await output.note(`\n  ${begun.verification_uri}\n`);
  await output.note(`and enter the code ${begun.user_code}`, 'bold');
  if (begun.verification_uri_complete !== undefined)
    await output.note(`\nWith the code in it: ${begun.verification_uri_complete}`, 'dim');
  const timeUp = AbortSignal.timeout(timeoutSeconds * 1000);
  const signal = AbortSignal.any([runtime.signal, timeUp]);
  const tokens = await asking(issuer.issuer, () =>
    oauth.pollDeviceAuthorizationGrant(configuration, begun, resourceOf(place), { signal }),
  ).catch((error: unknown) => {
    if (timeUp.aborted) throw new CliProblem('failed', `the sign-in was not completed within ${timeoutSeconds} s`);
    throw error;
  });
  const signIn = signInOf(tokens, issuer, runtime.clock.now(), { resource: place.resource });
  await accept(signIn);
  return signIn;
}
