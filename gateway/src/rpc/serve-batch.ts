/** Answers a JSON-RPC batch: its forwardable calls go to the node as one batch, and every element gets its own answer, in order. */

import type { BatchAnswer, NodeCaller, TextAnswer } from '../ledgers/node-port.ts';
import type { HeldBytes } from '../platform/bytes/held-bytes.ts';
import { HeldParts, type HeldRange } from '../platform/bytes/held-parts.ts';
import { resultEnd, resultHead } from './answer-text.ts';
import type { Call, InvalidMessage } from './message.ts';
import { isRepeatable, type MethodVerdict } from './method-policy.ts';
import { answerText, blockedAs, invalidData, nodeFailed, type RefusalText, type RpcReply, silent } from './reply.ts';
import { shownError } from './shown-error.ts';
import type { RpcTarget } from './target.ts';

const noAnswers: BatchAnswer = { kind: 'batch', answers: [] };

export async function serveBatch(
  messages: readonly (Call | InvalidMessage)[],
  target: RpcTarget,
  refusalText: RefusalText,
  caller: NodeCaller,
): Promise<RpcReply> {
  const verdicts: (MethodVerdict | undefined)[] = [];
  const calls: Call[] = [];
  for (const message of messages) {
    const verdict = message.kind === 'call' ? target.policy(message.method) : undefined;
    verdicts.push(verdict);
    if (message.kind === 'call' && verdict === 'forward') calls.push(message);
  }
  const repeatable = calls.every((call) => isRepeatable(call.method));
  const answers = calls.length === 0 ? noAnswers : await askNode(calls, repeatable, target, caller);
  if ('refused' in answers) return messages.every(isNotification) ? silent : answers.refused;

  const held = answers.kind === 'held' ? answers : undefined;
  let isTaken = false;
  try {
    const body = new BatchBody();
    let nth = 0;
    let at = 0;
    for (const message of messages) {
      const verdict = verdicts[at++];
      const answer = verdict === 'forward' ? answerAt(answers, nth++) : undefined;
      if (answer !== undefined && 'start' in answer) {
        if (message.id !== undefined) body.addResult(message.id, answer);
      } else {
        const text = answerTo(message, verdict, answer, target, refusalText);
        if (text !== undefined) body.add(text);
      }
    }
    const reply = body.reply(held?.held, !repeatable);
    isTaken = reply.kind === 'large';
    return reply;
  } finally {
    if (!isTaken) held?.release();
  }
}

/** The array of answers: texts, and between them large results, which are not copied. */
class BatchBody {
  readonly #parts: (string | HeldRange)[] = [];
  #text = '';
  #isEmpty = true;

  add(text: string): void {
    this.#text += this.#isEmpty ? text : `,${text}`;
    this.#isEmpty = false;
  }

  addResult(id: string, range: HeldRange): void {
    this.add(resultHead(id));
    this.#parts.push(this.#text, range);
    this.#text = resultEnd;
  }

  reply(held: HeldBytes | undefined, isOnce: boolean): RpcReply {
    if (this.#isEmpty) return silent;
    if (held === undefined || this.#parts.length === 0) return { kind: 'answer', body: `[${this.#text}]`, isOnce };
    return { kind: 'large', body: new HeldParts(held, ['[', ...this.#parts, `${this.#text}]`]) };
  }
}

/** The receiver of held bytes must release them. */
async function askNode(
  calls: readonly Call[],
  repeatable: boolean,
  target: RpcTarget,
  caller: NodeCaller,
): Promise<BatchAnswer | { readonly refused: RpcReply }> {
  const reply = await target.pool.sendBatch({ questions: calls, repeatable, caller });
  if (!reply.ok) return { refused: nodeFailed(reply, repeatable) };
  const { answer } = reply;
  // Each call gets the error: all copies together may be as long as one error.
  return answer.kind === 'error'
    ? { ...answer, raw: shownError(answer.raw, target.hideSecrets, calls.length) }
    : answer;
}

/** Undefined for a notification, which is never answered. */
function answerTo(
  message: Call | InvalidMessage,
  verdict: MethodVerdict | undefined,
  answer: TextAnswer | undefined,
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

function answerAt(answers: BatchAnswer, nth: number): TextAnswer | HeldRange | undefined {
  return 'answers' in answers ? answers.answers[nth] : answers;
}

function isNotification(message: Call | InvalidMessage): boolean {
  return message.kind === 'call' && message.id === undefined;
}
