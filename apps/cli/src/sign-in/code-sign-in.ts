/** Signs a user in with their browser: authorization code with PKCE on a loopback port (RFC 8252, RFC 7636, RFC 9207). */

import { isPrivateTransport } from '@flowgate/http1/private-transport';
import * as oauth from 'openid-client';
import { CliProblem } from '../cli-problem.ts';
import type { Output } from '../output/output.ts';
import type { SignIn } from '../profiles/profile.ts';
import type { CliRuntime } from '../runtime.ts';
import { asking, type Issuer, resourceOf, type SignInPlace, targetOf } from './issuer.ts';
import { openLoopback } from './loopback-answers.ts';
import { signInOf } from './token-answer.ts';

export type SignInSettings = {
  readonly runtime: CliRuntime;
  readonly output: Output;
  readonly issuer: Issuer;
  readonly place: SignInPlace;
  /** Time for the whole sign-in, in seconds. */
  readonly timeoutSeconds: number;
  /** Checks that the gateway accepts the token; its error is also shown in the browser. */
  readonly accept: (signIn: SignIn) => Promise<void>;
};

/** Throws `CliProblem`, or the error of `accept`. `port` 0: any free port. */
export async function signInByCode(
  { runtime, output, issuer, place, timeoutSeconds, accept }: SignInSettings,
  { port, opensBrowser }: { readonly port: number; readonly opensBrowser: boolean },
): Promise<SignIn> {
  const random = () => runtime.randomBytes(32).toString('base64url');
  const [state, nonce, verifier] = [random(), random(), random()];
  const scopes = place.scope.split(' ');
  const loopback = await openLoopback(
    port,
    () =>
      void output.note('The port received a request that does not belong to this sign-in; still waiting.', 'yellow'),
  );
  const timeUp = AbortSignal.timeout(timeoutSeconds * 1000);
  try {
    const address = oauth.buildAuthorizationUrl(issuer.configuration, {
      ...{ redirect_uri: loopback.redirectUri, scope: place.scope, state },
      ...{ code_challenge: await oauth.calculatePKCECodeChallenge(verifier), code_challenge_method: 'S256' },
      ...(scopes.includes('openid') ? { nonce } : {}),
      // OpenID Connect Core 11: without consent the issuer returns no refresh token.
      ...(scopes.includes('offline_access') ? { prompt: 'consent' } : {}),
      ...targetOf(place),
    });
    // The issuer supplies this address, and a system opener would also open files and other schemes.
    if (!isPrivateTransport(address))
      throw new CliProblem('failed', `the issuer ${issuer.issuer} redirects to an address that is not https`);
    await show(runtime, output, address.href, opensBrowser);
    const answer = await loopback.first(state, AbortSignal.any([runtime.signal, timeUp])).catch(() => {
      throw new CliProblem('failed', `the sign-in was not completed within ${timeoutSeconds} s`);
    });
    try {
      const tokens = await asking(issuer.issuer, () =>
        oauth.authorizationCodeGrant(
          issuer.configuration,
          answer.url,
          {
            ...{ pkceCodeVerifier: verifier, expectedState: state },
            ...(scopes.includes('openid') ? { expectedNonce: nonce, idTokenExpected: true } : {}),
          },
          resourceOf(place),
        ),
      );
      const signIn = signInOf(tokens, issuer, runtime.clock.now(), { resource: place.resource });
      await accept(signIn);
      await answer.reply(true, 'Continue in the terminal. You can close this page.');
      return signIn;
    } catch (error) {
      await answer.reply(false, 'The terminal says why.');
      throw error;
    }
  } finally {
    loopback.close();
  }
}

async function show({ openBrowser }: CliRuntime, output: Output, address: string, opensBrowser: boolean) {
  const isOpen = opensBrowser && (await openBrowser(address));
  await output.note(
    isOpen ? 'Your browser opens. If it does not, open this address:' : 'Open this address in a browser:',
  );
  await output.note(`\n  ${address}\n`);
}
