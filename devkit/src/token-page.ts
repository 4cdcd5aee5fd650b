/** The page where a developer signs in and copies an access token. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { beginAuthorization, exchangeCode, signedInPath } from './authorization-code.ts';
import { copyableField, sendPage } from './page.ts';

const signInPath = '/sign-in';
const cookieName = 'flowgate_sign_in';

export type TokenPageSettings = { readonly issuer: string; readonly gatewayUrl: string };

/** True when the path belongs to this page and was answered. */
export async function answerTokenPage(
  settings: TokenPageSettings,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<boolean> {
  const url = new URL(request.url ?? '/', settings.issuer);
  if (request.method !== 'GET') return false;
  if (url.pathname === '/') showHome(response);
  else if (url.pathname === signInPath) await sendToSignIn(settings, response);
  else if (url.pathname === signedInPath) await showToken(settings, url, request, response);
  else return false;
  return true;
}

function showHome(response: ServerResponse): void {
  sendPage(
    response,
    200,
    'Access tokens',
    `<p>Sign in as one of the development users to get an access token for the local gateway.</p>
<p><a class="button" href="${signInPath}">Sign in</a></p>`,
  );
}

/** The browser's cookie stores the verifier, so that the page needs no server state. */
async function sendToSignIn(settings: TokenPageSettings, response: ServerResponse): Promise<void> {
  const attempt = await beginAuthorization(`${settings.issuer}/auth`, `${settings.issuer}${signedInPath}`);
  const cookie = `${cookieName}=${attempt.state}.${attempt.verifier}; Path=${signedInPath}; HttpOnly; SameSite=Lax; Max-Age=3600`;
  response.writeHead(303, { Location: attempt.url.href, 'Set-Cookie': cookie, 'Cache-Control': 'no-store' }).end();
}

async function showToken(
  settings: TokenPageSettings,
  url: URL,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const [, state, verifier] =
    new RegExp(`${cookieName}=([\\w-]+)\\.([\\w-]+)`).exec(request.headers.cookie ?? '') ?? [];
  const code = url.searchParams.get('code');
  if (code === null || verifier === undefined || state !== url.searchParams.get('state')) {
    return sendPage(response, 400, 'Sign-in not found', '<p><a href="/">Start again</a></p>');
  }
  const token = await exchangeCode(
    `${settings.issuer}/token`,
    code,
    verifier,
    `${settings.issuer}${signedInPath}`,
  ).catch(() => undefined);
  if (token === undefined) {
    return sendPage(
      response,
      400,
      'Sign-in has ended',
      '<p>The code has already been used. <a href="/">Start again</a></p>',
    );
  }
  sendPage(
    response,
    200,
    'Signed in',
    `${copyableField('token', 'Access token', token, 8)}
${copyableField('curl', 'Mint an API key', mintCommand(settings.gatewayUrl, token), 10)}
<p><a href="/">Sign in as another user</a></p>`,
  );
}

/** A command for a POSIX shell. */
export function mintCommand(gatewayUrl: string, token: string): string {
  return `curl -s -X POST ${gatewayUrl}/users/me/api-keys -H 'Authorization: Bearer ${token}' -H 'Content-Type: application/json' -d '{"label":"my key"}'`;
}
