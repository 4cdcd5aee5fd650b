/** The door's second half, the same on every surface: who is it (access/authenticate), and is there room (access/rate-limit)? */

import type { Authenticate } from '../access/authenticate.ts';
import type { Caller } from '../access/caller.ts';
import type { RateLimiter } from '../access/rate-limit.ts';
import type { AddressRanges } from '../platform/address-ranges.ts';
import { clientAddress } from './client-address.ts';
import type { Presented } from './credential.ts';
import type { Exchange } from './exchange.ts';

export type Door = {
  readonly authenticate: Authenticate;
  readonly limiter: RateLimiter;
  readonly trustedProxies: AddressRanges;
  /** The address of the connection that a request came over. */
  readonly peerOf: (request: Request) => string;
};

/** The caller, or the refusal to send. */
export async function identify(door: Door, exchange: Exchange, presented: Presented): Promise<Caller | Response> {
  if (presented.kind === 'missing') return exchange.refuse('credential-missing');
  if (presented.kind === 'malformed')
    return exchange.refuse('credential-missing', {
      detail: 'The Authorization header must be "Bearer", one space, and a token or API key without quotes.',
    });
  const { request } = exchange;
  const pending = door.authenticate(presented, () =>
    clientAddress(door.peerOf(request), request.headers.get('x-forwarded-for'), door.trustedProxies),
  );
  // A cached key is verified without waiting, and nothing else of the hot path should wait for it either.
  const authentication = pending instanceof Promise ? await pending : pending;
  if (authentication.kind === 'caller') return authentication.caller;
  if (authentication.kind === 'refused') return exchange.refuse(authentication.reason);
  exchange.admission = authentication.admission;
  return exchange.refuse('rate-limited', { detail: 'Too many invalid credentials from this address.' });
}

/** Charges the user, and the session where there is one; undefined when there was room, otherwise the refusal to send. */
export async function charge(
  door: Door,
  exchange: Exchange,
  caller: Caller,
  cost: number,
  sessionId?: string,
): Promise<Response | undefined> {
  const pending = door.limiter.admit(caller.userId, cost, sessionId);
  const admission = pending instanceof Promise ? await pending : pending;
  exchange.admission = admission;
  return admission.admitted ? undefined : exchange.refuse('rate-limited');
}
