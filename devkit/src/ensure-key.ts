/** The API key that `npm start` prints: reused while the gateway accepts it, so that a saved `.env` remains valid. */

import { boundedText } from './bounded-text.ts';

export const startLabel = 'npm start';

/** `none`: the user has ten active keys, and `npm start` does not revoke keys of users (contract/keys). */
export type EnsuredKey =
  | { readonly kind: 'reused' | 'minted'; readonly apiKey: string }
  | { readonly kind: 'none'; readonly message: string };

type KeyRequest = {
  readonly gatewayUrl: string;
  readonly token: string;
  /** User id of the key's owner. */
  readonly user: string;
  /** The key that the last start wrote. */
  readonly known: string | undefined;
};

/** Reuses `known` or mints a key over the public routes, and revokes nothing. Throws with the gateway's status and message for any other refusal. */
export async function ensureKey({ gatewayUrl, token, user, known }: KeyRequest): Promise<EnsuredKey> {
  if (known !== undefined && (await ownerOf(gatewayUrl, known)) === user) return { kind: 'reused', apiKey: known };
  const minted = await fetch(`${gatewayUrl}/users/me/api-keys`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ label: startLabel }),
  });
  const body = await readJson(minted);
  if (minted.status === 409) return { kind: 'none', message: messageOf(body) };
  if (!minted.ok) throw refusal(minted.status, body);
  const apiKey = memberOf(body, 'apiKey');
  if (typeof apiKey !== 'string') throw new Error('The gateway answered a mint without a key.');
  return { kind: 'minted', apiKey };
}

/** Undefined when the key is not valid: revoked, expired or of another database. */
async function ownerOf(gatewayUrl: string, apiKey: string): Promise<unknown> {
  const response = await fetch(`${gatewayUrl}/users/me/id`, { headers: { 'X-API-Key': apiKey } });
  const body = await readJson(response);
  if (response.ok) return memberOf(body, 'id');
  if (response.status === 401 || response.status === 403) return undefined;
  throw refusal(response.status, body);
}

async function readJson(response: Response): Promise<unknown> {
  const text = await boundedText(response);
  return text === '' ? undefined : JSON.parse(text);
}

function refusal(status: number, body: unknown): Error {
  return Object.assign(new Error(`The gateway answered ${status}: ${messageOf(body)}`), { status });
}

function messageOf(body: unknown): string {
  return String(memberOf(body, 'message') ?? '');
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
