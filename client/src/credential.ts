/** The caller's credential as a request header; never as part of a URL. */

/** An API key for JSON-RPC and reads, a token for everything but JSON-RPC (contract/credentials#what-each-may-do). */
export type Credential =
  | { readonly apiKey: string; readonly token?: never }
  /** An access token, or a function that returns the present one: it is called before every attempt and may renew the token. */
  | { readonly token: string | (() => Promise<string>); readonly apiKey?: never };

export async function credentialHeader(credential: Credential): Promise<Readonly<Record<string, string>>> {
  if (credential.apiKey !== undefined) return { 'X-API-Key': checked(credential.apiKey, 'API key') };
  const token = typeof credential.token === 'string' ? credential.token : await credential.token();
  return { Authorization: `Bearer ${checked(token, 'token')}` };
}

/** `fetch` would repeat the whole value in its error. */
function checked(text: string, what: string): string {
  if (/^[\x21-\x7e]+$/.test(text)) return text;
  throw new TypeError(`The ${what} is empty, or has a blank, a line break or another character that no ${what} has.`);
}
