/** The header fields of one request: their positions in the head, and their values decoded on demand. */

import { isFieldByte, isTokenByte } from '../client/http1-head.ts';
import { type HeadFault, wrongHead } from './head-fault.ts';
import { isText, maxRepeatedLength } from './repeated-text.ts';

export const maxFields = 128;

const cr = 13;
const lf = 10;
const blank = 32;
const colon = 58;
const tab = 9;
/** For how many fields the previous request's value is cached: a client mostly sends the same values again. */
const rememberedFields = 32;
const noBytes = Buffer.alloc(0);
/** A number with more digits is not a safe integer. */
const maxDigits = 15;
/** Name start, name end, value start, value end. */
const numbersPerField = 4;

/** Called for each field, with its number and the length of its name; a returned fault ends the reading. */
export type FieldListener = (index: number, nameLength: number) => HeadFault | undefined;

/** Reused for each head of a connection. */
export class HeaderFields {
  count = 0;
  /**
   * The lengths of the field names, modulo 32, one bit each. Most fields that are looked up are absent, and then no
   * name is compared.
   */
  #lengths = 0;
  #bytes: Buffer = noBytes;
  /** The position of the head in the bytes: offsets count from there. */
  #base = 0;
  /** By index of the field. */
  readonly #lastValues: string[] = [];
  /** A head has at most 64 KiB, and no value ends after its last two bytes. */
  readonly #offsets = new Uint16Array(maxFields * numbersPerField);

  /** Reads the lines in `bytes[from, end)`, including the empty line at the end. The head begins at `base`; its bytes must not change until `forget`. */
  read(bytes: Buffer, from: number, end: number, base: number, listen: FieldListener): HeadFault | undefined {
    this.count = 0;
    this.#lengths = 0;
    this.#bytes = bytes;
    this.#base = base;
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
      if (this.count === maxFields) return { status: 431, detail: `A request has at most ${maxFields} header fields.` };
      const slot = this.count * numbersPerField;
      this.#offsets[slot] = nameStart - base;
      this.#offsets[slot + 1] = nameEnd - base;
      this.#offsets[slot + 2] = valueStart - base;
      this.#offsets[slot + 3] = valueEnd - base;
      this.#lengths |= 1 << (nameEnd - nameStart);
      const fault = listen(this.count, nameEnd - nameStart);
      this.count += 1;
      if (fault !== undefined) return fault;
    }
    return undefined;
  }

  forget(): void {
    this.count = 0;
    this.#bytes = noBytes;
  }

  name(index: number): string {
    const at = index * numbersPerField;
    return this.#bytes.toString('latin1', this.#place(at), this.#place(at + 1)).toLowerCase();
  }

  /** Without surrounding white space, as Latin-1. */
  value(index: number): string {
    const at = index * numbersPerField;
    const start = this.#place(at + 2);
    const end = this.#place(at + 3);
    const last = this.#lastValues[index];
    if (last !== undefined && isText(this.#bytes, start, end, last)) return last;
    const value = this.#bytes.toString('latin1', start, end);
    if (index < rememberedFields && end - start <= maxRepeatedLength) this.#lastValues[index] = value;
    return value;
  }

  /** A value of digits only, few enough for a safe integer; -1 for others (RFC 9110 8.6). */
  number(index: number): number {
    const at = index * numbersPerField;
    const start = this.#place(at + 2);
    const end = this.#place(at + 3);
    if (start === end || end - start > maxDigits) return -1;
    let number = 0;
    for (let place = start; place < end; place++) {
      const digit = (this.#bytes[place] ?? 0) - 48;
      if (digit < 0 || digit > 9) return -1;
      number = number * 10 + digit;
    }
    return number;
  }

  /** Null when absent; repeated fields are joined with a comma and a blank (RFC 9110 5.3). `name` in lower case. */
  get(name: string): string | null {
    let value: string | null = null;
    if ((this.#lengths & (1 << name.length)) === 0) return value;
    for (let index = 0; index < this.count; index++) {
      if (!this.isNamed(index, name)) continue;
      const own = this.value(index);
      value = value === null ? own : `${value}, ${own}`;
    }
    return value;
  }

  /**
   * Whether there is a tab before or after the value. Tabs are valid there (RFC 9110 5.6.3), but readers of a length
   * disagree about them.
   */
  hasTabs(index: number): boolean {
    const at = index * numbersPerField;
    const start = this.#place(at + 2);
    for (let place = this.#place(at + 1); place < start; place++) if (this.#bytes[place] === tab) return true;
    for (let place = this.#place(at + 3); this.#bytes[place] !== cr; place++)
      if (this.#bytes[place] === tab) return true;
    return false;
  }

  isNamed(index: number, name: string): boolean {
    const at = index * numbersPerField;
    const start = this.#place(at);
    if (this.#place(at + 1) - start !== name.length) return false;
    for (let offset = 0; offset < name.length; offset++) {
      const code = this.#bytes[start + offset] ?? 0;
      if ((code >= 65 && code <= 90 ? code + 32 : code) !== name.charCodeAt(offset)) return false;
    }
    return true;
  }

  #place(slot: number): number {
    return this.#base + (this.#offsets[slot] ?? 0);
  }
}

function isBlank(code: number | undefined): boolean {
  return code === blank || code === tab;
}
