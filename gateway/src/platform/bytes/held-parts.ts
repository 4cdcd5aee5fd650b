/** A body of texts and ranges of held bytes, taken piece by piece; the bytes of a piece are returned to the budget at once. */
import type { HeldBytes } from './held-bytes.ts';

/** `[start, end)` of the held bytes. */
export type HeldRange = { readonly start: number; readonly end: number };

/** The pieces of a body. Both functions may be called again after the end. */
export type ChunkSource = {
  /** The next piece. Undefined when there is none; by then everything was returned to the budget. */
  readonly next: () => Uint8Array | undefined;
  /** Returns the bytes that were not taken yet. */
  readonly release: () => void;
};

/** Smaller pieces are joined. */
const worthSendingBytes = 32_768;

export class HeldParts implements ChunkSource {
  #at = 0;
  /** Within the present range. */
  #offset = 0;
  /** For each block, the number of ranges that still need it. */
  readonly #uses: Uint32Array;

  /** Owns the bytes from now on, and releases them. */
  constructor(
    private readonly held: HeldBytes,
    private readonly parts: readonly (string | HeldRange)[],
  ) {
    this.#uses = new Uint32Array(held.blockCount);
    for (const part of parts) {
      if (typeof part === 'string') continue;
      for (let nth = held.blockOf(part.start); nth <= held.blockOf(part.end - 1); nth++)
        this.#uses[nth] = (this.#uses[nth] ?? 0) + 1;
    }
    for (const [nth, uses] of this.#uses.entries()) if (uses === 0) held.freeBlock(nth);
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
    this.held.release();
  }

  #piece(): Uint8Array | undefined {
    const part = this.parts[this.#at];
    if (part === undefined) return undefined;
    if (typeof part === 'string') {
      this.#at++;
      return Buffer.from(part);
    }
    const at = part.start + this.#offset;
    const piece = this.held.view(at, part.end);
    const nth = this.held.blockOf(at);
    const uses = (this.#uses[nth] ?? 1) - 1;
    this.#uses[nth] = uses;
    // The view keeps the block's memory alive for as long as the runtime needs it.
    if (uses === 0) this.held.freeBlock(nth);
    this.#offset += piece.length;
    if (at + piece.length === part.end) {
      this.#at++;
      this.#offset = 0;
    }
    return piece;
  }
}
