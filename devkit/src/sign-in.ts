/** Signs a user in at the development provider like a browser, and returns an access token. */

import { beginAuthorization, exchangeCode, signedInPath } from './authorization-code.ts';
import { boundedText } from './bounded-text.ts';

const maxRedirects = 8;

/**
 * The authorization code flow with PKCE over HTTP: discovery, authorization request, sign-in form, code, token. `issuer` is the provider's URL, `user` one of
 * its user ids. Throws when the provider does not know the user or does not answer.
 */
export async function signIn(options: { readonly issuer: string; readonly user: string }): Promise<string> {
  const endpoints = await discover(options.issuer);
  const redirectUri = `${options.issuer}${signedInPath}`;
  const attempt = await beginAuthorization(endpoints.authorization, redirectUri);
  const browser = createBrowser();
  const form = await follow(browser, await browser.request(attempt.url), redirectUri);
  if (form.arrived) throw new Error('The identity provider answered without showing its sign-in form.');
  const submitted = await browser.request(form.url, new URLSearchParams({ user: options.user }));
  const end = await follow(browser, submitted, redirectUri);
  const code = end.url.searchParams.get('code');
  if (!end.arrived || code === null || end.url.searchParams.get('state') !== attempt.state) {
    throw new Error(`The identity provider did not sign in "${options.user}".`);
  }
  return exchangeCode(endpoints.token, code, attempt.verifier, redirectUri);
}

async function discover(issuer: string): Promise<{ authorization: string; token: string }> {
  const response = await fetch(`${issuer}/.well-known/openid-configuration`);
  const document: unknown = JSON.parse(await boundedText(response));
  if (
    typeof document === 'object' &&
    document !== null &&
    'authorization_endpoint' in document &&
    typeof document.authorization_endpoint === 'string' &&
    'token_endpoint' in document &&
    typeof document.token_endpoint === 'string'
  ) {
    return { authorization: document.authorization_endpoint, token: document.token_endpoint };
  }
  throw new Error(`No OpenID discovery document at ${issuer}`);
}

type Answer = { readonly url: URL; readonly location: string | null };

/** Stores cookies between requests. The caller follows redirects, because it needs each location. */
function createBrowser() {
  const cookies = new Map<string, string>();
  const request = async (url: URL, form?: URLSearchParams): Promise<Answer> => {
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form === undefined ? {} : { method: 'POST', body: form }),
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (name !== undefined && value !== undefined) cookies.set(name, value);
    }
    await boundedText(response);
    return { url, location: response.headers.get('location') };
  };
  return { request };
}

/** Follows redirects to a page, or stops before the redirect URI, which belongs to the client here. */
async function follow(
  browser: ReturnType<typeof createBrowser>,
  first: Answer,
  redirectUri: string,
): Promise<{ url: URL; arrived: boolean }> {
  let answer = first;
  for (let redirects = 0; answer.location !== null; redirects += 1) {
    const next = new URL(answer.location, answer.url);
    if (next.href.startsWith(redirectUri)) return { url: next, arrived: true };
    if (redirects === maxRedirects) throw new Error('The identity provider redirects in circles.');
    answer = await browser.request(next);
  }
  return { url: answer.url, arrived: false };
}
