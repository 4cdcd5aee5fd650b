/** Checks a token's claims and derives the caller from them (contract/tokens#claims, RFC 7519). */

import { type JsonObject, member } from '@flowgate/json/json-object';
import type { Caller } from '../../api/caller.ts';

const leewayMs = 30_000;

/** In UTF-16 code units; OpenID Connect Core 2 allows 255 ASCII characters. */
export const maxSubjectLength = 255;

export type ClaimRules = {
  /** Compared exactly: a trailing slash or another letter case is another issuer (RFC 8414, 4). */
  readonly issuer: string;
  readonly audience: string;
  /** The whole name of one top-level claim: dots, colons and slashes are part of it. */
  readonly rolesClaim: string;
};

/** The caller, or `undefined` when a required claim is missing, malformed or not satisfied at `nowMs` (wall clock). */
export function callerFromClaims(claims: JsonObject, rules: ClaimRules, nowMs: number): Caller | undefined {
  const userId = member(claims, 'sub');
  if (member(claims, 'iss') !== rules.issuer) return undefined;
  if (!isMeantFor(rules.audience, member(claims, 'aud'))) return undefined;
  if (!isCurrent(claims, nowMs)) return undefined;
  if (!isSubject(userId)) return undefined;
  return { userId, via: 'token', roles: rolesIn(member(claims, rules.rolesClaim)) };
}

function isMeantFor(audience: string, claim: unknown): boolean {
  return claim === audience || (isStrings(claim) && claim.includes(audience));
}

/** `exp` is required and `nbf` is honored; `iat` decides nothing but must be a number if present. */
function isCurrent(claims: JsonObject, nowMs: number): boolean {
  const expires = member(claims, 'exp');
  const notBefore = member(claims, 'nbf');
  const issuedAt = member(claims, 'iat');
  if (!isNumericDate(expires) || nowMs >= expires * 1000 + leewayMs) return false;
  if (notBefore !== undefined && (!isNumericDate(notBefore) || nowMs < notBefore * 1000 - leewayMs)) return false;
  return issuedAt === undefined || isNumericDate(issuedAt);
}

/** The last second of the year 9999. Later times have no ISO 8601 form of four digits. */
const maxNumericDate = 253_402_300_799;

function isNumericDate(value: unknown): value is number {
  return typeof value === 'number' && value <= maxNumericDate && value >= -maxNumericDate;
}

/** Control characters would forge log lines, and a database stores every lone surrogate as the same U+FFFD. */
function isSubject(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    value !== '' &&
    value.length <= maxSubjectLength &&
    !/[\u0000-\u001f\u007f-\u009f]/.test(value) &&
    value.isWellFormed()
  );
}

/** All or nothing: a claim that is not an array of strings gives no role. */
function rolesIn(claim: unknown): readonly string[] {
  return isStrings(claim) ? claim : [];
}

function isStrings(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((entry) => typeof entry === 'string');
}
