/** Joins the answers to the parts of a batch in the order of its questions. */

import { BudgetedBuffer } from '@flowgate/bytes/budgeted-buffer';
import type { ByteBudget } from '@flowgate/bytes/byte-budget';
import type {
  BatchAnswer,
  BehindNodes,
  BufferedElement,
  FailedElement,
  NodeAnswer,
  NodeReply,
  TextAnswer,
} from '../../upstream/port/node-port.ts';
import { nodeOf, sourcesOf } from './answered-by.ts';

type Element = TextAnswer | BufferedElement | FailedElement;

/**
 * The most bytes of texts that are not charged to the caller, as for one small answer. Further texts are copied into a charged buffer. Otherwise a short batch
 * of calls that are answered from memory would create an answer of any length at no charge.
 */
const maxUnchargedBytes = 65_536;
/** Errors stay texts, because secrets are searched in them. Errors beyond this size are reported as failures. */
const maxErrorBytes = 1_048_576;

/** The user that long answers are charged to. */
export type ChargedTo = { readonly budget: ByteBudget; readonly userId: string | undefined };

/** Owns the answers until `reply` returns them. */
export class JoinedAnswers {
  readonly #answers: (Element | undefined)[];
  readonly #buffers: BudgetedBuffer[] = [];
  readonly #releases: (() => void)[] = [];
  #copies: BudgetedBuffer | undefined;
  #textBytes = 0;
  #errorBytes = 0;
  /** The node of each answer, and its sources for traces; undefined if there are none. */
  readonly #nodeIds: (string | undefined)[];
  readonly #sources: (readonly string[] | undefined)[];
  #failure: FailedElement | undefined;
  #maybeDelivered = false;
  #hasAnswer = false;
  #from: 'cache' | 'coalesced' | undefined = 'cache';
  #attempts = 0;
  #behind: BehindNodes | undefined;
  /** The indexes of answers for which no node was asked. */
  readonly #fromMemory = new Set<number>();

  constructor(
    count: number,
    private readonly to: ChargedTo,
  ) {
    this.#answers = new Array<Element | undefined>(count).fill(undefined);
    this.#nodeIds = new Array<string | undefined>(count).fill(undefined);
    this.#sources = new Array<readonly string[] | undefined>(count).fill(undefined);
  }

  /** Stores the reply to the question at `place`; it replaces an earlier one. */
  put(place: number, reply: NodeReply<NodeAnswer>): void {
    if (!reply.ok) {
      this.#putFailed(place, this.#failed(reply));
      return;
    }
    this.#note(reply);
    this.#putSource(place, reply.nodeId, sourcesOf(reply), reply.from !== undefined);
    const { answer } = reply;
    if (answer.kind !== 'buffered') {
      this.#putText(place, answer);
      return;
    }
    this.#own(answer);
    this.#putAnswer(place, { kind: 'buffered', parts: answer.parts });
  }

  /** Stores the reply to the batch of the questions at `places`. */
  putBatch(places: readonly number[], reply: NodeReply<BatchAnswer>): void {
    if (!reply.ok) {
      const failed = this.#failed(reply);
      for (const place of places) this.#putFailed(place, failed);
      return;
    }
    this.#note(reply);
    const { answer } = reply;
    const all = sourcesOf(reply);
    for (const [nth, place] of places.entries()) {
      const nodeId = nodeOf(reply, nth);
      const isFromMemory = reply.from !== undefined || reply.fromMemory?.has(nth) === true;
      const isOfAll = nodeId === '' || all.length < 2;
      this.#putSource(place, nodeId, isOfAll ? all : [isFromMemory ? 'cache' : nodeId], isFromMemory);
    }
    if (answer.kind === 'error') {
      // Each element gets the error. All copies together may have at most `maxUnchargedBytes`.
      const isLong = answer.raw.length * places.length > maxUnchargedBytes;
      for (const place of places)
        if (isLong) this.#putFailed(place, this.#failed({ failure: 'refused', maybeDelivered: true }));
        else this.#putText(place, answer);
      return;
    }
    if (answer.kind === 'buffered') this.#own(answer);
    for (const [nth, place] of places.entries()) {
      const element = answer.answers[nth];
      if (element === undefined || element.kind === 'failed') this.#putFailed(place, element);
      else if (element.kind === 'buffered') this.#putAnswer(place, element);
      else this.#putText(place, element);
    }
  }

