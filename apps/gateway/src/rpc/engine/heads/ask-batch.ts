/** `ask-again` for batches: calls for the head are answered from memory, and calls whose answers are older than the reported head are repeated one by one. */

import type { ByteBudget } from '@flowgate/bytes/byte-budget';
import type { LedgerFamily } from '@flowgate/chain/families/ledger-family';
import type {
  BatchAnswer,
  BehindNodes,
  CallPort,
  NodeAnswer,
  NodeBatch,
  NodeCall,
  NodeReply,
  TextAnswer,
} from '../../../upstream/port/node-port.ts';
import { nodeOf } from '../answered-by.ts';
import { JoinedAnswers } from '../joined-answers.ts';
import { batchOf } from '../split-batch.ts';
import { endOf, type TimeDeps, within } from './call-time.ts';
import { type EvaluateAnswerDeps, type Evaluated, evaluateAnswer } from './evaluate-answer.ts';
import { type HeadReply, isHeadQuestion } from './head-question.ts';
import { minHeight, type NeededHeight, neededHeight } from './needed-height.ts';
import { shownFormOf } from './shown-heights.ts';

export type AskBatchDeps = EvaluateAnswerDeps &
  TimeDeps & {
    readonly family: Pick<LedgerFamily, 'blocks'>;
    /** The budget that long answers are charged to. */
    readonly budget: ByteBudget;
    /** The methods whose calls may be repeated. */
    readonly reads: ReadonlySet<string>;
  };

export type AskOne = (call: NodeCall) => ReturnType<CallPort['send']>;

const tooLate = { ok: false, failure: 'not-reached', maybeDelivered: true, attempts: 0 } as const;
/** Calls in flight at a time. */
const maxAtOnce = 16;

type Reply = NodeReply<BatchAnswer>;
/** `known`: the answer to calls for the head; undefined when nodes must answer them. */
export function askBatch(
  deps: AskBatchDeps,
  port: CallPort,
  askOne: AskOne,
  batch: NodeBatch,
  known?: HeadReply,
): Reply | Promise<Reply> {
  const { questions } = batch;
  const places: number[] = [];
  if (known !== undefined)
    for (const [nth, question] of questions.entries()) if (!isHeadQuestion(question)) places.push(nth);
  if (known !== undefined && places.length === 0)
    return { ...known, answer: { kind: 'batch', answers: new Array<TextAnswer>(questions.length).fill(known.answer) } };
  const rest = known === undefined ? batch : batchOf(batch, places, deps.reads);
  const reported = deps.heads.reportedHeight();
  const needed: NeededHeight[] = [];
  let min = rest.fromHeight ?? -1;
  for (const question of rest.questions) {
    const each = neededHeight(deps.family, question);
    needed.push(each);
    min = Math.max(min, minHeight(each, reported));
  }
  const endMs = endOf(deps, batch);
  const sent = port.sendBatch(min < 0 ? rest : { ...rest, fromHeight: min });
  const finish = (reply: Reply): Reply | Promise<Reply> => {
    const doubtful = doubtfulOf(deps, rest, needed, reply);
    if (known === undefined && doubtful.length === 0 && !(reply.ok && reply.nodeIds !== undefined)) return reply;
    const joined = new JoinedAnswers(questions.length, { budget: deps.budget, userId: batch.caller?.userId });
    const placeOf = (nth: number) => (known === undefined ? nth : (places[nth] ?? nth));
    joined.putBatch(
      rest.questions.map((_, nth) => placeOf(nth)),
      reply,
    );
    const done = () => {
      if (known !== undefined)
        for (const [nth, question] of questions.entries()) if (isHeadQuestion(question)) joined.put(nth, known);
      return joined.reply();
    };
    if (doubtful.length === 0) return done();
    const put = (nth: number, answer: NodeReply<NodeAnswer>) => joined.put(placeOf(nth), answer);
    return askSome(deps, askOne, rest, doubtful, put, endMs).then(done);
  };
  return sent instanceof Promise ? sent.then(finish) : finish(sent);
}

type Doubtful = { readonly nth: number; readonly verdict: Evaluated | Promise<Evaluated> };

/** Elements whose answers are, or may be, older than the reported head. Each is evaluated for its own node. Elements that cannot be repeated are unchanged. */
function doubtfulOf(
  deps: AskBatchDeps,
  { questions }: NodeBatch,
  needed: readonly NeededHeight[],
  reply: Reply,
): readonly Doubtful[] {
  if (!reply.ok || reply.answer.kind === 'error') return [];
  const { heads } = deps;
  const reported = heads.reportedHeight();
  let lastMethod = '';
  let showsNone = true;
  let nodeId = '';
  let isBehind = false;
  const found: Doubtful[] = [];
  const {
    behind,
    answer: { answers },
  } = reply;
  for (let nth = 0; nth < questions.length; nth++) {
    const question = questions[nth];
    const need = needed[nth];
    const answer = answers[nth];
    if (question === undefined || need === undefined || answer === undefined || answer.kind === 'failed') continue;
    if (question.method !== lastMethod) {
      lastMethod = question.method;
      showsNone = shownFormOf(lastMethod) === undefined;
    }
    if (showsNone && need.height <= (reported ?? -1) && (need.of === 'none' || reported === undefined)) continue;
    const itsNode = nodeOf(reply, nth);
    if (itsNode !== nodeId) {
      nodeId = itsNode;
      isBehind = isBehindReported(heads, nodeId, behind);
    }
    // An answer without a height, to a question without one, is evaluated by its node alone.
    if (showsNone && need.height < 0 && !isBehind) continue;
    const verdict = evaluateAnswer(deps, question, need, nodeId, answer, behind);
    if (verdict !== 'good' && deps.reads.has(question.method)) found.push({ nth, verdict });
    // The answer may have shown a head.
    isBehind = isBehindReported(heads, nodeId, behind);
  }
  return found;
}

/** Repeats the calls whose answers are not `good`. */
async function askSome(
  deps: AskBatchDeps,
  askOne: AskOne,
  batch: NodeBatch,
  doubtful: readonly Doubtful[],
  put: (nth: number, reply: NodeReply<NodeAnswer>) => void,
  endMs: number,
): Promise<void> {
  const verdicts = await Promise.all(
    doubtful.map(({ verdict }) => (verdict instanceof Promise ? within(deps, endMs, verdict, 'wrong') : verdict)),
  );
  const places = doubtful.flatMap(({ nth }, at) => (verdicts[at] === 'good' ? [] : [nth]));
  await askEach(deps, askOne, batch, places, put, endMs);
}

/** Sends each of these questions as a call of its own. The questions must be reads. Without time left there is no answer. */
export async function askEach(
  { clock }: TimeDeps,
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

/** Whether an operator's node is known to lack the reported head, or lacked it when the call was sent. */
function isBehindReported(
  { heightOf, reportedHeight }: EvaluateAnswerDeps['heads'],
  nodeId: string,
  behind: BehindNodes | undefined,
): boolean {
  return (behind?.get(nodeId) ?? heightOf(nodeId) ?? Number.POSITIVE_INFINITY) < (reportedHeight() ?? -1);
}
