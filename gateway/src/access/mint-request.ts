/** The body of a mint request, checked (interface, API key mint request; decisions 2 and 3). */

import { parseIsoTime } from '../platform/iso-time.ts';
import { ok, type Result, refused } from '../platform/result.ts';

export type MintRequest = { readonly label: string; readonly scopes: readonly string[]; readonly expiresAtMs?: number };

type Checked<T> = Result<T, 'bad-request'>;

/** Unknown members are ignored, `null` for an optional one means left out; each refusal's detail names the member. */
export function parseMintRequest(body: unknown, nowMs: number): Checked<MintRequest> {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    return refused('bad-request', 'the body must be a JSON object');
  const label = parseLabel(member(body, 'label'));
  if (!label.ok) return label;
  const scopes = parseScopes(member(body, 'scopes'));
  if (!scopes.ok) return scopes;
  const expiresAtMs = parseExpiry(member(body, 'expiresAt'), nowMs);
  if (!expiresAtMs.ok) return expiresAtMs;
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
  if (label === undefined) return refused('bad-request', 'label is required');
  if (typeof label !== 'string') return refused('bad-request', 'label must be a string');
  // No string of 100 code points is longer than 200 units: counting is not worth it beyond.
  const length = label.length > 200 ? label.length : [...label].length;
  if (length < 1 || length > 100) return refused('bad-request', 'label must have 1 to 100 characters');
  if (/\p{Cc}/u.test(label)) return refused('bad-request', 'label must not contain control characters');
  // Half a surrogate pair has no UTF-8 form: it would not come back as submitted.
  return label.isWellFormed() ? ok(label) : refused('bad-request', 'label must be well-formed Unicode');
}

function parseScopes(scopes: unknown): Checked<readonly string[]> {
  if (scopes === undefined) return ok(['rpc']);
  if (!Array.isArray(scopes)) return refused('bad-request', 'scopes must be an array of strings');
  if (scopes.length < 1 || scopes.length > 10) return refused('bad-request', 'scopes must have 1 to 10 entries');
  return scopes.every((scope) => scope === 'rpc') ? ok(['rpc']) : refused('bad-request', 'scopes may hold "rpc" only');
}

function parseExpiry(expiresAt: unknown, nowMs: number): Checked<number | undefined> {
  if (expiresAt === undefined) return ok(undefined);
  const atMs = typeof expiresAt === 'string' ? parseIsoTime(expiresAt) : undefined;
  if (atMs === undefined)
    return refused('bad-request', 'expiresAt must be an ISO 8601 timestamp with a zone, such as 2030-01-31T12:00:00Z');
  return atMs > nowMs ? ok(atMs) : refused('bad-request', 'expiresAt must be in the future');
}