  /** Call it once. The receiver of a `buffered` answer must release it. */
  reply(): NodeReply<BatchAnswer> {
    if (!this.#hasAnswer) {
      for (const release of this.#releases) release();
      const { failure, reached } = this.#failure ?? { failure: 'unusable' };
      const known = reached === undefined ? {} : { reached };
      return { ok: false, failure, maybeDelivered: this.#maybeDelivered, attempts: this.#attempts, ...known };
    }
    const buffers = this.#buffers;
    const release = () => {
      for (const each of this.#releases) each();
    };
    const answers = this.#answers;
    const [nodeId = '', ...otherNodes] = new Set(this.#nodeIds.filter((each) => each !== undefined));
    const sources = new Set(this.#sources.flatMap((each) => each ?? []));
    const isOfOne = otherNodes.length === 0;
    return {
      ok: true,
      nodeId: isOfOne ? nodeId : '',
      nodeIds: isOfOne ? undefined : this.#nodeIds.map((each) => each ?? ''),
      answer:
        buffers.length === 0
          ? { kind: 'batch', answers: withoutBuffered(answers) }
          : { kind: 'buffered', buffers, answers, release },
      from: this.#from,
      attempts: this.#attempts,
      behind: this.#behind,
      sources: sources.size > 1 ? [...sources] : undefined,
      fromMemory: this.#fromMemory.size > 0 ? this.#fromMemory : undefined,
    };
  }

  #putText(place: number, answer: TextAnswer): void {
    const { userId, budget } = this.to;
    const { raw } = answer;
    this.#textBytes += raw.length;
    if (answer.kind === 'error') {
      this.#errorBytes += raw.length;
      if (this.#errorBytes <= maxErrorBytes) this.#putAnswer(place, answer);
      else this.#putFailed(place, this.#failed({ failure: 'refused', maybeDelivered: true }));
      return;
    }
    if (userId === undefined || this.#textBytes <= maxUnchargedBytes) {
      this.#putAnswer(place, answer);
      return;
    }
    const copies = this.#copies ?? new BudgetedBuffer(budget, userId);
    if (this.#copies === undefined) {
      this.#copies = copies;
      this.#own({ buffers: [copies], release: () => copies.release() });
    }
    const start = copies.length;
    const grant = copies.append(raw.bytes, raw.start, raw.end);
    if (grant === 'granted')
      this.#putAnswer(place, { kind: 'buffered', parts: [{ source: copies, start, end: copies.length }] });
    else this.#putFailed(place, this.#failed({ failure: grant, maybeDelivered: true }));
  }

  #putAnswer(place: number, answer: Element): void {
    this.#answers[place] = answer;
    this.#hasAnswer = true;
  }

  #putFailed(place: number, failed: FailedElement | undefined): void {
    this.#answers[place] = failed;
    this.#nodeIds[place] = undefined;
    this.#sources[place] = undefined;
    this.#fromMemory.delete(place);
  }

  #putSource(place: number, nodeId: string, sources: readonly string[], isFromMemory: boolean): void {
    this.#nodeIds[place] = nodeId;
    this.#sources[place] = sources;
    if (isFromMemory) this.#fromMemory.add(place);
    else this.#fromMemory.delete(place);
  }

  #own({ buffers, release }: { readonly buffers: readonly BudgetedBuffer[]; readonly release: () => void }): void {
    this.#buffers.push(...buffers);
    this.#releases.push(release);
  }

  #note(reply: Extract<NodeReply<unknown>, { ok: true }>): void {
    if (reply.from === undefined) this.#from = undefined;
    else if (reply.from === 'coalesced' && this.#from === 'cache') this.#from = 'coalesced';
    this.#attempts += reply.attempts ?? (reply.from === undefined ? 1 : 0);
    // For a node with several answers, its lowest known height counts.
    for (const [nodeId, height] of reply.behind ?? []) {
      const known = this.#behind?.get(nodeId) ?? height;
      this.#behind = new Map(this.#behind).set(nodeId, Math.min(known, height));
    }
  }

  #failed({
    failure,
    maybeDelivered,
    reached,
    attempts = 0,
  }: Omit<FailedElement, 'kind'> & { readonly attempts?: number | undefined }): FailedElement {
    const failed: FailedElement = {
      kind: 'failed',
      failure,
      maybeDelivered,
      ...(reached !== undefined && { reached }),
    };
    this.#failure ??= failed;
    this.#maybeDelivered ||= maybeDelivered;
    this.#attempts += attempts;
    return failed;
  }
}

function withoutBuffered(
  answers: readonly (Element | undefined)[],
): readonly (TextAnswer | FailedElement | undefined)[] {
  return answers.map((answer) => (answer?.kind === 'buffered' ? undefined : answer));
}
