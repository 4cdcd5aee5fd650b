/**
 * Answers one decoded JSON-RPC body. Blocked and invalid messages are refused here; all others go to a node, as one
 * call or one batch.
 */

import { BufferedBody } from '@flowgate/bytes/buffered-body';
import type { UsageOutcome } from '../api/used.ts';
import type { BufferedResult, NodeAnswer, NodeCaller, NodeReply } from '../upstream/port/node-port.ts';
import type { CallGuard } from './call-guard.ts';
import type { Call, DecodedBody, InvalidMessage } from './message.ts';
import type { MethodVerdict } from './method-policy.ts';
import {
  answerContent,
  answeredHere,
  blockedAs,
  invalidData,
  nodeFailed,
  type RefusalContent,
  type RpcReply,
  silent,
  type Traced,
} from './reply.ts';
import { serveBatch } from './serve-batch.ts';
import type { RpcTarget } from './target.ts';

/** A decoded body that is charged and answered. */
export type Messages = Exclude<DecodedBody, { kind: 'unparsable' | 'too-many' }>;

/**
 * The number of messages that are charged for a body: each element of a batch, including invalid elements
 * (contract/json-rpc#batches).
 */
export function costOf(body: Messages): number {
  return body.kind === 'batch' ? body.messages.length : 1;
}

/**
 * `caller`: the user that a large answer is charged to; its abort signal stops calls that were not sent yet. `report`
 * maps the reply to the result in the same turn in which the node's answer arrives, without another promise. `guard`:
 * absent when there are no policies.
 */
export function serveBody<Reported>(
  body: Messages,
  target: RpcTarget,
  refusalContent: RefusalContent,
  caller: NodeCaller,
  report: (reply: RpcReply) => Reported,
  guard?: CallGuard,
): Reported | Promise<Reported> {
  if (body.kind === 'batch') return serveBatch(body.messages, target, refusalContent, caller, guard).then(report);
  const { message } = body;
  const verdict = message.kind === 'call' ? target.policy(message.method) : undefined;
  if (message.kind === 'call' && verdict === 'forward') {
    if (guard?.refuses(message) === true) return report(denied);
    return forward(message, target, caller, report, guard?.leftOut);
  }
  return report(answerHere(message, verdict, target));
}

function answerHere(message: Call | InvalidMessage, verdict: MethodVerdict | undefined, target: RpcTarget): RpcReply {
  if (message.kind === 'invalid')
    return {
      kind: 'refused',
      reason: 'invalid-request',
      rpcId: message.id,
      rpcData: invalidData(message.detail),
      rpcForm: message.form.refusal,
    };
  const answer = answeredHere(verdict, target);
  if (answer !== undefined)
    return message.id === undefined
      ? silent
      : { kind: 'answer', body: answerContent(message.form, message.id, answer, target) };
  const { reason, data } = blockedAs(verdict, message.method);
  return { kind: 'refused', reason, rpcId: message.id, rpcData: data, rpcForm: message.form.refusal };
}

/** The outcome of a failed notification, whose caller gets no reply. */
const oneFailed: readonly UsageOutcome[] = ['failed'];

const denied: RpcReply = { kind: 'refused', reason: 'denied' };

/** Not an `async` function: a call needs only one promise, and none when it is answered from memory. */
function forward<Reported>(
  call: Call,
  target: RpcTarget,
  caller: NodeCaller,
  report: (reply: RpcReply) => Reported,
  leftOut: ReadonlySet<string> | undefined,
): Reported | Promise<Reported> {
  const { method, params } = call;
  const repeatable = target.reads.has(method);
  const reply = target.port.send({ method, params, repeatable, caller, leftOut });
  return reply instanceof Promise
    ? reply.then((come) => report(answerTo(call, come, repeatable, target)))
    : report(answerTo(call, reply, repeatable, target));
}

function answerTo(call: Call, reply: NodeReply<NodeAnswer>, repeatable: boolean, target: RpcTarget): RpcReply {
  if (!reply.ok)
    return call.id === undefined
      ? { kind: 'silent', traced: reply, outcomes: oneFailed }
      : nodeFailed(reply, repeatable);
  const { answer } = reply;
  if (answer.kind === 'buffered') return bufferedReply(call, answer, reply);
  return call.id === undefined
    ? { kind: 'silent', traced: reply }
    : {
        kind: 'answer',
        body: answerContent(call.form, call.id, answer, target, repeatable),
        isOnce: !repeatable,
        traced: reply,
      };
}

/** The result is not copied: the node's own bytes are sent between the head and the end of the answer. */
function bufferedReply({ id, form }: Call, answer: BufferedResult, traced: Traced): RpcReply {
  if (id !== undefined)
    return {
      kind: 'large',
      body: new BufferedBody(answer.buffers, [form.resultHead(id), ...answer.parts, form.resultEnd(id)]),
      traced,
    };
  answer.release();
  return { kind: 'silent', traced };
}
