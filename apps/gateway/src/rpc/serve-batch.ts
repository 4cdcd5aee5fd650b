/**
 * Answers a JSON-RPC batch. Its forwarded calls go to the node as one batch, and every element gets its own answer, in
 * order.
 */

import { BufferedBody, type BufferedPart } from '@flowgate/bytes/buffered-body';
import { type ByteContent, bytesOf } from '@flowgate/bytes/byte-content';
import { rangeOf } from '@flowgate/bytes/byte-range';
import type { UsageOutcome } from '../api/used.ts';
import type {
  BatchAnswer,
  BufferedBatch,
  ElementAnswers,
  FailedElement,
  NodeCaller,
  NodeError,
  TextAnswer,
} from '../upstream/port/node-port.ts';
import { BatchContent } from './answer-content.ts';
import type { CallGuard } from './call-guard.ts';
import type { Call, InvalidMessage } from './message.ts';
import type { MethodVerdict } from './method-policy.ts';
import {
  answerContent,
  answeredHere,
  blockedAs,
  failedDetail,
  invalidData,
  nodeFailed,
  type RefusalContent,
  type RpcReply,
  silent,
  type Traced,
} from './reply.ts';
import { shownError } from './shown-error.ts';
import type { RpcTarget } from './target.ts';

/** `denied`: a policy denies the call. */
type Verdict = MethodVerdict | 'denied';

/**
 * Bytes of parameters that policies evaluate in one turn of the event loop. Each new method name counts as
 * `weightOfMethod` bytes: it is compared with up to 10,000 patterns of a user, which takes up to six milliseconds.
 * Repeated names are cached.
 */
const evaluatedInOneTurn = 65_536;
const weightOfMethod = 32_768;

type Asked = {
  readonly answers: BatchAnswer;
  readonly traced?: Traced;
  /** Indexes of the answers that came from memory, in a batch whose other answers came from a node. */
  readonly fromMemory?: ReadonlySet<number> | undefined;
};

const noAnswers: Asked = { answers: { kind: 'batch', answers: [] } };

export async function serveBatch(
  messages: readonly (Call | InvalidMessage)[],
  target: RpcTarget,
  refusalContent: RefusalContent,
  caller: NodeCaller,
  guard: CallGuard | undefined,
): Promise<RpcReply> {
  const verdicts: (Verdict | undefined)[] = [];
  const calls: Call[] = [];
  let repeatable = true;
  // In most batches all calls have the same method, which is then evaluated once.
  let lastMethod: string | undefined;
  let lastVerdict: MethodVerdict | undefined;
  let isLastRepeatable = true;
  let evaluated = 0;
  /** Only when policies evaluate the batch. */
  const names = guard === undefined ? undefined : new Set<string>();
  for (const message of messages) {
    if (message.kind === 'invalid') {
      verdicts.push(undefined);
      continue;
    }
    let weight = message.params?.length ?? 0;
    if (message.method !== lastMethod) {
      lastMethod = message.method;
      if (names?.has(lastMethod) === false) {
        names.add(lastMethod);
        weight += weightOfMethod;
      }
      lastVerdict = target.policy(lastMethod);
      isLastRepeatable = target.reads.has(lastMethod);
    }
    if (guard !== undefined) {
      evaluated += weight;
      if (evaluated > evaluatedInOneTurn) {
        evaluated = weight;
        await new Promise(setImmediate);
      }
    }
    const verdict = lastVerdict === 'forward' && guard?.refuses(message) === true ? 'denied' : lastVerdict;
    verdicts.push(verdict);
    if (verdict !== 'forward') continue;
    calls.push(message);
    repeatable &&= isLastRepeatable;
  }
  const asked = calls.length === 0 ? noAnswers : await askNode(calls, repeatable, target, caller, guard?.leftOut);
  if ('refused' in asked)
    return messages.every(isNotification)
      ? { kind: 'silent', traced: asked.refused.traced, outcomes: messages.map(() => 'failed') }
      : asked.refused;

  const { answers, traced } = asked;
  const outcomes = outcomesOf(messages, verdicts, asked);
  if (answers.kind === 'buffered')
    return { ...bufferedReply(messages, verdicts, answers, target, refusalContent, !repeatable), traced, outcomes };
  const elements: ByteContent[] = [];
  let nth = 0;
  let at = 0;
  for (const message of messages) {
    const verdict = verdicts[at++];
    const answer = verdict === 'forward' ? answerAt(answers, nth++) : undefined;
    const element = answerTo(message, verdict, answer, target, refusalContent);
    if (element !== undefined) elements.push(element);
  }
  return elements.length === 0
    ? { kind: 'silent', traced, outcomes }
    : { kind: 'answer', body: new BatchContent(elements), isOnce: !repeatable, traced, outcomes };
}

