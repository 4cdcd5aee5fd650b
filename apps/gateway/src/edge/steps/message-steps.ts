/** The steps that only WebSocket messages have (contract/websocket#messages). */

import type { OutgoingReply } from '@flowgate/http1/server/incoming-request';
import { type MessageContext, SocketReply } from '../contexts/message-context.ts';
import type { Refusal } from '../contexts/request-context.ts';
import { refuseCounted } from './charge.ts';
import { readableId } from './decode-messages.ts';

const binary: Refusal = { reason: 'parse-error', detail: 'Binary messages are not supported: send text.' };

export function refuseBinary(_services: unknown, context: MessageContext): Refusal | undefined {
  return context.isBinary ? binary : undefined;
}

/** From here on the calls of the message count among the connection's calls in flight, and the message may subscribe. */
export function countCalls(_services: unknown, context: MessageContext): undefined {
  const { origin, cost } = context;
  origin.inFlight.calls += cost - context.calls;
  context.calls = cost;
  context.target = origin.subscribing(context.target);
}

type RefusalServices = Parameters<typeof refuseCounted>[0] & { readonly maxBatch: number };

/** A connection whose credential is no longer valid is closed without an answer. */
export function refuseMessage(
  services: RefusalServices,
  context: MessageContext,
  refusal: Refusal,
): OutgoingReply | Promise<OutgoingReply> {
  if (context.isAuthenticated) return refuseCounted(services, context, refusal);
  if (refusal.reason === 'credential-unverifiable')
    return context.refuse(refusal.reason, { ...refusal, rpcId: readableId(context, services.maxBatch) });
  context.refusedFor = refusal.reason;
  context.origin.credentialEnded();
  return new SocketReply(403, null);
}
