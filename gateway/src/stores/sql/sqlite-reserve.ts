/** Room on the disk that is kept back for what must be written when it is full: a file beside the database that is emptied then. */

import { closeSync, fsyncSync, openSync, statSync, truncateSync, writeSync } from 'node:fs';
import { systemClock } from '../../platform/clock.ts';

const blockBytes = 1_048_576;
/** Between two tries to fill it again. */
const refillPauseMs = 1_000;

/** Several gateways may share it, as they share the database: what counts is the file. */
export class SqliteReserve {
  readonly #path: string;
  readonly #bytes: number;
  #triedAtMs = Number.NEGATIVE_INFINITY;
  /** For another reason than a full disk: then it keeps nobody from anything. */
  #cannotBeKept = false;

  constructor(database: string, bytes: number) {
    this.#path = `${database}-reserve`;
    this.#bytes = bytes;
  }

  /** False while the disk has no room for it: then nothing else is to be written either. */
  isWhole(): boolean {
    const size = statSync(this.#path, { throwIfNoEntry: false })?.size ?? 0;
    if (size >= this.#bytes || this.#cannotBeKept) return true;
    if (systemClock.monotonic() - this.#triedAtMs < refillPauseMs) return false;
    this.#triedAtMs = systemClock.monotonic();
    return this.#fill(size);
  }

  /** Gives it to whoever writes next. */
  release(): void {
    try {
      truncateSync(this.#path, 0);
    } catch {
      // There is none.
    }
    // Not at once: what it was released for comes first.
    this.#triedAtMs = systemClock.monotonic();
  }

  #fill(from: number): boolean {
    let file: number | undefined;
    try {
      file = openSync(this.#path, from === 0 ? 'w' : 'a', 0o600);
      // Nothing that a file system could store in less room.
      const block = crypto.getRandomValues(new Uint8Array(65_536));
      for (let size = from; size < this.#bytes; ) {
        const piece = block.subarray(0, Math.min(block.length, this.#bytes - size));
        size += writeSync(file, piece);
        if (size % blockBytes === 0) crypto.getRandomValues(block);
      }
      fsyncSync(file);
      return true;
    } catch (error) {
      this.#cannotBeKept = !isFull(error);
      if (this.#cannotBeKept) return true;
      // A part of it would only keep others from what is left.
      this.release();
      return false;
    } finally {
      if (file !== undefined) closeSync(file);
    }
  }
}

function isFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT');
}
