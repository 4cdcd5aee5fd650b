/** The client's side of the authorization code flow with PKCE (RFC 6749 4.1, RFC 7636), for the development client. */

import { boundedText } from './bounded-text.ts';

/** The only public client of the development provider. */
export const clientId = 'flowgate-devkit';
export const signedInPath = '/signed-in';

export type AuthorizationAttempt = { readonly url: URL; readonly state: string; readonly verifier: string };

/** `endpoint` is the provider's authorization endpoint. The request always shows the sign-in page, so that a signed-in user can choose another user. */
export async function beginAuthorization(endpoint: string, redirectUri: string): Promise<AuthorizationAttempt> {
  const verifier = randomText();
  const state = randomText();
  const challenge = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  const url = new URL(endpoint);
  url.search = new URLSearchParams({
    client_id: clientId,
    response_type: 'code',
    scope: 'openid',
    prompt: 'login',
    redirect_uri: redirectUri,
    state,
    code_challenge: Buffer.from(challenge).toString('base64url'),
    code_challenge_method: 'S256',
  }).toString();
  return { url, state, verifier };
}

/** Exchanges a code for an access token. Throws with the provider's error code when the provider refuses it. */
export async function exchangeCode(
  endpoint: string,
  code: string,
  verifier: string,
  redirectUri: string,
): Promise<string> {
  const response = await fetch(endpoint, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: clientId,
      redirect_uri: redirectUri,
      code,
      code_verifier: verifier,
    }),
  });
  const body: unknown = JSON.parse(await boundedText(response));
  if (typeof body === 'object' && body !== null && 'access_token' in body && typeof body.access_token === 'string') {
    return body.access_token;
  }
  const error = typeof body === 'object' && body !== null && 'error' in body ? String(body.error) : 'no access token';
  throw new Error(`The identity provider refused the code: ${response.status} ${error}`);
}

function randomText(): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64url');
}
