/** Cached answers: found by method and canonical params, bounded in bytes. */

import { LruItem, SegmentedLru } from '@flowgate/async/segmented-lru';
import { ByteRange } from '@flowgate/bytes/byte-range';
import type { NodeReply, TextAnswer } from '../../../upstream/port/node-port.ts';
import type { CanonicalParams } from './canonical-params.ts';

/** The data that an answer depends on, which determines how long it is valid. */
export type Basis =
  | { readonly kind: 'constant' }
  /** The final block at this height. */
  | { readonly kind: 'final'; readonly height: number }
  /** A block that may be lost. `losses`: `ChainView.losses` when the answer arrived. */
  | { readonly kind: 'block'; readonly height: number; readonly hash: string; readonly losses: number }
  /** A block's hash, which the question names: the answer never changes. `height` is undefined when unknown; then `losses` has the meaning above. */
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
  /** The tick at which its call was sent. */
  readonly tick: number;
  readonly untilMs: number;
};

/** Memory of an entry besides key and answer, with its place in the index: measured (docs/decisions/0093). */
export const overheadBytes = 512;
/** Answers cached under the same hash. The bound limits lookup time, also when a caller finds colliding params. */
const maxOfOneNumber = 8;
/** An answer larger than this share of `maxBytes` is not cached. */
const maxShare = 0.01;
/** Up to this length a loop copies faster than `set`, which needs a view. */
const quicklyCopied = 128;

export class CachedAnswer extends LruItem<CachedAnswer> {
  next: CachedAnswer | undefined;
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
    /** The canonical params, followed by the answer. */
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

export class CachedAnswers {
  readonly #byHash = new Map<number, CachedAnswer>();
  readonly #lru: SegmentedLru<CachedAnswer>;
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

  /** Largest size of one answer. */
  get maxEntryBytes(): number {
    return this.#maxEntryBytes;
  }

  /** The answer for the params of the latest `CanonicalParams.write`. */
  find(hash: number, method: string, size: number): CachedAnswer | undefined {
    let cached = this.#byHash.get(hash);
    while (
      cached !== undefined &&
      !(cached.method === method && cached.keySize === size && this.params.isAt(cached.block, 0, size))
    )
      cached = cached.next;
    return cached;
  }

  use(cached: CachedAnswer, userId: string): void {
    this.#lru.use(cached, userId);
  }

  /** Copies the answer. It replaces an earlier answer to the same question. */
  put(question: Question, given: Given): void {
    const { key, keyStart, keySize, hash, method } = question;
    const { raw } = given.answer;
    if (raw.length > this.#maxEntryBytes) return;
    const block = new Uint8Array(keySize + raw.length);
    for (let nth = 0; nth < keySize; nth++) block[nth] = key[keyStart + nth] ?? 0;
    if (raw.length > quicklyCopied) block.set(raw.bytes.subarray(raw.start, raw.end), keySize);
    else for (let nth = 0; nth < raw.length; nth++) block[keySize + nth] = raw.bytes[raw.start + nth] ?? 0;
    let others = 0;
    for (let cached = this.#byHash.get(hash); cached !== undefined; cached = cached.next) {
      if (cached.method === method && cached.keySize === keySize && startsEqual(cached.block, block, keySize)) {
        this.remove(cached);
        break;
      }
      others++;
    }
    if (others >= maxOfOneNumber) return;
    const cached = new CachedAnswer(question, given, block);
    cached.next = this.#byHash.get(hash);
    this.#byHash.set(hash, cached);
    this.#lru.add(cached);
  }

  remove(cached: CachedAnswer): void {
    this.#lru.remove(cached);
    this.#unlink(cached);
  }

  #unlink(cached: CachedAnswer): void {
    const first = this.#byHash.get(cached.hash);
    if (first === cached) {
      if (cached.next === undefined) this.#byHash.delete(cached.hash);
      else this.#byHash.set(cached.hash, cached.next);
      return;
    }
    for (let each = first; each !== undefined; each = each.next)
      if (each.next === cached) {
        each.next = cached.next;
        return;
      }
  }
}

function startsEqual(one: Uint8Array, other: Uint8Array, size: number): boolean {
  for (let nth = 0; nth < size; nth++) if (one[nth] !== other[nth]) return false;
  return true;
}
