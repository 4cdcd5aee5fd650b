/** Sends some calls of a batch on their own. The rest stays one batch, and the answers are in the order of the questions. */

import type { Clock } from '@flowgate/base/clock';
import type { ByteBudget } from '@flowgate/bytes/byte-budget';
import type {
  BatchAnswer,
  CallPort,
  NodeAnswer,
  NodeBatch,
  NodeCall,
  NodeQuestion,
  NodeReply,
} from '../../upstream/port/node-port.ts';
import { JoinedAnswers } from './joined-answers.ts';

export type BatchSplitterDeps = {
  readonly clock: Pick<Clock, 'monotonic'>;
  /** The budget that long answers are charged to. */
  readonly budget: ByteBudget;
  /** Milliseconds for a batch without a time limit of its own. */
  readonly timeoutMs: number;
  /** The methods whose calls may be repeated. */
  readonly reads: ReadonlySet<string>;
};

export type BatchDeps = {
  /** Whether this question is sent on its own. Must be cheap: it is evaluated for every question of every batch. */
  readonly takes: (question: NodeQuestion, nth: number) => boolean;
  /** Sends such a question; `nth` is its index in the batch. */
  readonly single: (call: NodeCall, nth: number) => ReturnType<CallPort['send']>;
  /** Sends the other questions together. */
  readonly rest: CallPort['sendBatch'];
  /** Number of single calls in flight: 1 for calls that must arrive in order. By default 16. */
  readonly atOnce?: number;
};

/** The unchanged batch goes to `rest` when no question is taken out of it. */
export type SplitBatch = (batch: NodeBatch, deps: BatchDeps) => ReturnType<CallPort['sendBatch']>;

/** For one batch: a thousand calls at once would take the connections to the nodes from all other callers. */
const maxAtOnce = 16;

export function createBatchSplitter(deps: BatchSplitterDeps): SplitBatch {
  return (batch, by) => {
    const taken: number[] = [];
    const { questions } = batch;
    for (let nth = 0; nth < questions.length; nth++) {
      const question = questions[nth];
      if (question !== undefined && by.takes(question, nth)) taken.push(nth);
    }
    return taken.length === 0 ? by.rest(batch) : askInParts(deps, batch, taken, by);
  };
}

async function askInParts(
  { clock, budget, timeoutMs, reads }: BatchSplitterDeps,
  batch: NodeBatch,
  taken: readonly number[],
  { single, rest, atOnce = maxAtOnce }: BatchDeps,
): Promise<NodeReply<BatchAnswer>> {
  const { questions, ...terms } = batch;
  const joined = new JoinedAnswers(questions.length, { budget, userId: batch.caller?.userId });
  const endMs = clock.monotonic() + (batch.timeoutMs ?? timeoutMs);
  let next = 0;
  const askRest = async () => {
    const places = placesBut(taken, questions.length);
    if (places.length > 0) joined.putBatch(places, await rest(batchOf(batch, places, reads)));
  };
  const askSingles = async () => {
    for (let at = next++; at < taken.length; at = next++) {
      const nth = taken[at] ?? 0;
      const question = questions[nth];
      if (question === undefined) continue;
      const { method, params } = question;
      // The first calls have the time of the whole batch; only later ones have waited.
      const leftMs = at < atOnce ? batch.timeoutMs : endMs - clock.monotonic();
      const isOver = leftMs !== undefined && leftMs <= 0;
      const isLeft = batch.caller?.request.signal.aborted === true;
      const reply: NodeReply<NodeAnswer> =
        at >= atOnce && (isOver || isLeft)
          ? { ok: false, failure: isLeft ? 'abandoned' : 'timeout', maybeDelivered: false, attempts: 0 }
          : await single({ ...terms, method, params, repeatable: reads.has(method), timeoutMs: leftMs }, nth);
      joined.put(nth, reply);
    }
  };
  const restAsked = askRest();
  await Promise.all([restAsked, ...Array.from({ length: Math.min(atOnce, taken.length) }, askSingles)]);
  return joined.reply();
}

/** The numbers below `count` that are not in `taken`, which is in ascending order. */
function placesBut(taken: readonly number[], count: number): number[] {
  const places: number[] = [];
  let at = 0;
  for (let nth = 0; nth < count; nth++)
    if (taken[at] === nth) at++;
    else places.push(nth);
  return places;
}

/** The questions at these places, on the batch's terms. */
export function batchOf(batch: NodeBatch, places: readonly number[], reads: ReadonlySet<string>): NodeBatch {
  const questions = places.flatMap((place) => batch.questions[place] ?? []);
  return { ...batch, questions, repeatable: questions.every(({ method }) => reads.has(method)) };
}
