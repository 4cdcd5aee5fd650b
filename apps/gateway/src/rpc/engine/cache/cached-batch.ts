/** A batch whose questions are answered from memory or by in-flight calls. One batch with the remaining questions goes to a node (contract/cache#batches). */

import type {
  BatchAnswer,
  CallPort,
  NodeAnswer,
  NodeBatch,
  NodeCall,
  NodeQuestion,
  NodeReply,
} from '../../../upstream/port/node-port.ts';
import { nodeOf } from '../answered-by.ts';
import { JoinedAnswers } from '../joined-answers.ts';
import { batchOf } from '../split-batch.ts';
import type { AnswerCache } from './answer-cache.ts';
import type { Departure, Follow, InFlightCall } from './in-flight-calls.ts';

/** Bytes of params that are canonicalized in one turn of the event loop. Answers to later questions of the batch are neither cached nor shared. */
const maxLookedAt = 262_144;
/** After this many new questions in a row, only every fourth is looked up, until one is found. A batch of a hundred new questions then costs little more than without a cache. */
const maxNewInRow = 16;
const stride = 4;

type Waiting = { readonly place: number; readonly inFlightCall: InFlightCall };

export class CachedBatch {
  readonly #found: (NodeReply<NodeAnswer> | undefined)[] = [];
  readonly #waiting: Waiting[] = [];
  readonly #begun: InFlightCall[] = [];
  readonly #rest: number[] = [];
  #hasFound = false;
  #departure: Departure | undefined;

  constructor(
    private readonly cache: AnswerCache,
    private readonly port: CallPort,
    private readonly batch: NodeBatch,
    private readonly follow: Follow,
  ) {}

  send(): ReturnType<CallPort['sendBatch']> {
    const { batch, port } = this;
    if (batch.onlyNode !== undefined || batch.fromHeight !== undefined) return port.sendBatch(batch);
    this.#sort();
    if (!this.#hasFound && this.#waiting.length === 0) return this.#sendRest(batch);
    if (this.#rest.length === 0 && this.#waiting.length === 0) return this.#joined().reply();
    return this.#sendParts();
  }

  /** Decides for each question how it is answered. */
  #sort(): void {
    const { batch, cache } = this;
    let looked = 0;
    let newInRow = 0;
    for (let place = 0; place < batch.questions.length; place++) {
      const question = batch.questions[place];
      if (question === undefined) continue;
      if (newInRow >= maxNewInRow && place % stride !== 0) {
        this.#rest.push(place);
        continue;
      }
      looked += question.params?.length ?? 0;
      if (looked > maxLookedAt || !cache.look(question)) {
        this.#rest.push(place);
        continue;
      }
      const cached = cache.cached(batch);
      const inFlightCall = cached === undefined ? cache.shareable(batch) : undefined;
      if (cached === undefined && inFlightCall === undefined) {
        newInRow++;
        this.#begin(question, place);
        continue;
      }
      newInRow = 0;
      if (inFlightCall !== undefined) this.#waiting.push({ place, inFlightCall });
      this.#hasFound ||= cached !== undefined;
      this.#found[place] = cached;
    }
  }

  #begin(question: NodeQuestion, place: number): void {
    this.#departure ??= this.cache.departure();
    this.#begun.push(this.cache.begin(question, this.batch, this.#rest.length, this.#departure));
    this.#rest.push(place);
  }

  /** Sends the remaining questions. Followers get their answers one turn of the event loop later. */
  #sendRest(batch: NodeBatch): ReturnType<CallPort['sendBatch']> {
    const { caller } = batch;
    const sent = this.port.sendBatch(batch);
    const submits =
      caller !== undefined && !batch.repeatable && batch.questions.some(({ method }) => this.cache.submits(method));
    if (!(sent instanceof Promise)) {
      this.#end(sent);
      return sent;
    }
    for (const inFlightCall of this.#begun) inFlightCall.pendingBatch = sent;
    if (this.#begun.length === 0 && !submits) return sent;
    return sent.then((reply) => {
      this.#end(reply);
      if (submits && reply.ok) this.cache.noteSubmission(caller.userId);
      return reply;
    });
  }

  #end(reply: NodeReply<BatchAnswer>): void {
    for (const inFlightCall of this.#begun) this.cache.end(inFlightCall, elementOf(reply, inFlightCall.place));
  }

  async #sendParts(): Promise<NodeReply<BatchAnswer>> {
    const { batch, cache } = this;
    const rest = this.#rest.length === 0 ? undefined : this.#sendRest(batchOf(batch, this.#rest, cache.reads));
    const joined = this.#joined();
    const { questions, ...terms } = batch;
    const waiting = this.#waiting.map(async ({ place, inFlightCall }) => {
      const question = questions[place];
      if (question === undefined) return;
      const { method, params } = question;
      const call: NodeCall = { ...terms, method, params, repeatable: true };
      joined.put(place, await this.follow(inFlightCall, call));
    });
    const all = rest === undefined ? waiting : [...waiting, this.#putRest(joined, rest)];
    await Promise.all(all);
    return joined.reply();
  }

  async #putRest(joined: JoinedAnswers, rest: ReturnType<CallPort['sendBatch']>): Promise<void> {
    joined.putBatch(this.#rest, await rest);
  }

  #joined(): JoinedAnswers {
    const { batch, cache } = this;
    const joined = new JoinedAnswers(batch.questions.length, { budget: cache.budget, userId: batch.caller?.userId });
    for (const [place, reply] of this.#found.entries()) if (reply !== undefined) joined.put(place, reply);
    return joined;
  }
}

const unanswered: NodeReply<never> = { ok: false, failure: 'unusable', maybeDelivered: true };

function elementOf(reply: NodeReply<BatchAnswer>, place: number): Parameters<AnswerCache['end']>[1] {
  if (!reply.ok) return reply;
  const { answer, fromMemory } = reply;
  if (answer.kind === 'error') return unanswered;
  const element = answer.answers[place];
  if (element === undefined) return unanswered;
  if (element.kind === 'failed') return { ok: false, failure: element.failure, maybeDelivered: element.maybeDelivered };
  const from = fromMemory?.has(place) === true ? 'cache' : reply.from;
  return { ok: true, nodeId: nodeOf(reply, place), answer: element, from };
}
