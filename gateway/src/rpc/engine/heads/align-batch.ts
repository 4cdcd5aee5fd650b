/** Makes the answers of several nodes in one batch fit each other: none is from before a block that another one shows (contract/heads#who-answered). */

import type { LedgerFamily } from '../../../ledgers/families/ledger-family.ts';
import type { BatchAnswer, CallPort, NodeAnswer, NodeBatch, NodeCall, NodeReply } from '../../../ledgers/node-port.ts';
import type { ByteBudget } from '../../../platform/bytes/byte-budget.ts';
import { nodeOf } from '../answered-by.ts';
import { JoinedAnswers } from '../joined-answers.ts';
import type { TimeParts } from './call-time.ts';
import { type JudgeParts, type LateNodes, shownIn } from './judge-answer.ts';
import { neededHeight } from './needed-height.ts';
import { shownFormOf } from './shown-heights.ts';

export type AlignParts = JudgeParts &
  TimeParts & {
    readonly family: Pick<LedgerFamily, 'blocks'>;
    /** What long answers are charged to. */
    readonly budget: ByteBudget;
    /** The methods whose calls may be repeated. */
    readonly reads: ReadonlySet<string>;
  };

export type AskOne = (call: NodeCall) => ReturnType<CallPort['send']>;
type Reply = NodeReply<BatchAnswer>;

const tooLate = { ok: false, failure: 'not-reached', mayHaveArrived: true, attempts: 0 } as const;
/** Each round, answers may show a head that is higher still. */
const maxRounds = 3;
/** Asked at a time. */
const maxAtOnce = 16;

export function isOfSeveral(reply: Reply): boolean {
  return reply.ok && reply.nodeIds !== undefined;
}

/** `askOne`: its answers are judged by what was told. `endMs`: the end of the batch's time. */
export async function alignBatch(
  parts: AlignParts,
  askOne: AskOne,
  batch: NodeBatch,
  first: Reply,
  endMs: number,
): Promise<Reply> {
  let reply = first;
  for (let round = 0; round < maxRounds; round++) {
    const late = lateIn(parts, batch, reply);
    if (late.length === 0) break;
    const joined = new JoinedAnswers(batch.questions.length, { budget: parts.budget, userId: batch.caller?.userId });
    joined.putBatch([...batch.questions.keys()], reply);
    await askEach(parts, askOne, batch, late, (nth, answer) => joined.put(nth, answer), endMs);
    reply = joined.reply();
  }
  return reply;
}

/** Asks each of these questions by itself; one for which no time is left has no answer. They must be reads. */
export async function askEach(
  { clock }: TimeParts,
  askOne: AskOne,
  { questions, ...terms }: NodeBatch,
  places: readonly number[],
  put: (nth: number, reply: NodeReply<NodeAnswer>) => void,
  endMs: number,
): Promise<void> {
  let next = 0;
  const ask = async () => {
    for (let nth = places[next++]; nth !== undefined; nth = places[next++]) {
      const question = questions[nth];
      if (question === undefined) continue;
      const { method, params } = question;
      const timeoutMs = endMs - clock.monotonic();
      put(nth, timeoutMs <= 0 ? tooLate : await askOne({ ...terms, method, params, repeatable: true, timeoutMs }));
    }
  };
  await Promise.all(Array.from({ length: Math.min(maxAtOnce, places.length) }, ask));
}

/** The places of reads about the newest block whose answers are from before what was told. */
function lateIn({ heads, family, reads }: AlignParts, { questions }: NodeBatch, reply: Reply): readonly number[] {
  if (!reply.ok || reply.answer.kind === 'error' || reply.nodeIds === undefined) return [];
  const told = heads.toldHeight() ?? -1;
  const { answers } = reply.answer;
  const late: number[] = [];
  for (const [nth, question] of questions.entries()) {
    const answer = answers[nth];
    if (answer === undefined || answer.kind === 'failed' || !reads.has(question.method)) continue;
    const { of } = neededHeight(family, question);
    if (of === 'none') continue;
    const form = of === 'newest' ? shownFormOf(question.method) : undefined;
    const shown = form === undefined ? undefined : shownIn(form, answer);
    if (shown === undefined ? isBehindTold(heads, nodeOf(reply, nth)) : shown < told) late.push(nth);
  }
  return late;
}

/** Whether an operator's node is known to lack what callers were told, or was when its call left. */
export function isBehindTold({ heightOf, toldHeight }: JudgeParts['heads'], nodeId: string, late?: LateNodes): boolean {
  return (late?.get(nodeId) ?? heightOf(nodeId) ?? Number.POSITIVE_INFINITY) < (toldHeight() ?? -1);
}
