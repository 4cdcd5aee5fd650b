/** Sends the caller's credential as a request header. It never appears in a URL or in an inspection of the client. */

import { unlessAborted } from './deadline.ts';

/**
 * A credential, or a function that returns one. The function is called before each attempt, so it may renew the credential. `signal` is aborted when the call
 * ends first.
 */
export type SecretSource = string | ((asking: { readonly signal: AbortSignal }) => string | Promise<string>);

/**
 * An API key for JSON-RPC, reads and Flow Apps, or an access token for all routes except JSON-RPC (contract/credentials#what-each-may-do). Without either, only
 * `gateway` works, whose routes are public.
 */
export type Credential =
  | { readonly apiKey: SecretSource; readonly token?: never }
  | { readonly token: SecretSource; readonly apiKey?: never }
  | { readonly apiKey?: never; readonly token?: never };

/** The header to send; called again for each attempt. Rejects with the error of the caller's function. */
export type CredentialHeader = (signal: AbortSignal) => Promise<Readonly<Record<string, string>>>;

/** Throws `TypeError` for two credentials, and for a credential that is given as `undefined`. */
export function credentialHeader(credential: Credential): CredentialHeader {
  const { apiKey, token } = credential;
  if (apiKey !== undefined && token !== undefined) throw new TypeError('Give an API key or a token, not both.');
  if (apiKey !== undefined) return async (signal) => ({ 'X-API-Key': await secretOf(apiKey, 'API key', signal) });
  if (token !== undefined)
    return async (signal) => ({ Authorization: `Bearer ${await secretOf(token, 'token', signal)}` });
  // An unset environment variable must not create a client without credential.
  if ('apiKey' in credential || 'token' in credential) throw new TypeError('The API key or token is undefined.');
  return async () => ({});
}

/** Turns a synchronous error into a rejection. */
async function asked(source: Exclude<SecretSource, string>, signal: AbortSignal): Promise<unknown> {
  return source({ signal });
}

async function secretOf(source: SecretSource, what: string, signal: AbortSignal): Promise<string> {
  const text: unknown = typeof source === 'string' ? source : await unlessAborted(asked(source, signal), signal);
  // The error message of `fetch` would contain the whole value.
  if (typeof text === 'string' && /^[\x21-\x7e]+$/.test(text)) return text;
  throw new TypeError(`The ${what} is empty, or has a blank, a line break or another character that no ${what} has.`);
}