/** The outcome of each message, for usage counts (contract/usage#outcomes). */
function outcomesOf(
  messages: readonly (Call | InvalidMessage)[],
  verdicts: readonly (Verdict | undefined)[],
  { answers, traced, fromMemory }: Asked,
): readonly UsageOutcome[] {
  const isFromMemory = traced?.from !== undefined;
  let nth = 0;
  return messages.map((_, at) => {
    const verdict = verdicts[at];
    if (verdict === 'no-accounts' || verdict === 'subscription') return 'ok';
    if (verdict !== 'forward') return 'refused';
    const place = nth++;
    const answer = 'answers' in answers ? answers.answers[place] : answers;
    if (answer === undefined || answer.kind === 'failed') return 'failed';
    return isFromMemory || fromMemory?.has(place) === true ? 'cached' : 'ok';
  });
}

/** Makes the array of answers without copying large results. */
function bufferedReply(
  messages: readonly (Call | InvalidMessage)[],
  verdicts: readonly (Verdict | undefined)[],
  answers: BufferedBatch,
  target: RpcTarget,
  refusalContent: RefusalContent,
  isOnce: boolean,
): RpcReply {
  let isTaken = false;
  try {
    const parts: BufferedPart[] = [];
    const elements: ByteContent[] = [];
    let hasBuffered = false;
    let before = '[';
    let nth = 0;
    for (const [at, message] of messages.entries()) {
      const verdict = verdicts[at];
      const answer = verdict === 'forward' ? answers.answers[nth++] : undefined;
      const { id, form } = message;
      if (id === undefined) continue;
      if (answer?.kind === 'buffered') {
        hasBuffered = true;
        parts.push(before + form.resultHead(id), ...answer.parts, form.resultEnd(id));
      } else {
        const element = answerTo(message, verdict, answer, target, refusalContent);
        if (element === undefined) continue;
        elements.push(element);
        parts.push(bytesOf(element, before));
      }
      before = ',';
    }
    if (parts.length === 0) return silent;
    if (!hasBuffered) return { kind: 'answer', body: new BatchContent(elements), isOnce };
    isTaken = true;
    return { kind: 'large', body: new BufferedBody(answers.buffers, [...parts, ']']) };
  } finally {
    if (!isTaken) answers.release();
  }
}

/** Calls the node. The receiver of a buffered answer must release it. */
async function askNode(
  calls: readonly Call[],
  repeatable: boolean,
  target: RpcTarget,
  caller: NodeCaller,
  leftOut: ReadonlySet<string> | undefined,
): Promise<Asked | { readonly refused: RpcReply }> {
  const reply = await target.port.sendBatch({ questions: calls, repeatable, caller, leftOut });
  if (!reply.ok) return { refused: nodeFailed(reply, repeatable) };
  const { answer } = reply;
  // Each call gets the error. All copies together may be as long as a single error.
  const answers =
    answer.kind === 'error'
      ? { ...answer, raw: rangeOf(shownError(answer.raw, target.hideSecrets, calls.length)) }
      : answer;
  return { answers, traced: reply, fromMemory: reply.fromMemory };
}

/** The answer to one message. Undefined for a notification, which is never answered. */
function answerTo(
  message: Call | InvalidMessage,
  verdict: Verdict | undefined,
  answer: TextAnswer | FailedElement | undefined,
  target: RpcTarget,
  refusalContent: RefusalContent,
): ByteContent | undefined {
  const { id, form } = message;
  if (id === undefined) return undefined;
  if (message.kind === 'invalid')
    return form.refusal(refusalContent('invalid-request', id, invalidData(message.detail)), id);
  if (verdict === 'denied') return form.refusal(refusalContent('message-denied', id), id);
  if (verdict !== 'forward') {
    const here = answeredHere(verdict, target);
    if (here !== undefined) return answerContent(form, id, here, target);
    const { reason, data } = blockedAs(verdict, message.method);
    return form.refusal(refusalContent(reason, id, data), id);
  }
  if (answer === undefined) return form.refusal(refusalContent('unanswered', id), id);
  if (answer.kind !== 'failed') return answerContent(form, id, answer, target);
  const data = JSON.stringify({ detail: failedDetail(answer, target.reads.has(message.method)) });
  return form.refusal(refusalContent('unanswered', id, data), id);
}

function answerAt(answers: ElementAnswers | NodeError, nth: number): TextAnswer | FailedElement | undefined {
  return 'answers' in answers ? answers.answers[nth] : answers;
}

function isNotification(message: Call | InvalidMessage): boolean {
  return message.kind === 'call' && message.id === undefined;
}
