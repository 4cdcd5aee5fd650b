/** The caller's credential as a request header; never as part of a URL, and nowhere that an inspection of the client would show. */

import { unlessAborted } from './deadline.ts';

/** Asked for before every attempt, so it may renew what it gives. `signal` is aborted when the call ends before it has an answer. */
export type SecretSource = string | ((asking: { readonly signal: AbortSignal }) => string | Promise<string>);

/**
 * An API key for JSON-RPC, reads and Flow Apps; an access token for everything but JSON-RPC (contract/credentials#what-each-may-do). Neither: for `gateway`, whose
 * routes are open to everybody.
 */
export type Credential =
  | { readonly apiKey: SecretSource; readonly token?: never }
  | { readonly token: SecretSource; readonly apiKey?: never }
  | { readonly apiKey?: never; readonly token?: never };

/** The header to send, asked for again by each attempt. Rejects with what the caller's function throws. */
export type CredentialHeader = (signal: AbortSignal) => Promise<Readonly<Record<string, string>>>;

/** Throws `TypeError` for two credentials, and for one that is named and missing. */
export function credentialHeader(credential: Credential): CredentialHeader {
  const { apiKey, token } = credential;
  if (apiKey !== undefined && token !== undefined) throw new TypeError('Give an API key or a token, not both.');
  if (apiKey !== undefined) return async (signal) => ({ 'X-API-Key': await secretOf(apiKey, 'API key', signal) });
  if (token !== undefined)
    return async (signal) => ({ Authorization: `Bearer ${await secretOf(token, 'token', signal)}` });
  // An environment variable that is not set must not become a client without credential.
  if ('apiKey' in credential || 'token' in credential) throw new TypeError('The API key or token is undefined.');
  return async () => ({});
}

/** A function that throws is one that rejects. */
async function asked(source: Exclude<SecretSource, string>, signal: AbortSignal): Promise<unknown> {
  return source({ signal });
}

async function secretOf(source: SecretSource, what: string, signal: AbortSignal): Promise<string> {
  const text: unknown = typeof source === 'string' ? source : await unlessAborted(asked(source, signal), signal);
  // `fetch` would repeat the whole value in its error.
  if (typeof text === 'string' && /^[\x21-\x7e]+$/.test(text)) return text;
  throw new TypeError(`The ${what} is empty, or has a blank, a line break or another character that no ${what} has.`);
}
