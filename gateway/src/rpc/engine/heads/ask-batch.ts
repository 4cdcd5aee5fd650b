/** The same for batches: calls for the head are answered from memory, and those whose answers are from before what was told are asked again, one by one. */

import type {
  BatchAnswer,
  CallPort,
  NodeAnswer,
  NodeBatch,
  NodeReply,
  TextAnswer,
} from '../../../ledgers/node-port.ts';
import { nodeOf } from '../answered-by.ts';
import { JoinedAnswers } from '../joined-answers.ts';
import { batchOf } from '../split-batch.ts';
import { type AlignParts, type AskOne, alignBatch, askEach, isBehindTold, isOfSeveral } from './align-batch.ts';
import { endOf, within } from './call-time.ts';
import { isHeadQuestion } from './head-question.ts';
import { type Judged, judgeAnswer, type LateNodes, lateNodes } from './judge-answer.ts';
import { leastHeight, type NeededHeight, neededHeight } from './needed-height.ts';
import { shownFormOf } from './shown-heights.ts';

export type AskBatchParts = AlignParts;

type Reply = NodeReply<BatchAnswer>;
/** The answer to calls for the head; undefined when it is not known here. */
export type HeadReply = Extract<NodeReply<NodeAnswer>, { ok: true }> & { readonly answer: TextAnswer };

/** `head`: the answer to calls for the head as it is known when the others have been answered; absent when nodes are asked for it. */
export function askBatch(
  parts: AskBatchParts,
  port: CallPort,
  askOne: AskOne,
  batch: NodeBatch,
  head?: () => HeadReply | undefined,
): Reply | Promise<Reply> {
  const { questions } = batch;
  const places: number[] = [];
  const known = head?.();
  if (known !== undefined)
    for (const [nth, question] of questions.entries()) if (!isHeadQuestion(question)) places.push(nth);
  if (known !== undefined && places.length === 0)
    return { ...known, answer: { kind: 'batch', answers: new Array<TextAnswer>(questions.length).fill(known.answer) } };
  const rest = known === undefined ? batch : batchOf(batch, places, parts.reads);
  const told = parts.heads.toldHeight();
  const needed: NeededHeight[] = [];
  let least = rest.fromHeight ?? -1;
  for (const question of rest.questions) {
    const each = neededHeight(parts.family, question);
    needed.push(each);
    least = Math.max(least, leastHeight(each, told));
  }
  const endMs = endOf(parts, batch);
  const late = least < 0 ? undefined : lateNodes(parts, least);
  const sent = port.sendBatch(least < 0 ? rest : { ...rest, fromHeight: least });
  const finish = (reply: Reply): Reply | Promise<Reply> => {
    const doubtful = doubtfulOf(parts, rest, needed, reply, late);
    if (known === undefined && doubtful.length === 0 && !isOfSeveral(reply)) return reply;
    const joined = new JoinedAnswers(questions.length, { budget: parts.budget, userId: batch.caller?.userId });
    const placeOf = (nth: number) => (known === undefined ? nth : (places[nth] ?? nth));
    joined.putBatch(
      rest.questions.map((_, nth) => placeOf(nth)),
      reply,
    );
    const done = () => {
      // Asked last: the other elements may have shown a higher head than the one that was known before.
      const now = head?.() ?? known;
      if (now !== undefined)
        for (const [nth, question] of questions.entries()) if (isHeadQuestion(question)) joined.put(nth, now);
      const all = joined.reply();
      return isOfSeveral(all) ? alignBatch(parts, askOne, batch, all, endMs) : all;
    };
    if (doubtful.length === 0) return done();
    const put = (nth: number, answer: NodeReply<NodeAnswer>) => joined.put(placeOf(nth), answer);
    return askSome(parts, askOne, rest, doubtful, put, endMs).then(done);
  };
  return sent instanceof Promise ? sent.then(finish) : finish(sent);
}

type Doubtful = { readonly nth: number; readonly verdict: Judged | Promise<Judged> };

/** Elements whose answers are from before what was told, or may be, each judged by its own node. Those that cannot be asked again are as they are. */
function doubtfulOf(
  parts: AskBatchParts,
  { questions }: NodeBatch,
  needed: readonly NeededHeight[],
  reply: Reply,
  late: LateNodes | undefined,
): readonly Doubtful[] {
  if (!reply.ok || reply.answer.kind === 'error') return [];
  const { heads } = parts;
  const told = heads.toldHeight();
  let lastMethod = '';
  let showsNone = true;
  let nodeId = '';
  let isLate = false;
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
    const itsNode = nodeOf(reply, nth);
    if (itsNode !== nodeId) {
      nodeId = itsNode;
      isLate = isBehindTold(heads, nodeId, late);
    }
    // What shows no height, and names none, is judged by its node alone.
    if (showsNone && need.height < 0 && !isLate) continue;
    const verdict = judgeAnswer(parts, question, need, nodeId, answer, late);
    if (verdict !== 'good' && parts.reads.has(question.method)) found.push({ nth, verdict });
    // It may have shown a head.
    isLate = isBehindTold(heads, nodeId, late);
  }
  return found;
}

/** Asks those that are not good after all. */
async function askSome(
  parts: AskBatchParts,
  askOne: AskOne,
  batch: NodeBatch,
  doubtful: readonly Doubtful[],
  put: (nth: number, reply: NodeReply<NodeAnswer>) => void,
  endMs: number,
): Promise<void> {
  const verdicts = await Promise.all(
    doubtful.map(({ verdict }) => (verdict instanceof Promise ? within(parts, endMs, verdict, 'wrong') : verdict)),
  );
  const places = doubtful.flatMap(({ nth }, at) => (verdicts[at] === 'good' ? [] : [nth]));
  await askEach(parts, askOne, batch, places, put, endMs);
}
