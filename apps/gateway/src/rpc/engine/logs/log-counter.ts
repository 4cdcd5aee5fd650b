/** Counts the logs in an array of valid JSON, piece by piece, and reads the block of one of them. */

import { backslash, closeBrace, closeBracket, openBrace, openBracket, quote } from '@flowgate/json/json-scan';

/** The most bytes of one log that are stored to read its block. Nodes write the block before the data; otherwise the block is unknown. */
const maxStoredBytes = 1_048_576;

export class LogCounter {
  count = 0;
  #depth = 0;
  #isInText = false;
  /** Within a string: whether an odd number of backslashes came last. */
  #isEscaped = false;
  readonly #stored: Uint8Array[] = [];
  #storedBytes = 0;
  #isStoring = false;

  /** `wanted`: the number of the log, from 1, whose block is read. */
  constructor(private readonly wanted = Number.POSITIVE_INFINITY) {}

  push(bytes: Uint8Array): void {
    let i = 0;
    let storedFrom = 0;
    while (i < bytes.length) {
      if (this.#isInText) {
        i = this.#textEnd(bytes, i);
        continue;
      }
      const byte = bytes[i];
      if (byte === quote) {
        this.#isInText = true;
        this.#isEscaped = false;
      } else if (byte === openBrace || byte === openBracket) {
        if (this.#depth === 1) {
          this.count++;
          if (this.count === this.wanted) {
            this.#isStoring = true;
            storedFrom = i;
          }
        }
        this.#depth++;
      } else if (byte === closeBrace || byte === closeBracket) {
        this.#depth--;
        if (this.#isStoring && this.#depth === 1) {
          this.#store(bytes.subarray(storedFrom, i + 1));
          this.#isStoring = false;
        }
      }
      i++;
    }
    if (this.#isStoring) this.#store(bytes.subarray(storedFrom));
  }

  /** The height of the wanted log's block. Undefined if there are fewer logs, or if the log names no block. */
  block(): number | undefined {
    const found = /"blockNumber"\s{0,8}:\s{0,8}"0x([0-9a-f]{1,13})"/i.exec(
      Buffer.concat(this.#stored).toString('latin1'),
    );
    return found?.[1] === undefined ? undefined : Number.parseInt(found[1], 16);
  }

  #store(bytes: Uint8Array): void {
    if (this.#storedBytes >= maxStoredBytes) return;
    const stored = bytes.subarray(0, maxStoredBytes - this.#storedBytes);
    this.#stored.push(stored);
    this.#storedBytes += stored.length;
  }

  /** The index after the string that continues at `at`, or the end of the bytes. */
  #textEnd(bytes: Uint8Array, at: number): number {
    let from = at;
    for (;;) {
      const next = bytes.indexOf(quote, from);
      const end = next < 0 ? bytes.length : next;
      let run = 0;
      while (end - run > from && bytes[end - run - 1] === backslash) run++;
      // All bytes since `from` are backslashes, so the parity of the earlier ones continues.
      const isOdd = (run % 2 === 1) !== (run === end - from && this.#isEscaped);
      if (next < 0) {
        this.#isEscaped = isOdd;
        return end;
      }
      this.#isEscaped = false;
      if (!isOdd) {
        this.#isInText = false;
        return next + 1;
      }
      from = next + 1;
    }
  }
}
