/**
 * Reads the frames that a server sends (RFC 6455 5), from the pieces that a socket delivers; it has no reference to the socket. A small message in one piece is passed on without being copied, a large
 * one as it arrives. Longer than other files, because a frame is read by one state machine.
 */

import { unmetered, type WorkMeter, workUnits } from '@flowgate/async/turn-budget';
import { ByteBuffer } from '@flowgate/bytes/byte-buffer';
import { ByteRange } from '@flowgate/bytes/byte-range';
import { isUtf8Range, Utf8Pieces } from '@flowgate/bytes/utf8';
import { opcodes } from './frame-writer.ts';

/** A message that is passed on as it arrives. */
export type LargeMessage = {
  /**
   * Receives `bytes[from, to)`, which are UTF-8; the last character may continue in the next call. The reader may reuse
   * the array.
   */
  append(bytes: Uint8Array, from: number, to: number): void;
  done(): void;
};

export type FrameListener = {
  /** A whole message, in bytes that no later call changes. */
  text(content: ByteRange): void;
  /**
   * A message of more than `smallBytes` has begun. `head`: its first bytes, valid during the call; the first `append`
   * repeats them.
   */
  large(head: ByteRange): LargeMessage;
  /** A message that is not UTF-8; reading ends with it. For a large one, neither this nor `done` is called. */
  notUtf8(content: ByteRange): void;
  /** `content` is valid during the call. */
  ping(content: Uint8Array): void;
  pong(): void;
  /** The close frame. `code`: 1005 for a frame without one. */
  closed(code: number): void;
};

/**
 * Why the connection must be closed: the status for the other side, and a description that quotes nothing of the
 * message.
 */
export type FrameFault = { readonly code: number; readonly detail: string };

/** Messages up to this many bytes are passed on whole. */
export const smallBytes = 65_536;
/** A message may have this many frames, and one more for every `minAverageFrameBytes` of its content. */
export const freeFrames = 1_024;
export const minAverageFrameBytes = 64;
/** Content is checked and copied. */
const contentBytesPerUnit = 16;
const maxControlBytes = 125;
const maxHeadBytes = 10;
const noCode = 1005;
/** The first byte of a text message in one frame. */
const wholeText = 0x81;

const fault = (detail: string, code = 1002): FrameFault => ({ code, detail });

export class FrameReader {
  /** The head of a frame that arrives in several pieces. */
  readonly #head = new Uint8Array(maxHeadBytes);
  #headLength = 0;
  #isInFrame = false;
  #opcode = 0;
  #isFinal = false;
  /** The bytes of the frame that have not arrived yet. */
  #left = 0;
  readonly #control = new Uint8Array(maxControlBytes);
  #controlLength = 0;
  /** Whether an incomplete message needs another frame. */
  #isFragmented = false;
  /** The bytes of the message in all frames so far, including bytes that have not arrived yet. */
  #messageBytes = 0;
  readonly #small = new ByteBuffer();
  #large: LargeMessage | undefined;
  #utf8 = new Utf8Pieces();
  #isStopped = false;
  /** The frames of the current message. */
  #frames = 0;
  /** After `push`: the index at which the share of the turn ended, or the piece's length. */
  usedTo = 0;

  /** `maxBytes`: of one message, all frames together. */
  constructor(
    private readonly listener: FrameListener,
    private readonly maxBytes: number,
    private readonly work: WorkMeter = unmetered,
  ) {}

  /** Nothing more is read or reported. */
  stop(): void {
    this.#isStopped = true;
    this.#large = undefined;
    this.#small.clear();
  }

