/** Answers one decoded JSON-RPC body: what is blocked or invalid is refused here, everything else asks a node once. */

import { requestFor } from './answer-text.ts';
import type { Call, DecodedBody, InvalidMessage } from './message.ts';
import { isRepeatable } from './method-policy.ts';
import { readSingleAnswer } from './node-answer.ts';
import { answerText, blockedAs, invalidData, nodeFailed, type RefusalText, type RpcReply, silent } from './reply.ts';
import { serveBatch } from './serve-batch.ts';
import type { RpcTarget } from './target.ts';

/** The request that a body came in by; its signal is looked at only when a call has to wait. */
export type Caller = { readonly signal: AbortSignal };

type Messages = Exclude<DecodedBody, { kind: 'unparsable' | 'too-many' }>;

/** Messages that a body is charged for: each element of a batch, invalid ones too (decisions 5). */
export function costOf(body: Messages): number {
  return body.kind === 'batch' ? body.messages.length : 1;
}

/** `caller`: whose departure, told by the signal, keeps what was not sent yet from being sent. */
export function serveBody(
  body: Messages,
  target: RpcTarget,
  refusalText: RefusalText,
  caller: Caller,
): RpcReply | Promise<RpcReply> {
  return body.kind === 'batch'
    ? serveBatch(body.messages, target, refusalText, caller)
    : serveSingle(body.message, target, caller);
}

function serveSingle(message: Call | InvalidMessage, target: RpcTarget, caller: Caller): RpcReply | Promise<RpcReply> {
  if (message.kind === 'invalid')
    return { kind: 'refused', reason: 'invalid-request', rpcId: message.id, rpcData: invalidData(message.detail) };
  const verdict = target.policy(message.method);
  if (verdict === 'forward') return forward(message, target, caller);
  if (verdict === 'no-accounts')
    return message.id === undefined
      ? silent
      : { kind: 'answer', body: answerText(message.id, { kind: 'result', raw: '[]' }, target) };
  const { reason, data } = blockedAs(verdict, message.method);
  return { kind: 'refused', reason, rpcId: message.id ?? 'null', rpcData: data };
}

async function forward(call: Call, target: RpcTarget, caller: Caller): Promise<RpcReply> {
  const id = target.takeIds(1);
  const idText = String(id);
  const repeatable = isRepeatable(call.method);
  const reply = await target.pool.send({
    body: requestFor(call, id),
    repeatable,
    read: (text) => readSingleAnswer(text, idText),
    caller,
  });
  if (call.id === undefined) return silent;
  if (!reply.ok) return nodeFailed(reply, repeatable);
  return { kind: 'answer', body: answerText(call.id, reply.answer, target) };
}
