/** Reads which credential a request presents; the order of precedence is the contract's (contract/credentials; contract/credentials#which-one-counts, contract/credentials#missing-and-invalid). */

import { type Credential, looksLikeApiKey } from '../api/credential.ts';
import type { RequestHead } from './request-head.ts';

export type Presented = { readonly kind: 'missing' } | { readonly kind: 'malformed' } | Credential;

export const missingCredential: Presented = { kind: 'missing' };
const malformed: Presented = { kind: 'malformed' };

/** One blank, no quotes, nothing around it; only the scheme word's case is free. */
const bearerForm = /^bearer ([^\s",]+)$/i;

/**
 * `X-API-Key`, when present at all, decides, and nothing falls back to `Authorization`. Empty is missingCredential; the runtime joins repeated
 * headers with a comma, so that different ones cannot have a key's form and come out invalid.
 */
export function presentedCredential(head: RequestHead): Presented {
  const header = head.header('x-api-key');
  if (header !== null) return presentedInPath(onlyOne(header));
  const authorization = head.header('authorization');
  if (authorization === null || authorization === '') return missingCredential;
  const bearer = bearerForm.exec(authorization)?.[1];
  if (bearer === undefined) return malformed;
  return { kind: looksLikeApiKey(bearer) ? 'api-key' : 'token', raw: bearer };
}

/** JSON-RPC takes API keys only: a token, or an Authorization header that holds no key, is no credential at all here (contract/credentials#missing-and-invalid). */
export function presentedOnRpc(head: RequestHead): Presented {
  const presented = presentedCredential(head);
  return presented.kind === 'api-key' ? presented : missingCredential;
}

/** A key in the path alone decides, whatever the headers say; an empty one is a missing credential. */
export function presentedInPath(raw: string): Presented {
  return raw === '' ? missingCredential : { kind: 'api-key', raw };
}

/** The same key sent twice is one key; two different ones stay joined, which no key looks like. */
function onlyOne(header: string): string {
  const comma = header.indexOf(', ');
  if (comma < 0) return header;
  const first = header.slice(0, comma);
  return header.split(', ').every((value) => value === first) ? first : header;
}
