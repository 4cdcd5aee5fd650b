/** Charges the user, and the session if there is one; from then on every answer carries the limits (contract/limits#what-counts). */

import type { OutgoingReply } from '@flowgate/http1/server/incoming-request';
import type { Admission } from '../../api/rate-limiter.ts';
import type { AccessControl } from '../contexts/access-control.ts';
import type { StepResult } from '../contexts/pipeline.ts';
import { freelyDecodedBytes } from '../contexts/request-body.ts';
import type { Refusal, RequestContext } from '../contexts/request-context.ts';

type Limits = Pick<AccessControl, 'limiter' | 'unchargedDecoding'>;

const limited: Refusal = { reason: 'rate-limited' };

export function charge(services: Limits, context: RequestContext): StepResult {
  if (context.chargedBefore !== undefined) return conclude(services, context, context.chargedBefore);
  const pending = services.limiter.admit(context.caller.userId, context.cost, context.sessionId);
  return pending instanceof Promise
    ? pending.then((admission) => conclude(services, context, admission))
    : conclude(services, context, pending);
}

function conclude(services: Limits, context: RequestContext, admission: Admission): Refusal | undefined {
  context.admission = admission;
  if (admission.admitted) return undefined;
  noteUncharged(services, context);
  return limited;
}

/** Records that a body was decoded for a request that exceeded the limit and was therefore not charged. */
export function noteUncharged(
  { unchargedDecoding }: Pick<AccessControl, 'unchargedDecoding'>,
  context: RequestContext,
): void {
  const bytes = context.bodyBytes;
  if (bytes > freelyDecodedBytes) unchargedDecoding.spend(context.caller.userId, bytes);
}

/** A request that is refused before it is charged costs one; an unauthenticated request costs nothing (contract/json-rpc, contract/limits). */
export function refuseCounted(
  services: Limits,
  context: RequestContext,
  refusal: Refusal,
): OutgoingReply | Promise<OutgoingReply> {
  if (!context.isAuthenticated || context.admission !== undefined) return context.refuse(refusal.reason, refusal);
  const pending = charge(services, context);
  const reported = (over: Refusal | undefined) => context.refuse((over ?? refusal).reason, over ?? refusal);
  return pending instanceof Promise ? pending.then(reported) : reported(pending);
}
