/** Parses a token and refuses malformed ones before any look-up or fetch (contract/tokens#form). */

import { type JsonObject, member, parseJsonObject } from '@flowgate/json/json-object';

/** Characters in the whole token. */
export const maxTokenLength = 8192;

/** The token's own claims, which are unproven until its signature is verified. */
export type TokenForm = {
  readonly algorithm: string;
  readonly kid: string | undefined;
  readonly claims: JsonObject;
};

/** Media types of access tokens (RFC 7519, RFC 9068); `logout+jwt`, `dpop+jwt` and the like were signed for another purpose (RFC 8725, 3.11). */
const acceptedTypes: ReadonlySet<string> = new Set(['jwt', 'at+jwt']);

/** The parts of a signed token in compact form, or `undefined` when it is malformed or its algorithm is not allowed. */
export function parseToken(token: string, algorithms: ReadonlySet<string>): TokenForm | undefined {
  if (token.length > maxTokenLength) return undefined;
  const [encodedHeader, encodedPayload, encodedSignature, ...more] = token.split('.', 4);
  if (!encodedHeader || !encodedPayload || !encodedSignature || more.length > 0) return undefined;
  const header = decodeObject(encodedHeader);
  if (header === undefined) return undefined;
  const algorithm = member(header, 'alg');
  const kid = member(header, 'kid');
  if (typeof algorithm !== 'string' || !algorithms.has(algorithm)) return undefined;
  if (kid !== undefined && typeof kid !== 'string') return undefined;
  // The gateway supports no extension, including `b64` (RFC 7797), and must refuse a token that requires one (RFC 7515, 4.1.11).
  if (Object.hasOwn(header, 'crit') || Object.hasOwn(header, 'b64') || !isAcceptedType(member(header, 'typ')))
    return undefined;
  if (decodeCanonical(encodedSignature) === undefined) return undefined;
  const claims = decodeObject(encodedPayload);
  return claims === undefined ? undefined : { algorithm, kid, claims };
}

function isAcceptedType(type: unknown): boolean {
  if (type === undefined) return true;
  return typeof type === 'string' && acceptedTypes.has(type.toLowerCase().replace(/^application\//, ''));
}

function decodeObject(encoded: string): JsonObject | undefined {
  const bytes = decodeCanonical(encoded);
  return bytes === undefined ? undefined : parseJsonObject(bytes);
}

/** Accepts only the canonical encoding: no padding, no other alphabet, no white space, no stray bits at the end. */
function decodeCanonical(encoded: string): Buffer | undefined {
  const bytes = Buffer.from(encoded, 'base64url');
  return bytes.toString('base64url') === encoded ? bytes : undefined;
}
