/** A body of texts, bytes and buffered ranges of one or several answers. It is taken piece by piece; the bytes of a piece return to the budget at once. */

import type { BudgetedBuffer } from './budgeted-buffer.ts';

/** `[start, end)` of a buffer. */
export type BufferedRange = { readonly source: BudgetedBuffer; readonly start: number; readonly end: number };

/** A part of a body: a text, bytes, or a range of a buffer. */
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

export class BufferedBody implements ChunkSource {
  #at = 0;
  /** The offset within the current range. */
  #offset = 0;
  /** For each block of each buffer, the number of ranges that still need it. */
  readonly #uses = new Map<BudgetedBuffer, Uint32Array>();

  /** Owns all `buffers` from now on, and releases them. Every range is of one of them. */
  constructor(
    private readonly buffers: readonly BudgetedBuffer[],
    private readonly parts: readonly BufferedPart[],
  ) {
    for (const each of buffers) this.#uses.set(each, new Uint32Array(each.blockCount));
    for (const part of parts) {
      if (!isRange(part) || part.start >= part.end) continue;
      const uses = this.#usesOf(part.source);
      for (let nth = part.source.blockOf(part.start); nth <= part.source.blockOf(part.end - 1); nth++)
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
    for (const each of this.buffers) each.release();
  }

  #piece(): Uint8Array | undefined {
    const part = this.parts[this.#at];
    if (part === undefined) return undefined;
    if (!isRange(part)) {
      this.#at++;
      return typeof part === 'string' ? Buffer.from(part) : part;
    }
    const { source: buffer } = part;
    const at = part.start + this.#offset;
    const piece = buffer.view(at, part.end);
    const nth = buffer.blockOf(at);
    const counts = this.#usesOf(buffer);
    const uses = (counts[nth] ?? 1) - 1;
    counts[nth] = uses;
    // The runtime frees the block's memory only when the view is not used any more.
    if (uses === 0) buffer.freeBlock(nth);
    this.#offset += piece.length;
    if (at + piece.length === part.end) {
      this.#at++;
      this.#offset = 0;
    }
    return piece;
  }
  #usesOf(buffer: BudgetedBuffer): Uint32Array {
    const uses = this.#uses.get(buffer);
    if (uses === undefined) throw new Error('a part refers to a buffer that the body does not own');
    return uses;
  }
}

function isRange(part: BufferedPart): part is BufferedRange {
  return typeof part !== 'string' && 'source' in part;
}
