/** Answers in memory: found by method and canonical params, bounded in bytes. */

import { LruItem, SegmentedLru } from '@flowgate/async/segmented-lru';
import { ByteRange } from '@flowgate/bytes/byte-range';
import type { NodeReply, TextAnswer } from '../../../upstream/port/node-port.ts';
import type { CanonicalParams } from './canonical-params.ts';

/** What an answer stands on, and so how long it holds. */
export type Basis =
  | { readonly kind: 'constant' }
  /** A block at this height that cannot be lost. */
  | { readonly kind: 'final'; readonly height: number }
  /** A block that may be lost; `losses`: how many times blocks were when the answer came. */
  | { readonly kind: 'block'; readonly height: number; readonly hash: string; readonly losses: number }
  /** A block's hash, which the question names: the same at every time. `height` is undefined where nothing says it; `losses` counts then as above. */
  | { readonly kind: 'hash'; readonly height: number | undefined; readonly hash: string; readonly losses: number }
  /** The newest block, at `height`, during one `turn` of the chain. */
  | { readonly kind: 'head'; readonly height: number; readonly turn: number };

export type Question = {
  readonly method: string;
  readonly hash: number;
  /** `key[keyStart, keyStart + keySize)`: the canonical params. */
  readonly key: Uint8Array;
  readonly keyStart: number;
  readonly keySize: number;
};

export type Given = {
  readonly nodeId: string;
  readonly answer: TextAnswer;
  readonly basis: Basis;
  /** The tick at which its call was asked. */
  readonly tick: number;
  readonly untilMs: number;
};

/** What an entry takes besides key and answer: measured, with its place in the index (docs/decisions/0093). */
export const overheadBytes = 512;
/** One with the same number more than this is not kept: numbers are not to be chosen, and looking stays short. */
const maxOfOneNumber = 8;
/** An answer that takes more of the room than this is not kept. */
const maxShare = 0.01;
/** Bytes that a loop copies sooner than the runtime, which needs a view. */
const quicklyCopied = 128;

export class KeptAnswer extends LruItem<KeptAnswer> {
  next: KeptAnswer | undefined;
  readonly hash: number;
  readonly method: string;
  readonly keySize: number;
  readonly nodeId: string;
  readonly basis: Basis;
  readonly tick: number;
  readonly untilMs: number;
  readonly kind: TextAnswer['kind'];

  constructor(
    question: Question,
    { nodeId, answer, basis, tick, untilMs }: Given,
    /** The canonical params, and the answer behind them. */
    readonly block: Uint8Array,
  ) {
    super(block.length + overheadBytes);
    this.hash = question.hash;
    this.method = question.method;
    this.keySize = question.keySize;
    this.nodeId = nodeId;
    this.basis = basis;
    this.tick = tick;
    this.untilMs = untilMs;
    this.kind = answer.kind;
  }

  get answerBytes(): number {
    return this.block.length - this.keySize;
  }

  reply(): NodeReply<TextAnswer> {
    const raw = new ByteRange(this.block, this.keySize, this.block.length);
    return { ok: true, nodeId: this.nodeId, answer: { kind: this.kind, raw }, from: 'cache', attempts: 0 };
  }
}

export class KeptAnswers {
  readonly #byHash = new Map<number, KeptAnswer>();
  readonly #lru: SegmentedLru<KeptAnswer>;
  readonly #maxEntryBytes: number;

  constructor(
    maxBytes: number,
    private readonly params: CanonicalParams,
  ) {
    this.#lru = new SegmentedLru(maxBytes, (evicted) => this.#unlink(evicted));
    this.#maxEntryBytes = Math.floor(maxBytes * maxShare);
  }

  get bytes(): number {
    return this.#lru.bytes;
  }

  /** Of answers, in bytes. */
  get maxEntryBytes(): number {
    return this.#maxEntryBytes;
  }

  /** The answer to the params that were written last (`canonical-params`). */
  find(hash: number, method: string, size: number): KeptAnswer | undefined {
    let kept = this.#byHash.get(hash);
    while (
      kept !== undefined &&
      !(kept.method === method && kept.keySize === size && this.params.isAt(kept.block, 0, size))
    )
      kept = kept.next;
    return kept;
  }

  use(kept: KeptAnswer, userId: string): void {
    this.#lru.use(kept, userId);
  }

  /** Copies the answer. One to the same question is replaced. */
  put(question: Question, given: Given): void {
    const { key, keyStart, keySize, hash, method } = question;
    const { raw } = given.answer;
    if (raw.length > this.#maxEntryBytes) return;
    const block = new Uint8Array(keySize + raw.length);
    for (let nth = 0; nth < keySize; nth++) block[nth] = key[keyStart + nth] ?? 0;
    if (raw.length > quicklyCopied) block.set(raw.bytes.subarray(raw.start, raw.end), keySize);
    else for (let nth = 0; nth < raw.length; nth++) block[keySize + nth] = raw.bytes[raw.start + nth] ?? 0;
    let others = 0;
    for (let kept = this.#byHash.get(hash); kept !== undefined; kept = kept.next) {
      if (kept.method === method && kept.keySize === keySize && startsEqual(kept.block, block, keySize)) {
        this.remove(kept);
        break;
      }
      others++;
    }
    if (others >= maxOfOneNumber) return;
    const kept = new KeptAnswer(question, given, block);
    kept.next = this.#byHash.get(hash);
    this.#byHash.set(hash, kept);
    this.#lru.add(kept);
  }

  remove(kept: KeptAnswer): void {
    this.#lru.remove(kept);
    this.#unlink(kept);
  }

  #unlink(kept: KeptAnswer): void {
    const first = this.#byHash.get(kept.hash);
    if (first === kept) {
      if (kept.next === undefined) this.#byHash.delete(kept.hash);
      else this.#byHash.set(kept.hash, kept.next);
      return;
    }
    for (let each = first; each !== undefined; each = each.next)
      if (each.next === kept) {
        each.next = kept.next;
        return;
      }
  }
}

function startsEqual(one: Uint8Array, other: Uint8Array, size: number): boolean {
  for (let nth = 0; nth < size; nth++) if (one[nth] !== other[nth]) return false;
  return true;
}
