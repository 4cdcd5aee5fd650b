/** Refuses, before reading, bodies that would be read and decoded without charge (docs/decisions/0042). */

import type { AccessControl } from '../contexts/access-control.ts';
import { freelyDecodedBytes, smallBodyBytes } from '../contexts/request-body.ts';
import type { Refusal, RequestContext } from '../contexts/request-context.ts';
import type { RpcContext } from '../contexts/rpc-context.ts';
import { maxMessages } from './decode-messages.ts';

type Limits = Pick<AccessControl, 'limiter' | 'unchargedDecoding'>;

const limited: Refusal = { reason: 'rate-limited' };

export function refuseUnread(services: Limits, context: RequestContext): Refusal | undefined {
  return isDecodedAnyway(context) ? undefined : refusedBelow(services, context, 1);
}

export function refuseUnreadBatch(
  services: Limits & { readonly maxBatch: number },
  context: RpcContext,
): Refusal | undefined {
  return isDecodedAnyway(context) ? undefined : refusedBelow(services, context, maxMessages(services, context));
}

/** Small bodies are always decoded; bodies of subrequests are already charged. */
function isDecodedAnyway(context: RequestContext): boolean {
  return likelyBytes(context) <= freelyDecodedBytes || context.chargedBefore !== undefined;
}

/** The decoded size of a compressed body is unknown. */
function likelyBytes(context: RequestContext): number {
  return context.header('content-encoding') === null ? context.request.body.announced : Number.POSITIVE_INFINITY;
}

/**
 * Refuses a large body when the user has no request left, and any but the smallest when too many bytes were decoded for this user without charge. The cost of
 * the body is unknown, so `Retry-After` waits until `max` requests fit, its maximum cost.
 */
function refusedBelow(
  { limiter, unchargedDecoding }: Limits,
  context: RequestContext,
  max: number,
): Refusal | undefined {
  const { userId } = context.caller;
  const waitMs = unchargedDecoding.waitMs(userId);
  if (waitMs === 0 && (likelyBytes(context) <= smallBodyBytes || limiter.peek(userId, 1).admitted)) return undefined;
  const admission = limiter.peek(userId, max);
  context.admission = { ...admission, admitted: false, retryAfterMs: Math.max(admission.retryAfterMs, waitMs) };
  return limited;
}
