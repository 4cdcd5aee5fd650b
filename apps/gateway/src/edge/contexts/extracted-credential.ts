/**
 * Extracts the credential from a request, in the contract's order of precedence (contract/credentials#which-one-counts,
 * contract/credentials#missing-and-invalid).
 */

import { apiKeyForm, type Credential, looksLikeApiKey } from '../../api/credential.ts';
import type { HeaderReader } from './header-reader.ts';

export type ExtractedCredential = { readonly kind: 'missing' } | { readonly kind: 'malformed' } | Credential;

export const missingCredential: ExtractedCredential = { kind: 'missing' };
const malformed: ExtractedCredential = { kind: 'malformed' };

/** One space and no quotes; the scheme's letter case does not matter. */
const bearerForm = /^bearer ([^\s",]+)$/i;
/** In characters. A longer header is not searched for a repeated key, because no client repeats a key that often. */
const maxJoinedLength = 1_024;

/**
 * `X-API-Key` decides whenever it is present, without a fallback to `Authorization`. An empty one is a missing credential. Repeated headers arrive joined
 * with a comma; different keys joined this way are an invalid key.
 */
export function credentialInHeaders(head: HeaderReader): ExtractedCredential {
  const header = head.header('x-api-key');
  if (header !== null) return credentialInPath(onlyOne(header));
  const authorization = head.header('authorization');
  if (authorization === null || authorization === '') return missingCredential;
  const bearer = bearerForm.exec(authorization)?.[1];
  if (bearer === undefined) return malformed;
  return { kind: looksLikeApiKey(bearer) ? 'api-key' : 'token', raw: bearer };
}

/** JSON-RPC takes API keys only: a token, or an Authorization header without a key, is a missing credential (contract/credentials#missing-and-invalid). */
export function rpcCredential(head: HeaderReader): ExtractedCredential {
  const presented = credentialInHeaders(head);
  return presented.kind === 'api-key' ? presented : missingCredential;
}

/** Only the key in the path decides, regardless of headers; an empty one is a missing credential. */
export function credentialInPath(raw: string): ExtractedCredential {
  return raw === '' ? missingCredential : { kind: 'api-key', raw };
}

/** A key that is sent twice counts as one. Two different keys remain joined, which is an invalid key. */
function onlyOne(header: string): string {
  if (apiKeyForm.test(header) || header.length > maxJoinedLength) return header;
  const comma = header.indexOf(', ');
  if (comma < 0) return header;
  const first = header.slice(0, comma);
  return header.split(', ').every((value) => value === first) ? first : header;
}
