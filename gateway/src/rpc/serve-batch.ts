/** Answers a JSON-RPC batch: its forwardable calls go to the node as one batch, and every element gets its own answer, in order. */

import { batchRequestFor } from './answer-text.ts';
import type { Call, InvalidMessage } from './message.ts';
import { isRepeatable, type MethodVerdict } from './method-policy.ts';
import { type NodeAnswer, readBatchAnswer } from './node-answer.ts';
import {
  answerText,
  blockedAs,
  invalidData,
  nodeFailed,
  type RefusalText,
  type RpcReply,
  silent,
  unusableAnswer,
} from './reply.ts';
import type { RpcTarget } from './target.ts';

type Element = { readonly message: Call | InvalidMessage; readonly verdict: MethodVerdict | undefined };

/** A node's answers in the order of the forwarded calls, or the one error with which it refused them all. */
type Answers = NonNullable<ReturnType<typeof readBatchAnswer>>;

export async function serveBatch(
  messages: readonly (Call | InvalidMessage)[],
  target: RpcTarget,
  refusalText: RefusalText,
): Promise<RpcReply> {
  const elements = messages.map(
    (message): Element => ({
      message,
      verdict: message.kind === 'invalid' ? undefined : target.policy(message.method),
    }),
  );
  const calls = elements.flatMap(({ message, verdict }) =>
    message.kind === 'call' && verdict === 'forward' ? [message] : [],
  );
  const answers = calls.length === 0 ? [] : await askNode(calls, target);
  if ('refused' in answers) return messages.every(isNotification) ? silent : answers.refused;

  const texts: string[] = [];
  let nth = 0;
  for (const element of elements) {
    const answer = element.verdict === 'forward' ? answerAt(answers, nth++) : undefined;
    const text = elementText(element, answer, target, refusalText);
    if (text !== undefined) texts.push(text);
  }
  return texts.length === 0 ? silent : { kind: 'answer', body: `[${texts.join(',')}]` };
}

async function askNode(calls: readonly Call[], target: RpcTarget): Promise<Answers | { readonly refused: RpcReply }> {
  const firstId = target.takeIds(calls.length);
  const repeatable = calls.every((call) => isRepeatable(call.method));
  const reply = await target.pool.send(batchRequestFor(calls, firstId), repeatable);
  if (!reply.ok) return { refused: nodeFailed(reply, repeatable) };
  return readBatchAnswer(reply.body, firstId, calls.length) ?? { refused: nodeFailed(unusableAnswer, repeatable) };
}

/** Undefined for a notification, which is never answered. */
function elementText(
  { message, verdict }: Element,
  answer: NodeAnswer | undefined,
  target: RpcTarget,
  refusalText: RefusalText,
): string | undefined {
  if (message.kind === 'invalid') return refusalText('invalid-request', message.id, invalidData(message.detail));
  if (message.id === undefined) return undefined;
  if (verdict === 'no-accounts') return answerText(message.id, { kind: 'result', raw: '[]' }, target);
  if (verdict === 'forward')
    return answer === undefined ? refusalText('unanswered', message.id) : answerText(message.id, answer, target);
  const { reason, data } = blockedAs(verdict, message.method);
  return refusalText(reason, message.id, data);
}

function answerAt(answers: Answers, nth: number): NodeAnswer | undefined {
  return 'kind' in answers ? answers : answers[nth];
}

function isNotification(message: Call | InvalidMessage): boolean {
  return message.kind === 'call' && message.id === undefined;
}