  /** Reads a piece from index `from` on; messages may be ranges of it, so it must not be written to afterwards. */
  push(piece: Uint8Array, from = 0): FrameFault | undefined {
    this.usedTo = piece.length;
    for (let at = from; at < piece.length && !this.#isStopped; ) {
      let units: number = workUnits.frame;
      if (this.#isInFrame) {
        const end = Math.min(piece.length, at + this.#left);
        units += (end - at) / contentBytesPerUnit;
        this.#left -= end - at;
        const problem = this.#opcode >= opcodes.close ? this.#takeControl(piece, at, end) : this.#take(piece, at, end);
        if (problem !== undefined) return this.#fail(problem);
        at = end;
      } else if (this.#isShort(piece, at)) {
        const start = at + 2;
        at = start + (piece[at + 1] ?? 0);
        const problem = this.#reported(piece, start, at);
        if (problem !== undefined) return this.#fail(problem);
        units = workUnits.message;
      } else {
        const length = this.#headLength === 0 ? headLength(piece, at) : 0;
        let problem: FrameFault | undefined;
        if (length > 0 && at + length <= piece.length) {
          problem = this.#begin(piece, at, length);
          at += length;
        } else {
          this.#head[this.#headLength++] = piece[at++] ?? 0;
          if (this.#headLength < 2 || this.#headLength < headLength(this.#head, 0)) continue;
          const all = this.#headLength;
          this.#headLength = 0;
          problem = this.#begin(this.#head, 0, all);
        }
        if (problem !== undefined) return this.#fail(problem);
      }
      if (!this.work.spend(units)) {
        this.usedTo = at;
        break;
      }
    }
    return undefined;
  }

  /** Whether a whole short text message in one frame comes next, as in most cases. */
  #isShort(piece: Uint8Array, at: number): boolean {
    const length = piece[at + 1] ?? 127;
    const isText = piece[at] === wholeText && length < 126 && at + 2 + length <= piece.length;
    return isText && this.#headLength === 0 && !this.#isFragmented;
  }

  #fail(problem: FrameFault): FrameFault {
    this.stop();
    return problem;
  }

