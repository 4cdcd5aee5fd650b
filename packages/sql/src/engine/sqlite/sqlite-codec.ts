/**
 * Encodes calls and replies between the engine and its threads: as one JSON text unless they are large. A statement's text is sent once and afterwards replaced by its number
 * (docs/decisions/0070).
 */

import type { Statement } from '../database.ts';
import type { WireRequest, WireStatement, WorkerReply, WorkerRequest } from './sqlite-messages.ts';

/** From this length on, cloning a text costs less than escaping it. */
const maxJsonLength = 65_536;
const maxTexts = 512;
const maxCachedTextLength = 8_192;

const writes = 1;
const hasLongDeadline = 2;
const usesReserve = 4;
const isLostWithPower = 8;

/**
 * The statement texts that both ends know by number. Both add the same texts in the same order, and both clear the table when it is full. The texts are few, except for lists of many
 * lengths.
 */
class KnownTexts {
  #texts: string[] = [];
  #numbers = new Map<string, number>();

  numberOf(text: string): number | undefined {
    return this.#numbers.get(text);
  }

  at(number: number): string {
    const text = this.#texts[number];
    if (text === undefined) throw new Error(`no text ${number}`);
    return text;
  }

  add(text: string): void {
    if (text.length > maxCachedTextLength) return;
    if (this.#texts.length === maxTexts) {
      this.#texts = [];
      this.#numbers.clear();
    }
    this.#numbers.set(text, this.#texts.push(text) - 1);
  }
}

/**
 * Encodes for one thread. All encoded requests must be sent, in this order, because the decoder numbers the texts by
 * it.
 */
export class RequestEncoder {
  readonly #texts = new KnownTexts();

  encode(requests: readonly WorkerRequest[]): string | readonly WireRequest[] {
    const encoded = requests.map((request) => this.#request(request));
    return requests.reduce((sum, request) => sum + requestLength(request), 0) > maxJsonLength
      ? encoded
      : JSON.stringify(encoded);
  }

  #request(request: WorkerRequest): WireRequest {
    const flags =
      (request.writes ? writes : 0) |
      (request.hasLongDeadline === true ? hasLongDeadline : 0) |
      (request.usesReserve === true ? usesReserve : 0) |
      (request.isLostWithPower === true ? isLostWithPower : 0);
    return [
      request.slot,
      flags,
      this.#optional(request.onlyIf),
      ...request.statements.map((statement) => this.#statement(statement)),
    ];
  }

  #optional(statement: Statement | undefined): WireStatement | 0 {
    return statement === undefined ? 0 : this.#statement(statement);
  }

  #statement({ text, idleUnless, values }: Statement): WireStatement {
    const number = this.#texts.numberOf(text);
    if (number === undefined) this.#texts.add(text);
    return [number ?? text, this.#optional(idleUnless), ...values];
  }
}

/** Decodes the requests of one `RequestEncoder`. */
export class RequestDecoder {
  readonly #texts = new KnownTexts();

  decode(encoded: string | readonly WireRequest[]): readonly WorkerRequest[] {
    const requests: readonly WireRequest[] = typeof encoded === 'string' ? JSON.parse(encoded) : encoded;
    return requests.map((request) => this.#request(request));
  }

  #request([slot, flags, onlyIf, ...statements]: WireRequest): WorkerRequest {
    return {
      slot,
      writes: (flags & writes) !== 0,
      hasLongDeadline: (flags & hasLongDeadline) !== 0,
      usesReserve: (flags & usesReserve) !== 0,
      isLostWithPower: (flags & isLostWithPower) !== 0,
      // The same order as in the encoder.
      ...(onlyIf === 0 ? {} : { onlyIf: this.#statement(onlyIf) }),
      statements: statements.map((statement) => this.#statement(statement)),
    };
  }

  #statement([reference, idleUnless, ...values]: WireStatement): Statement {
    const text = typeof reference === 'number' ? this.#texts.at(reference) : reference;
    if (typeof reference === 'string') this.#texts.add(reference);
    return idleUnless === 0 ? { text, values } : { text, values, idleUnless: this.#statement(idleUnless) };
  }
}

export function encodeReplies(replies: readonly WorkerReply[]): string | readonly WorkerReply[] {
  let length = 0;
  for (const reply of replies) {
    if ('rows' in reply)
      for (const rows of reply.rows) for (const row of rows) for (const name in row) length += lengthOf(row[name]);
    if (length > maxJsonLength) return replies;
  }
  return JSON.stringify(replies);
}

export function decodeReplies(encoded: string | readonly WorkerReply[]): readonly WorkerReply[] {
  return typeof encoded === 'string' ? JSON.parse(encoded) : encoded;
}

/** The length of all texts among the values, in characters. */
export function requestLength({ statements }: Pick<WorkerRequest, 'statements'>): number {
  let length = 0;
  for (const { values } of statements) for (const value of values) length += lengthOf(value);
  return length;
}

function lengthOf(value: unknown): number {
  return typeof value === 'string' ? value.length : 0;
}
