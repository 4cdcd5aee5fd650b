/**
 * Determines which credential a request presents, in the contract's order of precedence (contract/credentials; contract/credentials#which-one-counts,
 * contract/credentials#missing-and-invalid).
 */

import { apiKeyForm, type Credential, looksLikeApiKey } from '../../api/credential.ts';
import type { HeaderReader } from './header-reader.ts';

export type Presented = { readonly kind: 'missing' } | { readonly kind: 'malformed' } | Credential;

export const missingCredential: Presented = { kind: 'missing' };
const malformed: Presented = { kind: 'malformed' };

/** One space, no quotes, nothing else; only the letter case of the scheme is free. */
const bearerForm = /^bearer ([^\s",]+)$/i;
/** In characters. A longer header is not checked for a repeated key: no client repeats it that often. */
const maxJoinedLength = 1_024;

/**
 * `X-API-Key` decides whenever it is present, without a fallback to `Authorization`. An empty one is a missing credential. Repeated headers arrive joined with a
 * comma; different keys joined this way do not have a key's form and are invalid.
 */
export function presentedCredential(head: HeaderReader): Presented {
  const header = head.header('x-api-key');
  if (header !== null) return presentedInPath(onlyOne(header));
  const authorization = head.header('authorization');
  if (authorization === null || authorization === '') return missingCredential;
  const bearer = bearerForm.exec(authorization)?.[1];
  if (bearer === undefined) return malformed;
  return { kind: looksLikeApiKey(bearer) ? 'api-key' : 'token', raw: bearer };
}

/** JSON-RPC takes API keys only: a token, or an Authorization header without a key, is no credential here (contract/credentials#missing-and-invalid). */
export function presentedOnRpc(head: HeaderReader): Presented {
  const presented = presentedCredential(head);
  return presented.kind === 'api-key' ? presented : missingCredential;
}

/** A key in the path decides alone, whatever the headers say; an empty one is a missing credential. */
export function presentedInPath(raw: string): Presented {
  return raw === '' ? missingCredential : { kind: 'api-key', raw };
}

/** One key sent twice counts as one. Two different keys stay joined, and the result is no valid key. */
function onlyOne(header: string): string {
  if (apiKeyForm.test(header) || header.length > maxJoinedLength) return header;
  const comma = header.indexOf(', ');
  if (comma < 0) return header;
  const first = header.slice(0, comma);
  return header.split(', ').every((value) => value === first) ? first : header;
}