  /** The head of a frame is complete: `bytes[at, at + length)`. */
  #begin(bytes: Uint8Array, at: number, length: number): FrameFault | undefined {
    const first = bytes[at] ?? 0;
    const second = bytes[at + 1] ?? 0;
    if ((first & 0x70) !== 0) return fault('reserved bits');
    if ((second & 0x80) !== 0) return fault('a masked frame');
    const opcode = first & 15;
    const isFinal = (first & 0x80) !== 0;
    const bytesToCome = payloadLength(bytes, at, length);
    const problem =
      opcode >= opcodes.close
        ? controlProblem(opcode, isFinal, bytesToCome)
        : this.#dataProblem(opcode, isFinal, bytesToCome);
    if (problem !== undefined) return problem;
    this.#opcode = opcode;
    this.#isFinal = isFinal;
    this.#left = bytesToCome;
    this.#isInFrame = true;
    if (bytesToCome > 0) return undefined;
    return opcode >= opcodes.close ? this.#takeControl(bytes, 0, 0) : this.#take(bytes, 0, 0);
  }

  #dataProblem(opcode: number, isFinal: boolean, bytesToCome: number): FrameFault | undefined {
    if (opcode > opcodes.binary) return fault('an unknown opcode');
    if ((opcode === opcodes.continuation) !== this.#isFragmented) return fault('frames of two messages');
    // RFC 6455 7.4.1: a type of data that cannot be accepted.
    if (opcode === opcodes.binary) return fault('a binary message', 1003);
    this.#messageBytes += bytesToCome;
    if (this.#messageBytes > this.maxBytes) return fault('a message over the limit', 1009);
    this.#frames = opcode === opcodes.continuation ? this.#frames + 1 : 1;
    if (this.#frames > freeFrames + this.#messageBytes / minAverageFrameBytes)
      return fault('a message in too many frames', 1008);
    this.#isFragmented = !isFinal;
    return undefined;
  }

  /** Content of a data frame. */
  #take(piece: Uint8Array, from: number, end: number): FrameFault | undefined {
    const isWhole = this.#left === 0 && this.#isFinal;
    if (isWhole && this.#messageBytes === end - from && end - from <= smallBytes) {
      this.#isInFrame = false;
      return this.#reported(piece, from, end);
    }
    if (!this.#append(piece, from, end)) return fault('not UTF-8', 1007);
    if (this.#left > 0) return undefined;
    this.#isInFrame = false;
    return this.#isFinal ? this.#finish() : undefined;
  }

  #finish(): FrameFault | undefined {
    const large = this.#large;
    if (large === undefined) {
      const bytes = this.#small.take();
      return this.#reported(bytes, 0, bytes.length);
    }
    this.#large = undefined;
    this.#messageBytes = 0;
    if (!this.#utf8.isWhole) return fault('not UTF-8', 1007);
    large.done();
    return undefined;
  }

  #reported(bytes: Uint8Array, from: number, end: number): FrameFault | undefined {
    this.#messageBytes = 0;
    const content = new ByteRange(bytes, from, end);
    const isText = isUtf8Range(bytes, from, end);
    if (isText) this.listener.text(content);
    else this.listener.notUtf8(content);
    return isText ? undefined : fault('not UTF-8', 1007);
  }

  /** Returns false when the content is not UTF-8. */
  #append(piece: Uint8Array, from: number, end: number): boolean {
    let at = from;
    if (this.#large === undefined) {
      at = Math.min(end, from + smallBytes - this.#small.length);
      this.#small.append(piece, from, at);
      if (at === end) return true;
      const first = this.#small.view();
      this.#utf8 = new Utf8Pieces();
      const large = this.listener.large(new ByteRange(first, 0, first.length));
      if (this.#isStopped) return true;
      this.#large = large;
      if (!this.#pass(first, 0, first.length)) return false;
      this.#small.clear();
    }
    return this.#isStopped || this.#pass(piece, at, end);
  }

  #pass(bytes: Uint8Array, from: number, end: number): boolean {
    if (!this.#utf8.push(bytes.subarray(from, end))) return false;
    this.#large?.append(bytes, from, end);
    return true;
  }

  #takeControl(piece: Uint8Array, from: number, end: number): FrameFault | undefined {
    this.#control.set(piece.subarray(from, end), this.#controlLength);
    this.#controlLength += end - from;
    if (this.#left > 0) return undefined;
    const content = this.#control.subarray(0, this.#controlLength);
    this.#controlLength = 0;
    this.#isInFrame = false;
    if (this.#opcode === opcodes.ping) this.listener.ping(content);
    else if (this.#opcode === opcodes.pong) this.listener.pong();
    else return this.#close(content);
    return undefined;
  }

  #close(content: Uint8Array): FrameFault | undefined {
    const code = content.length === 0 ? noCode : ((content[0] ?? 0) << 8) | (content[1] ?? 0);
    if (content.length > 0 && !isCloseCode(code)) return fault('a close frame with an invalid code');
    if (!isUtf8Range(content, Math.min(2, content.length), content.length)) return fault('not UTF-8', 1007);
    this.stop();
    this.listener.closed(code);
    return undefined;
  }
}

function controlProblem(opcode: number, isFinal: boolean, bytesToCome: number): FrameFault | undefined {
  if (opcode > opcodes.pong) return fault('an unknown opcode');
  if (!isFinal) return fault('a fragmented control frame');
  if (bytesToCome > maxControlBytes) return fault('a long control frame');
  return opcode === opcodes.close && bytesToCome === 1 ? fault('a close frame with half a code') : undefined;
}

/** The length of the head of an unmasked frame, in bytes; 2 when its second byte has not arrived yet. */
function headLength(bytes: Uint8Array, at: number): number {
  const length = (bytes[at + 1] ?? 0) & 127;
  return length < 126 ? 2 : length === 126 ? 4 : 10;
}

function payloadLength(bytes: Uint8Array, at: number, length: number): number {
  if (length === 2) return (bytes[at + 1] ?? 0) & 127;
  let value = 0;
  for (let index = at + 2; index < at + length; index++) value = value * 256 + (bytes[index] ?? 0);
  return value;
}

/** Whether the code may be sent in a close frame (RFC 6455 7.4, and the codes registered since then). */
function isCloseCode(code: number): boolean {
  return (code >= 1000 && code <= 1014 && (code < 1004 || code > 1006)) || (code >= 3000 && code <= 4999);
}
