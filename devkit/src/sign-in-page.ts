/** The sign-in page: one button for each development user, no passwords. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Provider } from 'oidc-provider';
import type { DevelopmentUser } from './development-users.ts';
import { escapeHtml, sendPage } from './page.ts';

export const interactionPath = '/interaction/';

const maxFormBytes = 4096;

/** Answers all requests below `/interaction/`: GET shows the page; POST takes the choice and redirects into the flow. */
export async function answerSignIn(
  provider: Provider,
  users: readonly DevelopmentUser[],
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const details = await provider.interactionDetails(request, response).catch(() => undefined);
  if (details === undefined) {
    const body = '<p>This sign-in has ended or was started in another browser.</p><p><a href="/">Start again</a></p>';
    return sendPage(response, 400, 'Sign-in not found', body);
  }
  if (request.method !== 'POST') return sendPage(response, 200, 'Sign in', signInForm(users));
  const chosen = new URLSearchParams(await readForm(request)).get('user');
  const user = users.find(({ id }) => id === chosen);
  if (user === undefined) {
    return sendPage(response, 400, 'Sign in', `<p role="alert">Unknown user.</p>${signInForm(users)}`);
  }
  // oidc-provider requires the consent of each native client; the choice of a user counts as consent.
  await provider.interactionFinished(request, response, { login: { accountId: user.id }, consent: {} });
}

function signInForm(users: readonly DevelopmentUser[]): string {
  const buttons = users.map(({ id, name, roles }) => {
    const note = roles.length === 0 ? '' : ` (${roles.join(', ')} role)`;
    return `<button name="user" value="${escapeHtml(id)}">${escapeHtml(name)}${escapeHtml(note)}</button>`;
  });
  return `<p>Choose a user:</p><form method="post">${buttons.join('\n')}</form>`;
}

async function readForm(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) {
    text += String(chunk);
    if (text.length > maxFormBytes) return '';
  }
  return text;
}
