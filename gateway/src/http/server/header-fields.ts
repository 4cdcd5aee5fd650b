/** The header fields of one request: where each lies in the head, and what the caller of this asks for as text. */

import { isFieldByte, isTokenByte } from '../../platform/http1/http1-head.ts';
import { type HeadFault, wrongHead } from './head-fault.ts';

export const mostFields = 128;

const cr = 13;
const lf = 10;
const blank = 32;
const colon = 58;
const tab = 9;
/** Name start, name end, value start, value end. */
const numbersPerField = 4;

/** Hears of each field that was read, by its number and the length of its name; a fault ends the reading. */
export type FieldListener = (index: number, nameLength: number) => HeadFault | undefined;

/** Used again for each head of a connection. */
export class HeaderFields {
  count = 0;
  /** The head as Latin-1: offsets into it are those of the bytes, less `#base`. */
  #text = '';
  /** A head has at most 64 KiB, and no value ends behind its last two bytes. */
  readonly #offsets = new Uint16Array(mostFields * numbersPerField);

  /** Reads the lines in `bytes[from, end)`, the empty line at the end included. `text` is the head from `base` on. */
  read(
    bytes: Buffer,
    from: number,
    end: number,
    text: string,
    base: number,
    listen: FieldListener,
  ): HeadFault | undefined {
    this.count = 0;
    this.#text = text;
    let at = from;
    while (at !== end - 2) {
      const nameStart = at;
      while (isTokenByte(bytes[at])) at++;
      if (at === nameStart || bytes[at] !== colon) return wrongHead('A header name is not valid.');
      const nameEnd = at;
      at++;
      while (isBlank(bytes[at])) at++;
      const valueStart = at;
      while (isFieldByte(bytes[at])) at++;
      let valueEnd = at;
      while (valueEnd > valueStart && isBlank(bytes[valueEnd - 1])) valueEnd--;
      if (bytes[at] !== cr || bytes[at + 1] !== lf) return wrongHead('A header value is not valid.');
      at += 2;
      if (this.count === mostFields)
        return { status: 431, detail: `A request has at most ${mostFields} header fields.` };
      const slot = this.count * numbersPerField;
      this.#offsets[slot] = nameStart - base;
      this.#offsets[slot + 1] = nameEnd - base;
      this.#offsets[slot + 2] = valueStart - base;
      this.#offsets[slot + 3] = valueEnd - base;
      const fault = listen(this.count, nameEnd - nameStart);
      this.count += 1;
      if (fault !== undefined) return fault;
    }
    return undefined;
  }

  forget(): void {
    this.count = 0;
  }

  name(index: number): string {
    return this.#slice(index * numbersPerField).toLowerCase();
  }

  /** Without the white space around it, as Latin-1. */
  value(index: number): string {
    return this.#slice(index * numbersPerField + 2);
  }

  /** Null when there is none; a doubled field is joined with a comma and a blank (RFC 9110 5.3). `name` in small letters. */
  get(name: string): string | null {
    let value: string | null = null;
    for (let index = 0; index < this.count; index++) {
      if (!this.isNamed(index, name)) continue;
      const own = this.value(index);
      value = value === null ? own : `${value}, ${own}`;
    }
    return value;
  }

  /** A tab stands before or after its value: valid (RFC 9110 5.6.3), and one more thing that readers of a length disagree about. */
  hasTabs(index: number): boolean {
    const at = index * numbersPerField;
    const start = this.#offsets[at + 2] ?? 0;
    for (let place = this.#offsets[at + 1] ?? 0; place < start; place++)
      if (this.#text.charCodeAt(place) === tab) return true;
    for (let place = this.#offsets[at + 3] ?? 0; this.#text.charCodeAt(place) !== cr; place++)
      if (this.#text.charCodeAt(place) === tab) return true;
    return false;
  }

  isNamed(index: number, name: string): boolean {
    const at = index * numbersPerField;
    const start = this.#offsets[at] ?? 0;
    if ((this.#offsets[at + 1] ?? 0) - start !== name.length) return false;
    for (let offset = 0; offset < name.length; offset++) {
      const code = this.#text.charCodeAt(start + offset);
      if ((code >= 65 && code <= 90 ? code + 32 : code) !== name.charCodeAt(offset)) return false;
    }
    return true;
  }

  #slice(at: number): string {
    return this.#text.slice(this.#offsets[at], this.#offsets[at + 1]);
  }
}

function isBlank(code: number | undefined): boolean {
  return code === blank || code === tab;
}
