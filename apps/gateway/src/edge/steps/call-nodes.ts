/** Answers a JSON-RPC request: each message is refused, answered by the gateway, or sent to a node. The reply includes the trace headers. */

import { isTypeId } from '@flowgate/base/ids';
import type { OutgoingReply } from '@flowgate/http1/server/incoming-request';
import type { CallGuard, CallGuards } from '../../rpc/call-guard.ts';
import type { RpcReply, Traced } from '../../rpc/reply.ts';
import { serveBody } from '../../rpc/serve-body.ts';
import type { ReadUnauthenticatedBody } from '../contexts/read-unauthenticated-body.ts';
import type { Refusal } from '../contexts/request-context.ts';
import type { RpcContext } from '../contexts/rpc-context.ts';
import { rpcError } from '../contexts/rpc-error.ts';
import { refuseCounted } from './charge.ts';
import { readableId } from './decode-messages.ts';

type Guarding = { readonly guards: CallGuards };

const policiesUnknown: RpcReply = {
  kind: 'refused',
  reason: 'unavailable',
  detail: 'The policies cannot be read right now.',
};

/** The reply is made in the turn of the event loop in which the node's answer arrives. */
export function callNodes({ guards }: Guarding, context: RpcContext): OutgoingReply | Promise<OutgoingReply> {
  const { messages, target, caller } = context;
  const reply = (result: RpcReply) => replyToRpc(context, result);
  if (guards.isIdle) return serveBody(messages, target, rpcError, context, reply);
  const serve = (guard: CallGuard | 'unavailable') =>
    guard === 'unavailable' ? reply(policiesUnknown) : serveBody(messages, target, rpcError, context, reply, guard);
  const guard = guards.guardFor(caller, target.place);
  return guard instanceof Promise ? guard.then(serve) : serve(guard);
}

function replyToRpc(context: RpcContext, reply: RpcReply): OutgoingReply {
  context.isFromMemory = reply.traced?.from !== undefined;
  context.outcomes = reply.outcomes;
  const asked = context.header('x-flowgate-trace') === '1' ? traceHeaders(reply.traced) : undefined;
  const trace = isOfUser(reply.traced) ? { ...asked, ...ofUserHeader } : asked;
  if (reply.kind === 'answer') {
    context.isRepeatable = reply.isOnce !== true;
    return context.reply(200, reply.body, 'application/json', trace);
  }
  if (reply.kind === 'large') return context.replyLarge(200, reply.body, 'application/json', trace);
  if (reply.kind === 'silent') return context.reply(204, null, undefined, trace);
  return context.refuse(reply.reason, trace === undefined ? reply : { ...reply, headers: trace });
}

const ofUserHeader = { 'X-Flowgate-Node-Owner': 'user' } as const;

/** Whether a node that a user registered gave a part of the answer (contract/json-rpc#trace). Reads one id, except for answers joined from several nodes. */
function isOfUser(traced: Traced | undefined): boolean {
  if (traced === undefined) return false;
  const { nodeId, nodeIds, sources } = traced;
  if (nodeId !== undefined && nodeId !== '') return isRegistered(nodeId);
  return nodeIds?.some(isRegistered) === true || sources?.some(isRegistered) === true;
}

/** No configured node has such an id. The length decides for nearly all ids. */
function isRegistered(nodeId: string): boolean {
  return nodeId.length === registeredLength && isTypeId('node', nodeId);
}

const registeredLength = 'node_'.length + 26;

/** The node that answered, and the number of nodes called (contract/json-rpc#trace). The caller may see every node that its call can reach. */
function traceHeaders(traced: Traced = { attempts: 0 }): Readonly<Record<string, string>> {
  const { nodeId, from, sources } = traced;
  const servedBy = sources?.join(', ') ?? from ?? nodeId ?? '';
  const attempts = traced.attempts ?? (from !== undefined ? 0 : nodeId !== undefined ? 1 : undefined);
  return {
    ...(servedBy === '' ? {} : { 'X-Flowgate-Served-By': servedBy }),
    ...(attempts === undefined ? {} : { 'X-Flowgate-Attempts': String(attempts) }),
  };
}

type RefusalServices = Parameters<typeof refuseCounted>[0] & {
  readonly readUnauthenticatedBody: ReadUnauthenticatedBody;
  readonly maxBatch: number;
};

/**
 * Unauthenticated callers also receive the request's id, if it is within the bytes that are read for them (contract/json-rpc). A 429 is no JSON-RPC error and
 * has no id.
 */
export function refuseRpc(
  services: RefusalServices,
  context: RpcContext,
  refusal: Refusal,
): OutgoingReply | Promise<OutgoingReply> {
  const isStranger = credentialReasons.has(refusal.reason) && context.body === undefined;
  return isStranger ? refuseUnidentified(services, context, refusal) : refuseCounted(services, context, refusal);
}

const credentialReasons: ReadonlySet<Refusal['reason']> = new Set([
  'credential-missing',
  'credential-invalid',
  'credential-unverifiable',
]);

function refuseUnidentified(
  services: RefusalServices,
  context: RpcContext,
  refusal: Refusal,
): OutgoingReply | Promise<OutgoingReply> {
  const reading = services.readUnauthenticatedBody(context);
  return reading === undefined
    ? refuseWithId(services, context, refusal)
    : reading.then(() => refuseWithId(services, context, refusal));
}

function refuseWithId({ maxBatch }: RefusalServices, context: RpcContext, refusal: Refusal): OutgoingReply {
  return context.refuse(refusal.reason, { ...refusal, rpcId: readableId(context, maxBatch) });
}
