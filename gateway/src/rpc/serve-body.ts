/** Answers one decoded JSON-RPC body: what is blocked or invalid is refused here, everything else asks a node once. */

import type { RefusalReason } from '../access/refusal.ts';
import type { NodeReply } from '../ledgers/node-pool.ts';
import { answerError, answerResult, batchRequestFor, requestFor } from './answer-text.ts';
import type { Call, DecodedBody, InvalidMessage } from './message.ts';
import { isRepeatable } from './method-policy.ts';
import { type NodeAnswer, readBatchAnswer, readSingleAnswer } from './node-answer.ts';
import type { RpcTarget } from './target.ts';

export type RpcReply =
  | { readonly kind: 'answer'; readonly body: string }
  /** Nothing but notifications: HTTP 204. */
  | { readonly kind: 'silent' }
  | {
      readonly kind: 'refused';
      readonly reason: RefusalReason;
      readonly detail?: string;
      readonly rpcId?: string;
      readonly rpcData?: string;
    };

/** JSON text of a whole JSON-RPC error response; the catalogue of errors is the edge's. */
export type RefusalText = (reason: RefusalReason, id: string, data?: string) => string;

type Messages = Exclude<DecodedBody, { kind: 'unparsable' | 'too-many' }>;

const silent: RpcReply = { kind: 'silent' };

/** Messages that a body is charged for: each element of a batch, invalid ones too (decisions 5). */
export function costOf(body: Messages): number {
  return body.kind === 'batch' ? body.messages.length : 1;
}

export function serveBody(body: Messages, target: RpcTarget, refusalText: RefusalText): RpcReply | Promise<RpcReply> {
  return body.kind === 'batch' ? serveBatch(body.messages, target, refusalText) : serveSingle(body.message, target);
}

function serveSingle(message: Call | InvalidMessage, target: RpcTarget): RpcReply | Promise<RpcReply> {
  if (message.kind === 'invalid')
    return {
      kind: 'refused',
      reason: 'invalid-request',
      rpcId: message.id,
      rpcData: JSON.stringify({ detail: message.detail }),
    };
  const verdict = target.policy(message.method);
  if (verdict === 'forward') return forwardSingle(message, target);
  if (verdict === 'no-accounts')
    return message.id === undefined ? silent : { kind: 'answer', body: answerResult(message.id, '[]') };
  const { reason, data } = blockedAs(verdict, message.method);
  return { kind: 'refused', reason, rpcId: message.id ?? 'null', rpcData: data };
}

async function forwardSingle(call: Call, target: RpcTarget): Promise<RpcReply> {
  const id = target.takeIds(1);
  const reply = await target.pool.send(requestFor(call, id), isRepeatable(call.method));
  if (call.id === undefined) return silent;
  if (!reply.ok) return nodeFailed(reply);
  const answer = readSingleAnswer(reply.body, String(id));
  return answer === undefined ? unusable : { kind: 'answer', body: answerText(call.id, answer) };
}

async function serveBatch(
  messages: readonly (Call | InvalidMessage)[],
  target: RpcTarget,
  refusalText: RefusalText,
): Promise<RpcReply> {
  const verdicts = messages.map((message) => (message.kind === 'invalid' ? undefined : target.policy(message.method)));
  const forwarded = messages.filter(
    (message, at): message is Call => message.kind === 'call' && verdicts[at] === 'forward',
  );
  let answers: ReturnType<typeof readBatchAnswer> = [];
  if (forwarded.length > 0) {
    const firstId = target.takeIds(forwarded.length);
    const reply = await target.pool.send(
      batchRequestFor(forwarded, firstId),
      forwarded.every((call) => isRepeatable(call.method)),
    );
    if (!reply.ok) return messages.every(isNotification) ? silent : nodeFailed(reply);
    answers = readBatchAnswer(reply.body, firstId, forwarded.length);
    if (answers === undefined) return unusable;
  }
  const texts: string[] = [];
  let nth = 0;
  messages.forEach((message, at) => {
    if (message.kind === 'invalid') {
      texts.push(refusalText('invalid-request', message.id, JSON.stringify({ detail: message.detail })));
      return;
    }
    const verdict = verdicts[at];
    const answer = verdict === 'forward' ? answerAt(answers, nth++) : undefined;
    if (message.id === undefined) return;
    if (verdict === 'forward')
      texts.push(answer === undefined ? refusalText('unanswered', message.id) : answerText(message.id, answer));
    else if (verdict === 'no-accounts') texts.push(answerResult(message.id, '[]'));
    else {
      const { reason, data } = blockedAs(verdict, message.method);
      texts.push(refusalText(reason, message.id, data));
    }
  });
  return texts.length === 0 ? silent : { kind: 'answer', body: `[${texts.join(',')}]` };
}

function isNotification(message: Call | InvalidMessage): boolean {
  return message.kind === 'call' && message.id === undefined;
}

/** A node that refuses a batch whole refuses each of its messages. */
function answerAt(answers: ReturnType<typeof readBatchAnswer>, nth: number): NodeAnswer | undefined {
  return answers !== undefined && 'kind' in answers ? answers : answers?.[nth];
}

function answerText(id: string, answer: NodeAnswer): string {
  return answer.kind === 'result' ? answerResult(id, answer.raw) : answerError(id, answer.raw);
}

function blockedAs(verdict: 'blocked' | 'not-enabled' | undefined, method: string) {
  const reason = verdict === 'not-enabled' ? 'method-not-enabled' : 'method-blocked';
  return { reason, data: JSON.stringify({ reason: reason.replaceAll('-', '_'), method }) } as const;
}

const unusable: RpcReply = {
  kind: 'refused',
  reason: 'bad-gateway',
  detail: 'The node did not answer with valid JSON-RPC.',
};

function nodeFailed(reply: Extract<NodeReply, { ok: false }>): RpcReply {
  if (reply.failure === 'overloaded')
    return { kind: 'refused', reason: 'unavailable', detail: 'Too many calls to this node are under way.' };
  if (reply.failure === 'unusable') return unusable;
  const detail = reply.failure === 'timeout' ? 'The node did not answer in time.' : 'The node could not be reached.';
  return { kind: 'refused', reason: 'bad-gateway', detail };
}
