/** The door's second half, the same on every surface: who is it (access/authenticate), and is there room (access/rate-limit)? */

import type { Authenticate, Authentication } from '../access/authenticate.ts';
import type { Caller } from '../access/caller.ts';
import type { Admission, RateLimiter } from '../access/rate-limit.ts';
import type { RefusalReason } from '../access/refusal.ts';
import type { AddressRanges } from '../platform/address-ranges.ts';
import type { Clock } from '../platform/clock.ts';
import { clientAddress } from './client-address.ts';
import type { Presented } from './credential.ts';
import type { Exchange } from './exchange.ts';

export type Door = {
  readonly authenticate: Authenticate;
  readonly limiter: RateLimiter;
  readonly clock: Pick<Clock, 'monotonic'>;
  /** Counts up whenever a verified key may have stopped being valid. */
  readonly keyChanges: () => number;
  readonly trustedProxies: AddressRanges;
  /** The address of the connection that a request came over. */
  readonly peerOf: (request: Request) => string;
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
  request: Request,
  presented: Presented,
): Caller | IdentityRefusal | Promise<Caller | IdentityRefusal> {
  if (presented.kind === 'missing') return missing;
  if (presented.kind === 'malformed') return malformed;
  const pending = door.authenticate(presented, () =>
    clientAddress(door.peerOf(request), request.headers.get('x-forwarded-for'), door.trustedProxies),
  );
  return pending instanceof Promise ? pending.then(callerOrRefusal) : callerOrRefusal(pending);
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
  exchange: Exchange,
  caller: Caller,
  cost: number,
  sessionId?: string,
): boolean | Promise<boolean> {
  const record = (admission: Admission): boolean => {
    exchange.admission = admission;
    return admission.admitted;
  };
  if (exchange.paid !== undefined) return record(exchange.paid);
  const pending = door.limiter.admit(caller.userId, cost, sessionId);
  return pending instanceof Promise ? pending.then(record) : record(pending);
}
