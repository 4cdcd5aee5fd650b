/**
 * Writes a client's frames (RFC 6455 5.2), one after another, into one buffer, and passes all of them to the socket in
 * one write.
 */
import type { ByteContent } from '@flowgate/bytes/byte-content';
import { ByteWriter } from '@flowgate/bytes/byte-writer';
import type { TakeMask } from './websocket-masks.ts';

export const opcodes = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;

type Sink = { write(bytes: Uint8Array, from?: number, length?: number): number };

/** In bytes: the initial size. */
const defaultBytes = 16_384;
/** A buffer that grew beyond this many bytes is replaced by a small one. */
const maxRetainedBytes = 65_536;
const maxHeadBytes = 14;
const isLast = 0x80;
const isMasked = 0x80;

export class FrameWriter {
  /** The number of data frames that were added since the first one. */
  added = 0;
  /** How many of them were passed to the socket; no byte of the others was sent. */
  passed = 0;
  #writer = new ByteWriter(defaultBytes);
  /** The bytes that the socket did not accept. */
  #unsent: Uint8Array | undefined;

  constructor(private readonly takeMask: TakeMask) {}

  /** Bytes that wait for the socket. */
  get waiting(): number {
    return this.#writer.at + (this.#unsent?.length ?? 0);
  }

  /**
   * Adds one text message, in UTF-8.
   *
   * @throws when the content writes another number of bytes than `length`, which is a bug.
   */
  add(content: ByteContent): void {
    this.#frame(opcodes.text, content);
    this.added++;
  }

  /** Adds a control frame: at most 125 bytes of content. */
  control(opcode: number, content: ByteContent): void {
    this.#frame(opcode, content);
  }

  /**
   * Writes the added frames, unless earlier bytes still wait for the socket. Returns false when the socket is closed.
   */
  flush(socket: Sink | undefined): boolean {
    const { bytes, at } = this.#writer;
    if (at === 0 || this.#unsent !== undefined) return true;
    const written = socket?.write(bytes, 0, at) ?? -1;
    if (written >= 0 && written < at) this.#unsent = Buffer.from(bytes.subarray(written, at));
    this.#empty();
    this.passed = this.added;
    return written >= 0;
  }

  /** To be called when the socket accepts bytes again. Returns false when it is closed. */
  drained(socket: Sink | undefined): boolean {
    const unsent = this.#unsent;
    if (unsent === undefined) return true;
    const written = socket?.write(unsent) ?? -1;
    this.#unsent = written < unsent.length ? unsent.subarray(Math.max(0, written)) : undefined;
    return written >= 0 && this.flush(socket);
  }

  /** Discards everything that was not sent. */
  clear(): void {
    this.#empty();
    this.#unsent = undefined;
  }

  #frame(opcode: number, content: ByteContent): void {
    const { length } = content;
    const before = this.#writer.at;
    this.#makeRoom(before + maxHeadBytes + length);
    const writer = this.#writer;
    writer.byte(isLast | opcode);
    if (length < 126) writer.byte(isMasked | length);
    else writeLength(writer, length);
    const mask = this.takeMask();
    writeInteger(writer, mask);
    const start = writer.at;
    content.writeTo(writer);
    if (writer.at - start !== length) {
      writer.at = before;
      throw new Error('content of another length than it announces');
    }
    applyMask(writer.bytes, start, writer.at, mask);
  }

  #empty(): void {
    if (this.#writer.bytes.length > maxRetainedBytes) this.#writer = new ByteWriter(defaultBytes);
    else this.#writer.at = 0;
  }

  #makeRoom(bytes: number): void {
    if (bytes <= this.#writer.bytes.length) return;
    const grown = new ByteWriter(Math.max(bytes, this.#writer.bytes.length * 2));
    grown.range(this.#writer.bytes, 0, this.#writer.at);
    this.#writer = grown;
  }
}

function writeLength(writer: ByteWriter, length: number): void {
  if (length < 65_536) {
    writer.byte(isMasked | 126);
    writer.byte(length >>> 8);
    writer.byte(length & 255);
    return;
  }
  writer.byte(isMasked | 127);
  writeInteger(writer, Math.floor(length / 2 ** 32));
  writeInteger(writer, length | 0);
}

function writeInteger(writer: ByteWriter, value: number): void {
  writer.byte((value >>> 24) & 255);
  writer.byte((value >>> 16) & 255);
  writer.byte((value >>> 8) & 255);
  writer.byte(value & 255);
}

/** RFC 6455 5.3. Four bytes at a time: a loop with an index into the key takes twice as long. */
function applyMask(bytes: Uint8Array, start: number, end: number, mask: number): void {
  const first = mask >>> 24;
  const second = (mask >>> 16) & 255;
  const third = (mask >>> 8) & 255;
  const fourth = mask & 255;
  let at = start;
  for (; at + 4 <= end; at += 4) {
    bytes[at] = (bytes[at] ?? 0) ^ first;
    bytes[at + 1] = (bytes[at + 1] ?? 0) ^ second;
    bytes[at + 2] = (bytes[at + 2] ?? 0) ^ third;
    bytes[at + 3] = (bytes[at + 3] ?? 0) ^ fourth;
  }
  if (at < end) bytes[at] = (bytes[at] ?? 0) ^ first;
  if (at + 1 < end) bytes[at + 1] = (bytes[at + 1] ?? 0) ^ second;
  if (at + 2 < end) bytes[at + 2] = (bytes[at + 2] ?? 0) ^ third;
}
