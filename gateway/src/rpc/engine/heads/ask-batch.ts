/** The same for batches: calls for the head are answered from memory, and those whose answers are from before what was told are asked again, one by one. */

import type { LedgerFamily } from '../../../ledgers/families/ledger-family.ts';
import type {
  BatchAnswer,
  CallPort,
  NodeAnswer,
  NodeBatch,
  NodeCall,
  NodeReply,
  TextAnswer,
} from '../../../ledgers/node-port.ts';
import type { ByteBudget } from '../../../platform/bytes/byte-budget.ts';
import { JoinedAnswers } from '../joined-answers.ts';
import { batchOf } from '../split-batch.ts';
import { isHeadQuestion } from './head-question.ts';
import { type Judged, type JudgeParts, judgeAnswer } from './judge-answer.ts';
import { leastHeight, type NeededHeight, neededHeight } from './needed-height.ts';
import { shownFormOf } from './shown-heights.ts';

export type AskBatchParts = JudgeParts & {
  readonly family: Pick<LedgerFamily, 'blocks'>;
  /** What long answers are charged to. */
  readonly budget: ByteBudget;
  /** The methods whose calls may be repeated. */
  readonly reads: ReadonlySet<string>;
};

type Reply = NodeReply<BatchAnswer>;
type AskOne = (call: NodeCall) => ReturnType<CallPort['send']>;
/** The answer to calls for the head; undefined when it is not known here. */
export type HeadReply = Extract<NodeReply<NodeAnswer>, { ok: true }> & { readonly answer: TextAnswer };

/** Asked again at a time. */
const mostAtOnce = 16;

export function askBatch(
  parts: AskBatchParts,
  port: CallPort,
  askOne: AskOne,
  batch: NodeBatch,
  head: HeadReply | undefined,
): Reply | Promise<Reply> {
  const { questions } = batch;
  const places: number[] = [];
  if (head !== undefined)
    for (const [nth, question] of questions.entries()) if (!isHeadQuestion(question)) places.push(nth);
  if (head !== undefined && places.length === 0)
    return { ...head, answer: { kind: 'batch', answers: new Array<TextAnswer>(questions.length).fill(head.answer) } };
  const rest = head === undefined ? batch : batchOf(batch, places, parts.reads);
  const told = parts.heads.toldHeight();
  const needed: NeededHeight[] = [];
  let least = -1;
  for (const question of rest.questions) {
    const each = neededHeight(parts.family, question);
    needed.push(each);
    least = Math.max(least, leastHeight(each, told));
  }
  const sent = port.sendBatch(least < 0 ? rest : { ...rest, fromHeight: Math.max(least, rest.fromHeight ?? -1) });
  const finish = (reply: Reply): Reply | Promise<Reply> => {
    const doubtful = doubtfulOf(parts, rest, needed, reply);
    if (doubtful.length === 0 && head === undefined) return reply;
    const joined = new JoinedAnswers(questions.length, { budget: parts.budget, userId: batch.caller?.userId });
    const placeOf = (nth: number) => (head === undefined ? nth : (places[nth] ?? nth));
    joined.putBatch(
      rest.questions.map((_, nth) => placeOf(nth)),
      reply,
    );
    if (head !== undefined)
      for (const [nth, question] of questions.entries()) if (isHeadQuestion(question)) joined.put(nth, head);
    if (doubtful.length === 0) return joined.reply();
    return askSome(askOne, rest, doubtful, (nth, answer) => joined.put(placeOf(nth), answer)).then(() =>
      joined.reply(),
    );
  };
  return sent instanceof Promise ? sent.then(finish) : finish(sent);
}

type Doubtful = { readonly nth: number; readonly verdict: Judged | Promise<Judged> };

/** Elements whose answers are from before what was told, or may be. Those that cannot be asked again are as they are. */
function doubtfulOf(
  parts: AskBatchParts,
  { questions }: NodeBatch,
  needed: readonly NeededHeight[],
  reply: Reply,
): readonly Doubtful[] {
  if (!reply.ok || reply.answer.kind === 'error') return [];
  const { heads } = parts;
  const told = heads.toldHeight();
  let isLate = isBehindTold(heads, reply.nodeId);
  let lastMethod = '';
  let showsNone = true;
  const found: Doubtful[] = [];
  const { answers } = reply.answer;
  for (let nth = 0; nth < questions.length; nth++) {
    const question = questions[nth];
    const need = needed[nth];
    const answer = answers[nth];
    if (question === undefined || need === undefined || answer === undefined || answer.kind === 'failed') continue;
    if (question.method !== lastMethod) {
      lastMethod = question.method;
      showsNone = shownFormOf(lastMethod) === undefined;
    }
    if (showsNone && need.height <= (told ?? -1) && (need.of === 'none' || told === undefined)) continue;
    // What shows no height, and names none, is judged by its node alone.
    if (showsNone && need.height < 0 && !isLate) continue;
    const verdict = judgeAnswer(parts, question, need, reply.nodeId, answer);
    if (verdict !== 'good' && parts.reads.has(question.method)) found.push({ nth, verdict });
    // It may have shown a head.
    isLate = isBehindTold(heads, reply.nodeId);
  }
  return found;
}

function isBehindTold({ heightOf, toldHeight }: AskBatchParts['heads'], nodeId: string): boolean {
  return (heightOf(nodeId) ?? Number.POSITIVE_INFINITY) < (toldHeight() ?? -1);
}

async function askSome(
  askOne: AskOne,
  batch: NodeBatch,
  doubtful: readonly Doubtful[],
  put: (nth: number, reply: NodeReply<NodeAnswer>) => void,
): Promise<void> {
  const { questions, ...terms } = batch;
  let next = 0;
  const ask = async () => {
    for (let one = doubtful[next++]; one !== undefined; one = doubtful[next++]) {
      const question = questions[one.nth];
      if (question === undefined || (await one.verdict) === 'good') continue;
      const { method, params } = question;
      put(one.nth, await askOne({ ...terms, method, params, repeatable: true }));
    }
  };
  await Promise.all(Array.from({ length: Math.min(mostAtOnce, doubtful.length) }, ask));
}
