/** The door's second half, the same on every surface: who is it (api/authenticator), and is there room (api/rate-limiter)? */

import type { Authentication, Authenticator } from '../api/authenticator.ts';
import type { Caller } from '../api/caller.ts';
import type { Admission, RateLimiter } from '../api/rate-limiter.ts';
import type { RefusalReason } from '../api/refusal.ts';
import type { ByteAllowance } from '../platform/bytes/byte-allowance.ts';
import type { Clock } from '../platform/clock.ts';
import type { AddressRanges } from '../platform/safe-fetch/address-ranges.ts';
import { clientAddress } from './client-address.ts';
import type { Presented } from './credential.ts';
import { announcedBytes, freelyDecodedBytes, smallBodyBytes } from './request-body.ts';
import type { RequestContext } from './request-context.ts';

export type Door = {
  readonly authenticator: Authenticator;
  readonly limiter: RateLimiter;
  /** What each user may have decoded for requests that are then refused by a limit, and so cost nothing (docs/decisions/0042). */
  readonly unpaid: ByteAllowance;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly trustedProxies: AddressRanges;
};

/** Why there is no caller; `admission` is set when it is the limit on invalid credentials that refuses. */
export type IdentityRefusal = {
  readonly reason: Extract<
    RefusalReason,
    'credential-missing' | 'credential-invalid' | 'credential-unverifiable' | 'rate-limited'
  >;
  readonly detail?: string;
  readonly admission?: Admission;
};

const missing: IdentityRefusal = { reason: 'credential-missing' };
const malformed: IdentityRefusal = {
  reason: 'credential-missing',
  detail: 'The Authorization header must be "Bearer", one space, and a token or API key without quotes.',
};

/** Synchronous when a cached key decides: nothing of the hot path waits for its own memory. */
export function identify(
  door: Door,
  context: RequestContext,
  presented: Presented,
): Caller | IdentityRefusal | Promise<Caller | IdentityRefusal> {
  if (presented.kind === 'missing') return missing;
  if (presented.kind === 'malformed') return malformed;
  const pending = door.authenticator.authenticate(presented, () => addressOf(door, context));
  return pending instanceof Promise ? pending.then(callerOrRefusal) : callerOrRefusal(pending);
}

/** Whose address the request counts for while nobody knows whose it is. */
export function addressOf({ trustedProxies }: Pick<Door, 'trustedProxies'>, context: RequestContext): string {
  return clientAddress(context.peer(), context.request.headers.get('x-forwarded-for'), trustedProxies);
}

function callerOrRefusal(authentication: Authentication): Caller | IdentityRefusal {
  if (authentication.kind === 'caller') return authentication.caller;
  if (authentication.kind === 'refused') return { reason: authentication.reason };
  const { admission } = authentication;
  return { reason: 'rate-limited', detail: 'Too many invalid credentials from this address.', admission };
}

/** Charges the user, and the session where there is one: whether there was room. From then on every answer carries the limits. */
export function charge(
  door: Door,
  context: RequestContext,
  caller: Caller,
  cost: number,
  sessionId?: string,
): boolean | Promise<boolean> {
  const record = (admission: Admission): boolean => {
    context.admission = admission;
    return admission.admitted;
  };
  if (context.paid !== undefined) return record(context.paid);
  const pending = door.limiter.admit(caller.userId, cost, sessionId);
  return pending instanceof Promise ? pending.then(record) : record(pending);
}

/**
 * Whether a request is refused before its body is read, because that would be for nothing: a large one when no request fits any more, any but the smallest when its user has
 * had too much decoded for nothing of late. What it asks for is not known yet, so it is told to wait until `most` requests fit, the most that it can count for.
 */
export function refusedUnread(door: Door, context: RequestContext, caller: Caller, most: number): boolean {
  const bytes = announcedBytes(context.request.headers);
  if (bytes <= freelyDecodedBytes || context.paid !== undefined) return false;
  const unpaidMs = door.unpaid.waitMs(caller.userId);
  if (unpaidMs === 0 && (bytes <= smallBodyBytes || door.limiter.peek(caller.userId, 1).admitted)) return false;
  const admission = door.limiter.peek(caller.userId, most);
  context.admission = {
    ...admission,
    admitted: false,
    retryAfterMs: Math.max(admission.retryAfterMs, unpaidMs),
  };
  return true;
}

/** A body was decoded for a request that then was over the limit, and so counts for nothing. */
export function decodedForNothing(door: Door, caller: Caller, bytes: number): void {
  if (bytes > freelyDecodedBytes) door.unpaid.spend(caller.userId, bytes);
}
