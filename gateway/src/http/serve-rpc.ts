/** A JSON-RPC request's way: credential, target, body, limits, then the rpc room. Its steps are the contract's order (contract/credentials#missing-and-invalid, contract/limits). */

import type { Caller } from '../api/caller.ts';
import type { RefusalReason } from '../api/refusal.ts';
import { type DecodedBody, decodeBody, decodeUtf8 } from '../rpc/message.ts';
import type { RpcReply } from '../rpc/reply.ts';
import type { RpcRoute } from '../rpc/routes.ts';
import { costOf, serveBody } from '../rpc/serve-body.ts';
import type { RpcTargets } from '../rpc/target.ts';
import { charge, type Door, decodedForNothing, type IdentityRefusal, identify, refusedUnread } from './admit.ts';
import { presentedInPath, presentedOnRpc } from './credential.ts';
import { rpcErrorText } from './envelopes.ts';
import type { ReadBody } from './request-body.ts';
import type { RequestContext } from './request-context.ts';
import type { ReadStrangersBody } from './strangers-body.ts';

export type RpcService = {
  readonly door: Door;
  readonly targets: RpcTargets;
  readonly readBody: ReadBody;
  readonly readStrangersBody: ReadStrangersBody;
  readonly maxBatch: number;
};

type Refusal = { readonly reason: RefusalReason; readonly detail?: string | undefined };

export async function serveRpc(
  service: RpcService,
  context: RequestContext,
  route: RpcRoute,
  params: Readonly<Record<string, string>>,
): Promise<Response> {
  const { request } = context;
  const { door } = service;
  const presented = route.keyInPath ? presentedInPath(params['apiKey'] ?? '') : presentedOnRpc(request.headers);
  const keyChanges = door.authenticator.keyChanges();
  const identifiedMs = door.clock.monotonic();
  const identity = identify(door, context, presented);
  const caller = identity instanceof Promise ? await identity : identity;
  if ('reason' in caller) return refuseStranger(service, context, caller);
  context.userId = caller.userId;
  const target = service.targets.find(params);
  if (target === undefined) return refuseCounted(service, context, caller, noTarget);
  const most = Math.min(service.maxBatch, door.limiter.userLimit(caller.userId));
  if (refusedUnread(door, context, caller, most)) return context.refuse('rate-limited');

  const body = await service.readBody(context, caller.userId);
  if (door.authenticator.keyChanges() !== keyChanges || door.clock.monotonic() - identifiedMs > trustedWhileReadingMs) {
    // The key may have been revoked or have expired while the body was under way, or what is known of it have grown too old.
    const again = await identify(door, context, presented);
    if ('reason' in again) return context.refuse(again.reason);
  }
  const decoded = decode(body, most);
  const bytes = body.ok ? body.value.length : 0;
  if ('reason' in decoded) return refuseCounted(service, context, caller, decoded, bytes);
  const charged = charge(door, context, caller, costOf(decoded));
  if (!(charged instanceof Promise ? await charged : charged)) {
    decodedForNothing(door, caller, bytes);
    return context.refuse('rate-limited');
  }
  const reply = serveBody(decoded, target, rpcErrorText, { userId: caller.userId, request });
  return send(context, reply instanceof Promise ? await reply : reply);
}

async function refuseStranger(
  service: RpcService,
  context: RequestContext,
  { reason, detail, admission }: IdentityRefusal,
): Promise<Response> {
  context.admission = admission;
  // A 429 is no JSON-RPC error and shows no id.
  const rpcId = reason === 'rate-limited' ? undefined : await readableId(service, context);
  return context.refuse(reason, { detail, rpcId });
}

/** What is refused before its messages could be counted counts as one request (contract/json-rpc, contract/limits). */
async function refuseCounted(
  service: RpcService,
  context: RequestContext,
  caller: Caller,
  { reason, detail }: Refusal,
  decodedBytes = 0,
): Promise<Response> {
  const admitted = await charge(service.door, context, caller, 1);
  if (admitted) return context.refuse(reason, { detail });
  decodedForNothing(service.door, caller, decodedBytes);
  return context.refuse('rate-limited');
}

/** A body that took longer than this to arrive is not believed to come with the credential that its head came with. */
const trustedWhileReadingMs = 250;

/** Strangers are told their request's id too (contract/json-rpc), as far as they may have read anything. */
async function readableId(service: RpcService, context: RequestContext): Promise<string | undefined> {
  const decoded = decode(await service.readStrangersBody(context), service.maxBatch);
  return 'reason' in decoded || decoded.kind === 'batch' ? undefined : decoded.message.id;
}

const noTarget: Refusal = { reason: 'not-found', detail: 'There is no such network or node.' };

type Decoded = Exclude<DecodedBody, { kind: 'unparsable' | 'too-many' }>;

/** `maxBatch` is never above the user's whole limit: a longer batch could never be admitted, so it is too large and not too soon (contract/json-rpc#batches). */
function decode(bytes: Awaited<ReturnType<ReadBody>>, maxBatch: number): Decoded | Refusal {
  if (!bytes.ok) return bytes;
  const text = decodeUtf8(bytes.value);
  if (text === undefined) return { reason: 'parse-error', detail: 'The body is not UTF-8.' };
  const decoded = decodeBody(text, maxBatch);
  if (decoded.kind === 'unparsable') return { reason: 'parse-error', detail: decoded.detail };
  if (decoded.kind === 'too-many') return { reason: 'too-large', detail: `A batch has at most ${maxBatch} messages.` };
  return decoded;
}

function send(context: RequestContext, reply: RpcReply): Response {
  if (reply.kind === 'answer') {
    context.isRepeatable = reply.isOnce !== true;
    return context.reply(200, reply.body, 'application/json');
  }
  if (reply.kind === 'large') return context.replyLarge(200, reply.body, 'application/json');
  if (reply.kind === 'silent') return context.reply(204, null, undefined);
  return context.refuse(reply.reason, reply);
}
