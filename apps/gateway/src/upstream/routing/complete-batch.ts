/** Sends the open elements of a batch to other nodes: those without an answer, and those with an error about the node (contract/retries#batches). */

import type {
  BatchAnswer,
  BehindNodes,
  BufferedBatch,
  ElementAnswers,
  NodeBatch,
  NodeReply,
} from '../port/node-port.ts';
import { errorFault } from '../response/error-faults.ts';

type Reply = NodeReply<BatchAnswer>;
type Answered = Extract<Reply, { ok: true }> & { readonly answer: ElementAnswers | BufferedBatch };
type Element = BufferedBatch['answers'][number];

export type CompletionDeps = {
  /** Maximum number of nodes for one batch. */
  readonly attempts: number;
  /** Milliseconds left for the batch. */
  readonly leftMs: () => number;
  /** Asks up to `attempts` other nodes. */
  readonly ask: (batch: NodeBatch, attempts: number) => Promise<Reply>;
};

/** The places of elements that another node may answer; undefined if there are none. */
export function openPlaces(reply: Reply): readonly number[] | undefined {
  if (!reply.ok || reply.answer.kind === 'error') return undefined;
  let places: number[] | undefined;
  const { answers } = reply.answer;
  for (let at = 0; at < answers.length; at++) {
    const answer = answers[at];
    if (answer !== undefined && (answer.kind !== 'error' || errorFault(answer.raw) === undefined)) continue;
    places ??= [];
    places.push(at);
  }
  return places;
}

/** The batch with other nodes' answers in its open places. A place without any answer has the last error. Only for repeatable batches. */
export async function completeBatch(batch: NodeBatch, first: Reply, deps: CompletionDeps): Promise<Reply> {
  let places = openPlaces(first) ?? [];
  if (!isAnswered(first)) return first;
  const joined = new Joined(first);
  const asked = new Set([...(batch.leftOut ?? []), first.nodeId]);
  while (places.length > 0 && joined.attempts < deps.attempts && batch.caller?.request.signal.aborted !== true) {
    const timeoutMs = deps.leftMs();
    if (timeoutMs <= 0) break;
    const questions = places.flatMap((place) => batch.questions[place] ?? []);
    const next = await deps.ask(
      { ...batch, questions, leftOut: new Set(asked), timeoutMs },
      deps.attempts - joined.attempts,
    );
    joined.attempts += next.attempts ?? 1;
    if (!isAnswered(next)) break;
    asked.add(next.nodeId);
    places = joined.take(places, next);
  }
  // Elements stay open if the caller has left; followers of the same call must not receive them as answers.
  if (batch.caller?.request.signal.aborted === true) joined.abandon(places);
  return joined.reply();
}

function isAnswered(reply: Reply): reply is Answered {
  return reply.ok && reply.answer.kind !== 'error';
}

/** Owns the buffers of all answers. */
class Joined {
  readonly #answers: Element[];
  /** The node of each answer. */
  readonly #nodeIds: string[];
  readonly #buffered: BufferedBatch[];
  #behind: BehindNodes | undefined;
  attempts: number;

  constructor(private readonly first: Answered) {
    this.#nodeIds = first.answer.answers.map(() => first.nodeId);
    this.#answers = [...first.answer.answers];
    this.#buffered = first.answer.kind === 'buffered' ? [first.answer] : [];
    this.attempts = first.attempts ?? 1;
    this.#behind = first.behind;
  }

  /** Stores the answers to the questions at `places`. Returns the places that are still open. */
  take(places: readonly number[], reply: Answered): readonly number[] {
    const { answer, behind } = reply;
    // Each node is asked once, so entries never overlap.
    if (behind !== undefined) this.#behind = new Map([...(this.#behind ?? []), ...behind]);
    if (answer.kind === 'buffered') this.#buffered.push(answer);
    for (const [nth, place] of places.entries()) {
      const given = answer.answers[nth];
      if (given === undefined) continue;
      this.#answers[place] = given;
      this.#nodeIds[place] = reply.nodeId;
    }
    return openPlaces(reply)?.flatMap((nth) => places[nth] ?? []) ?? [];
  }

  abandon(places: readonly number[]): void {
    for (const place of places) this.#answers[place] = { kind: 'failed', failure: 'abandoned', maybeDelivered: true };
  }

  reply(): Reply {
    const { attempts } = this;
    const nodeIds = this.#nodeIds;
    const [nodeId = this.first.nodeId, ...others] = new Set(nodeIds);
    const isOfOne = others.length === 0;
    const by = isOfOne ? { nodeId } : { nodeId: '', nodeIds, sources: [nodeId, ...others] };
    const first = { ...this.first, ...by, attempts, behind: this.#behind };
    const buffered = this.#buffered;
    const answers = this.#answers;
    if (buffered.length === 0) {
      const texts = answers.map((each) => (each?.kind === 'buffered' ? undefined : each));
      return { ...first, answer: { kind: 'batch', answers: texts } };
    }
    const release = () => {
      for (const each of buffered) each.release();
    };
    return {
      ...first,
      answer: { kind: 'buffered', buffers: buffered.flatMap((each) => each.buffers), answers, release },
    };
  }
}
