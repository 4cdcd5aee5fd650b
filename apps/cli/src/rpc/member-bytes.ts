/** Finds the members of a JSON object, or of the objects of an array, while its bytes arrive: no value is parsed or stored. */

import { PushScanner } from '@flowgate/json/push-scanner';

/** `onBytes` gets a member's value in chunks; the name is its raw text in quotes. After text that is not JSON, `onBytes` is not called again. */
export class MemberBytes {
  readonly #scanner = new PushScanner({
    value: (name, start) => {
      this.#open = { name, start };
    },
    member: (_, __, end) => this.#closed(end),
  });
  #open: { readonly name: string | undefined; start: number } | undefined;
  #piece: Uint8Array = new Uint8Array(0);
  /** Number of bytes before the current chunk. */
  #before = 0;
  #isJson = true;

  constructor(private readonly onBytes: (name: string, bytes: Uint8Array) => void) {}

  /** The next bytes of the text. */
  feed(bytes: Uint8Array): void {
    if (!this.#isJson) return;
    this.#piece = bytes;
    this.#isJson = this.#scanner.push(bytes);
    if (this.#isJson) this.#report(this.#before + bytes.length);
    this.#before += bytes.length;
  }

  /** Whether one complete object or array has arrived. */
  whole(): 'object' | 'array' | undefined {
    if (!this.#isJson || !this.#scanner.isWhole()) return undefined;
    return this.#scanner.isArray ? 'array' : 'object';
  }

  #closed(end: number): void {
    this.#report(end);
    this.#open = undefined;
  }

  /** The value's bytes up to `end`, as far as the current chunk contains them. */
  #report(end: number): void {
    if (this.#open === undefined) return;
    const { name, start } = this.#open;
    const bytes = this.#piece.subarray(Math.max(0, start - this.#before), end - this.#before);
    if (name !== undefined && bytes.length > 0) this.onBytes(name, bytes);
  }
}
