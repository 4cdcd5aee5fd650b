/**
 * Reserves space on the disk for writes that must succeed when the disk is full: a file next to the database that is
 * truncated then.
 */

import { closeSync, fsyncSync, openSync, statSync, truncateSync, writeSync } from 'node:fs';
import type { ThreadMachine } from './sqlite-open.ts';

const blockBytes = 1_048_576;
/** Milliseconds between two attempts to refill the reserve. */
const refillPauseMs = 1_000;

/** Gateways on one machine may share the reserve, as they share the database: all state is in the file. */
export class SqliteReserve {
  readonly #path: string;
  readonly #bytes: number;
  readonly #machine: ThreadMachine;
  #triedAtMs = Number.NEGATIVE_INFINITY;
  /** The reserve cannot be written for another reason than a full disk; writes then continue without it. */
  #isUnavailable = false;

  constructor(database: string, bytes: number, machine: ThreadMachine) {
    this.#path = `${database}-reserve`;
    this.#bytes = bytes;
    this.#machine = machine;
  }

  /** False while the disk has no room for the whole reserve: then nothing else may be written either. */
  isWhole(): boolean {
    const size = this.#size();
    if (size >= this.#bytes || this.#isUnavailable) return true;
    if (this.#machine.clock.monotonic() - this.#triedAtMs < refillPauseMs) return false;
    this.#triedAtMs = this.#machine.clock.monotonic();
    return this.#fill(size);
  }

  /** Frees a part of the reserve for the next write; the rest stays reserved. Returns false when nothing is left. */
  release(): boolean {
    // Not refilled at once: the write for which it was released comes first.
    this.#triedAtMs = this.#machine.clock.monotonic();
    const size = this.#size();
    if (size === 0) return false;
    try {
      truncateSync(this.#path, Math.max(0, size - blockBytes));
      return true;
    } catch {
      return false;
    }
  }

  /** A path that cannot be read counts as an empty reserve. */
  #size(): number {
    try {
      return statSync(this.#path, { throwIfNoEntry: false })?.size ?? 0;
    } catch {
      return 0;
    }
  }

  #fill(from: number): boolean {
    let file: number | undefined;
    try {
      file = openSync(this.#path, from === 0 ? 'w' : 'a', 0o600);
      // Random bytes, which no file system can compress.
      let block = this.#machine.randomBytes(65_536);
      for (let size = from; size < this.#bytes; ) {
        const piece = block.subarray(0, Math.min(block.length, this.#bytes - size));
        size += writeSync(file, piece);
        if (size % blockBytes === 0) block = this.#machine.randomBytes(block.length);
      }
      fsyncSync(file);
      return true;
    } catch (error) {
      // The part that was written stays: if it were freed, other writers on the disk would use the space.
      this.#isUnavailable = !isFull(error);
      return this.#isUnavailable;
    } finally {
      if (file !== undefined) closeSync(file);
    }
  }
}

function isFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT');
}
