/** The body of a mint request, checked (contract/keys#mint; contract/conventions, contract/keys#mint). */

import { type BodyRefusal, refusedFor, refusedForOne } from '../api/body-problems.ts';
import { parseIsoTime } from '../platform/iso-time.ts';
import { type Ok, ok } from '../platform/result.ts';

export type MintRequest = { readonly label: string; readonly scopes: readonly string[]; readonly expiresAtMs?: number };

/** A member's value, or what is wrong with it, as the rest of a sentence. */
type Checked<T> = Ok<T> | { readonly ok: false; readonly problem: string };

/** Unknown members are ignored, `null` for an optional one means left out; the refusal names every member that is wrong. */
export function parseMintRequest(body: unknown, nowMs: number): Ok<MintRequest> | BodyRefusal {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    return refusedForOne('the body must be a JSON object');
  const label = parseLabel(member(body, 'label'));
  const scopes = parseScopes(member(body, 'scopes'));
  const expiresAtMs = parseExpiry(member(body, 'expiresAt'), nowMs);
  if (!label.ok || !scopes.ok || !expiresAtMs.ok)
    return refusedFor([label, scopes, expiresAtMs].flatMap((each) => (each.ok ? [] : { message: each.problem })));
  return ok({
    label: label.value,
    scopes: scopes.value,
    ...(expiresAtMs.value === undefined ? {} : { expiresAtMs: expiresAtMs.value }),
  });
}

/** Own members only: what a prototype holds was not in the body. */
function member(body: object, name: string): unknown {
  const found: unknown = Object.getOwnPropertyDescriptor(body, name)?.value;
  return found === null ? undefined : found;
}

function parseLabel(label: unknown): Checked<string> {
  if (label === undefined) return wrong('label is required');
  if (typeof label !== 'string') return wrong('label must be a string');
  // No string of 100 code points is longer than 200 units: counting is not worth it beyond.
  const length = label.length > 200 ? label.length : [...label].length;
  if (length < 1 || length > 100) return wrong('label must have 1 to 100 characters');
  if (/\p{Cc}/u.test(label)) return wrong('label must not contain control characters');
  // Half a surrogate pair has no UTF-8 form: it would not come back as submitted.
  return label.isWellFormed() ? ok(label) : wrong('label must be well-formed Unicode');
}

function parseScopes(scopes: unknown): Checked<readonly string[]> {
  if (scopes === undefined) return ok(['rpc']);
  if (!Array.isArray(scopes)) return wrong('scopes must be an array of strings');
  if (scopes.length < 1 || scopes.length > 10) return wrong('scopes must have 1 to 10 entries');
  return scopes.every((scope) => scope === 'rpc') ? ok(['rpc']) : wrong('scopes may hold "rpc" only');
}

function parseExpiry(expiresAt: unknown, nowMs: number): Checked<number | undefined> {
  if (expiresAt === undefined) return ok(undefined);
  const atMs = typeof expiresAt === 'string' ? parseIsoTime(expiresAt) : undefined;
  if (atMs === undefined)
    return wrong('expiresAt must be an ISO 8601 timestamp with a zone, such as 2030-01-31T12:00:00Z');
  return atMs > nowMs ? ok(atMs) : wrong('expiresAt must be in the future');
}

function wrong(problem: string): Checked<never> {
  return { ok: false, problem };
}
