/** Makes the answers of one batch consistent, regardless of the nodes and caches that gave them: no answer about the newest block is older than a block in another answer (contract/heads#who-answered). Wraps everything that joins batches. */

import type {
  BatchAnswer,
  BufferedElement,
  CallPort,
  NodeBatch,
  NodeQuestion,
  NodeReply,
  TextAnswer,
} from '../../../upstream/port/node-port.ts';
import { JoinedAnswers } from '../joined-answers.ts';
import { batchOf } from '../split-batch.ts';
import type { AskBatchDeps } from './ask-batch.ts';
import { endOf } from './call-time.ts';
import { shownIn } from './evaluate-answer.ts';
import { headReply, isHeadQuestion } from './head-question.ts';
import { type NeededHeight, neededHeight } from './needed-height.ts';
import { shownFormOf } from './shown-heights.ts';

type Reply = NodeReply<BatchAnswer>;

/** Rounds of repeated calls: the answers of each round may show an even newer block. */
const maxRounds = 3;

/** No time is left for a consistent answer. */
const notReached = { ok: false, failure: 'not-reached', maybeDelivered: true, attempts: 0 } as const;

export function alignBatches(deps: AskBatchDeps, port: CallPort): CallPort {
  return {
    send: port.send,
    sendBatch(batch) {
      if (batch.questions.length < 2 || batch.onlyNode !== undefined) return port.sendBatch(batch);
      // No answer is older than the head that was reported when the batch arrived.
      const reported = deps.heads.reportedHeight() ?? -1;
      const endMs = endOf(deps, batch);
      const sent = port.sendBatch(batch);
      const after = (reply: Reply) => aligned(deps, port, batch, reply, { reported, endMs });
      return sent instanceof Promise ? sent.then(after) : after(sent);
    },
  };
}

type Departure = { readonly reported: number; readonly endMs: number };

function aligned(
  deps: AskBatchDeps,
  port: CallPort,
  batch: NodeBatch,
  reply: Reply,
  { reported, endMs }: Departure,
): Reply | Promise<Reply> {
  // A block in an answer counts as reported from now on.
  if ((deps.heads.reportedHeight() ?? -1) <= reported) return reply;
  const min = new Array<number>(batch.questions.length).fill(reported);
  const view = viewOf(deps, batch, reply, min);
  return view.behind.length === 0 && view.heads.length === 0
    ? reply
    : askBehind(deps, port, batch, reply, min, view, endMs);
}

async function askBehind(
  deps: AskBatchDeps,
  port: CallPort,
  batch: NodeBatch,
  first: Reply,
  min: number[],
  firstView: BatchView,
  endMs: number,
): Promise<Reply> {
  const { heads, budget, clock, reads } = deps;
  const joined = () => new JoinedAnswers(batch.questions.length, { budget, userId: batch.caller?.userId });
  const all = [...batch.questions.keys()];
  let reply = first;
  let view = firstView;
  for (let round = 0; round < maxRounds && view.behind.length > 0; round++) {
    const timeoutMs = endMs - clock.monotonic();
    if (timeoutMs <= 0) break;
    const reported = heads.reportedHeight() ?? -1;
    // Two answers that show blocks could overtake each other: from the second round on, one batch asks for both.
    const places = round === 0 ? view.behind : view.newest;
    const next = joined();
    next.putBatch(all, reply);
    next.putBatch(places, await port.sendBatch({ ...batchOf(batch, places, reads), timeoutMs }));
    for (const nth of places) min[nth] = reported;
    reply = next.reply();
    view = viewOf(deps, batch, reply, min);
  }
  if (view.heads.length === 0 && view.behind.length === 0) return reply;
  const last = joined();
  last.putBatch(all, reply);
  for (const nth of view.behind) last.put(nth, notReached);
  for (const nth of view.heads) last.put(nth, headReply(view.highest, ''));
  return last.reply();
}

type BatchView = {
  /** The newest block that an answer shows; -1 for none. */
  readonly highest: number;
  /** The places of reads about the newest block, and of those whose answers are older than `highest`. */
  readonly newest: readonly number[];
  readonly behind: readonly number[];
  /** The places of calls for the head whose answers are below `highest`. */
  readonly heads: readonly number[];
};

/** `least`: the lowest block that each answer may be from. */
function viewOf(
  { family, reads, heads }: AskBatchDeps,
  { questions }: NodeBatch,
  reply: Reply,
  min: readonly number[],
): BatchView {
  const all: { readonly nth: number; readonly from: number; readonly isHead: boolean }[] = [];
  let highest = -1;
  const reported = heads.reportedHeight() ?? -1;
  const answers = reply.ok && reply.answer.kind !== 'error' ? reply.answer.answers : [];
  for (const [nth, question] of questions.entries()) {
    const answer = answers[nth];
    if (answer === undefined || answer.kind === 'failed') continue;
    const needed = neededHeight(family, question);
    const shown = answer.kind === 'error' ? undefined : shownBy(question, needed, answer, reported);
    // The block after the newest is not on the chain yet.
    if (needed.of !== 'pending') highest = Math.max(highest, shown ?? -1);
    if (needed.of === 'none' || !reads.has(question.method)) continue;
    const from = (needed.of === 'newest' ? shown : undefined) ?? min[nth] ?? -1;
    all.push({ nth, from, isHead: isHeadQuestion(question) && answer.kind !== 'error' });
  }
  const placesOf = (some: typeof all) => some.map(({ nth }) => nth);
  const newest = all.filter(({ isHead }) => !isHead);
  return {
    highest,
    newest: placesOf(newest),
    behind: placesOf(newest.filter(({ from }) => from < highest)),
    heads: placesOf(all.filter(({ isHead, from }) => isHead && from < highest)),
  };
}

/** The newest block that the answer shows, or that the question names. The end of a range counts if it was reported. */
function shownBy(
  { method }: NodeQuestion,
  { of, height, isRange }: NeededHeight,
  answer: TextAnswer | BufferedElement,
  reported: number,
): number | undefined {
  const form = shownFormOf(method);
  const shown = form === undefined ? undefined : shownIn(form, answer);
  if (of !== 'none' || (form !== undefined && isRange !== true)) return shown;
  return Math.max(shown ?? -1, isRange === true ? Math.min(height, reported) : height);
}
