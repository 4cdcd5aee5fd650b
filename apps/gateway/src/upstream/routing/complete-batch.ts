/** The elements of a batch that a node left open: those without an answer, and those whose error speaks of the node, are asked elsewhere (contract/retries#batches). */

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
  /** The most nodes that one batch is sent to. */
  readonly attempts: number;
  /** Milliseconds of the batch's time that are left. */
  readonly leftMs: () => number;
  /** Asks other nodes, as many at most as are left. */
  readonly ask: (batch: NodeBatch, attempts: number) => Promise<Reply>;
};

/** The places of the elements that another node may answer; undefined when there are none. */
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

/** The same batch, with what others answered in the open places; where no one did, with the last error. Only for batches that are repeatable. */
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
  // What is open because no one waits any more is no answer to others who asked the same.
  if (batch.caller?.request.signal.aborted === true) joined.abandon(places);
  return joined.reply();
}

function isAnswered(reply: Reply): reply is Answered {
  return reply.ok && reply.answer.kind !== 'error';
}

/** Owns what is held of all answers. */
class Joined {
  readonly #answers: Element[];
  /** The node of each answer. */
  readonly #nodeIds: string[];
  readonly #held: BufferedBatch[];
  #behind: BehindNodes | undefined;
  attempts: number;

  constructor(private readonly first: Answered) {
    this.#nodeIds = first.answer.answers.map(() => first.nodeId);
    this.#answers = [...first.answer.answers];
    this.#held = first.answer.kind === 'buffered' ? [first.answer] : [];
    this.attempts = first.attempts ?? 1;
    this.#behind = first.behind;
  }

  /** Puts the answers to the questions at `places`; returns the places that are still open. */
  take(places: readonly number[], reply: Answered): readonly number[] {
    const { answer, behind } = reply;
    // Each node is asked once.
    if (behind !== undefined) this.#behind = new Map([...(this.#behind ?? []), ...behind]);
    if (answer.kind === 'buffered') this.#held.push(answer);
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
    const held = this.#held;
    const answers = this.#answers;
    if (held.length === 0) {
      const texts = answers.map((each) => (each?.kind === 'buffered' ? undefined : each));
      return { ...first, answer: { kind: 'batch', answers: texts } };
    }
    const release = () => {
      for (const each of held) each.release();
    };
    return { ...first, answer: { kind: 'buffered', buffers: held.flatMap((each) => each.buffers), answers, release } };
  }
}
