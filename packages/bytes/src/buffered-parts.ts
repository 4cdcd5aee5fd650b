/** A body of texts and ranges of held bytes of one or several answers, taken piece by piece; the bytes of a piece are returned to the budget at once. */
import type { BudgetedBuffer } from './budgeted-buffer.ts';

/** `[start, end)` of held bytes. */
export type BufferedRange = { readonly held: BudgetedBuffer; readonly start: number; readonly end: number };

/** A part of a body: a text, bytes, or a range of held bytes. */
export type BufferedPart = string | Uint8Array | BufferedRange;

/** The pieces of a body. Both functions may be called again after the end. */
export type ChunkSource = {
  /** The next piece. Undefined when there is none; by then everything was returned to the budget. */
  readonly next: () => Uint8Array | undefined;
  /** Returns the bytes that were not taken yet. */
  readonly release: () => void;
};

/** Smaller pieces are joined. */
const worthSendingBytes = 32_768;

export class BufferedParts implements ChunkSource {
  #at = 0;
  /** Within the present range. */
  #offset = 0;
  /** For each block of each, the number of ranges that still need it. */
  readonly #uses = new Map<BudgetedBuffer, Uint32Array>();

  /** Owns all of `held` from now on, and releases it; ranges are of these. */
  constructor(
    private readonly held: readonly BudgetedBuffer[],
    private readonly parts: readonly BufferedPart[],
  ) {
    for (const each of held) this.#uses.set(each, new Uint32Array(each.blockCount));
    for (const part of parts) {
      if (!isRange(part) || part.start >= part.end) continue;
      const uses = this.#usesOf(part.held);
      for (let nth = part.held.blockOf(part.start); nth <= part.held.blockOf(part.end - 1); nth++)
        uses[nth] = (uses[nth] ?? 0) + 1;
    }
    for (const [each, counts] of this.#uses)
      for (const [nth, uses] of counts.entries()) if (uses === 0) each.freeBlock(nth);
  }

  next(): Uint8Array | undefined {
    const pieces: Uint8Array[] = [];
    let size = 0;
    while (size < worthSendingBytes) {
      const piece = this.#piece();
      if (piece === undefined) break;
      pieces.push(piece);
      size += piece.length;
    }
    if (size === 0) {
      this.release();
      return undefined;
    }
    return pieces.length === 1 ? pieces[0] : Buffer.concat(pieces);
  }

  release(): void {
    this.#at = this.parts.length;
    for (const each of this.held) each.release();
  }

  #piece(): Uint8Array | undefined {
    const part = this.parts[this.#at];
    if (part === undefined) return undefined;
    if (!isRange(part)) {
      this.#at++;
      return typeof part === 'string' ? Buffer.from(part) : part;
    }
    const { held } = part;
    const at = part.start + this.#offset;
    const piece = held.view(at, part.end);
    const nth = held.blockOf(at);
    const counts = this.#usesOf(held);
    const uses = (counts[nth] ?? 1) - 1;
    counts[nth] = uses;
    // The view keeps the block's memory alive for as long as the runtime needs it.
    if (uses === 0) held.freeBlock(nth);
    this.#offset += piece.length;
    if (at + piece.length === part.end) {
      this.#at++;
      this.#offset = 0;
    }
    return piece;
  }
  #usesOf(held: BudgetedBuffer): Uint32Array {
    const uses = this.#uses.get(held);
    if (uses === undefined) throw new Error('a part is of bytes that the body does not own');
    return uses;
  }
}

function isRange(part: BufferedPart): part is BufferedRange {
  return typeof part !== 'string' && 'held' in part;
}
