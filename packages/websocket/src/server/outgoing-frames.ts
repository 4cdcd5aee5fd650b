/**
 * The frames for one caller, in order. Bytes that the system does not accept at once wait and are counted; large
 * answers are fetched from their source only as they are sent.
 */

import type { ChunkSource } from '@flowgate/bytes/buffered-body';
import type { ByteBudget } from '@flowgate/bytes/byte-budget';
import type { ByteContent } from '@flowgate/bytes/byte-content';
import { ByteWriter } from '@flowgate/bytes/byte-writer';
import { ChargedLevel } from '@flowgate/bytes/charged-level';
import type { ConnectionSocket } from '@flowgate/http1/server/taken-connection';
import { type WriteLimits, WritePace } from '@flowgate/http1/server/write-pace';
import { opcodes } from '../client/frame-writer.ts';
import { frameHead } from './ws-frames.ts';

/** The size of a block, whose messages are sent together. */
const blockBytes = 16_384;
const maxHeadBytes = 10;
/** For control frames that precede the rest of a large answer: thousands of them need few writes and no search. */
const controlBlockBytes = 1_024;
/** Waiting bytes beyond this are charged to the budget of all callers, in steps of this size. */
const countedSteps = { freeBytes: 65_536, stepBytes: 65_536 };

/**
 * Bytes of large answers that one connection passes to its socket in one turn of the event loop. A caller on the same
 * machine would accept 64 MiB at once.
 */
const maxInATurn = 1_048_576;

/** Bytes that are written one after another; those from `from` on are not sent yet. */
class Block {
  from = 0;

  constructor(readonly writer: ByteWriter) {}

  get bytes(): Uint8Array {
    return this.writer.bytes;
  }

  get end(): number {
    return this.writer.at;
  }
}

/** A piece of a large answer, sent without a copy. */
class Piece {
  from = 0;
  readonly end: number;

  constructor(readonly bytes: Uint8Array) {
    this.end = bytes.length;
  }
}

class LargeMessage {
  isBegun = false;

  constructor(readonly source: ChunkSource) {}
}

/** One spare block for all connections: nearly all bytes are sent in the turn in which they were written. */
let spare: ByteWriter | undefined = new ByteWriter(blockBytes);

export type OutgoingRoom = {
  /** Charged for the waiting bytes of all callers together. */
  readonly budget: ByteBudget;
  readonly userId: string;
};

export class OutgoingFrames {
  /** Bytes that the socket has not accepted, without those of large answers. */
  waiting = 0;
  #queue: (Block | Piece | LargeMessage)[] = [];
  readonly #charged: ChargedLevel;
  /** Undefined when no bytes wait. */
  #pace: WritePace | undefined;
  /** Whether this connection sent `maxInATurn` bytes and waits for a later turn. */
  #isYielding = false;

  constructor(
    private readonly socket: Pick<ConnectionSocket, 'writeRange'>,
    { budget, userId }: OutgoingRoom,
    private readonly nowMs: () => number,
    /** Calls `continue` in a later turn of the event loop. */
    private readonly flushLater: () => void,
  ) {
    this.#charged = new ChargedLevel(budget, userId, countedSteps);
  }

  get isEmpty(): boolean {
    return this.#queue.length === 0;
  }

  /** Whether a large answer was not sent completely. */
  get hasLarge(): boolean {
    return this.#firstLarge >= 0;
  }

  /** Charges for all waiting bytes. False when there is no room. */
  get hasRoom(): boolean {
    return this.#charged.set(this.waiting);
  }

  /** Whether the caller fetches the waiting bytes more slowly than the minimum. To be called about once a second. */
  isTooSlow(nowMs: number, limits: WriteLimits): boolean {
    const pace = this.#pace;
    if (pace === undefined) return false;
    return pace.isTooSlow(nowMs, limits) || (this.#isWithinLarge && pace.isTooLong(nowMs, limits));
  }

  /**
   * Adds one text message; `flush` sends it. Returns false when there is no room for waiting bytes: the connection must
   * then end.
   */
  text(content: ByteContent): boolean {
    const { length } = content;
    const writer = this.#roomFor(length + maxHeadBytes);
    const start = writer.at;
    writer.put(frameHead(length, opcodes.text, true));
    content.writeTo(writer);
    return this.#added(writer.at - start);
  }

  /** Adds a message that is fetched from its source as it is sent, in fragments. */
  large(source: ChunkSource): void {
    this.#queue.push(new LargeMessage(source));
  }

  /**
   * Adds a control frame (RFC 6455 5.5), possibly between the fragments of a large answer. Returns false like `text`.
   */
  control(opcode: number, data: Uint8Array): boolean {
    const head = frameHead(data.length, opcode, true);
    const length = head.length + data.length;
    const large = this.#firstLarge;
    const writer = large < 0 ? this.#roomFor(length) : this.#roomBefore(large, length);
    writer.put(head);
    writer.put(data);
    return this.#added(length);
  }

  /**
   * Adds a close frame. No data follows it (RFC 6455 5.5.1): the rest of a large answer, and all messages behind it,
   * are dropped.
   */
  close(data: Uint8Array): void {
    const large = this.#firstLarge;
    const leftOut = large < 0 ? [] : this.#queue.splice(large);
    for (const each of leftOut)
      if (each instanceof LargeMessage) each.source.release();
      else if (each instanceof Block) this.waiting -= each.end - each.from;
    this.control(opcodes.close, data);
  }

  /** In a later turn of the event loop: continues to send a large answer. */
  continue(): void {
    this.#isYielding = false;
    this.flush();
  }

  /** Passes bytes to the socket until the socket accepts no more. */
  flush(): void {
    let sent = 0;
    for (let next = this.#queue[0]; next !== undefined; next = this.#queue[0]) {
      if (next instanceof LargeMessage) {
        if (this.#isYielding || sent > maxInATurn) {
          this.#continueLater();
          return;
        }
        this.#sendNextFragment(next);
        continue;
      }
      const took = Math.max(0, this.socket.writeRange(next.bytes, next.from, next.end - next.from));
      next.from += took;
      sent += took;
      this.#pace?.took(took, this.nowMs());
      if (next instanceof Block) this.waiting -= took;
      if (next.from < next.end) {
        this.#pace ??= new WritePace();
        this.#pace.wait(this.nowMs());
        this.#charged.set(this.waiting);
        return;
      }
      this.#queue.shift();
      if (next instanceof Block && next.bytes.length === blockBytes) spare = next.writer;
    }
    this.#pace = undefined;
    this.#charged.set(this.waiting);
  }

  /** The connection is gone: everything is released. */
  drop(): void {
    for (const each of this.#queue) if (each instanceof LargeMessage) each.source.release();
    this.#queue = [];
    this.waiting = 0;
    this.#pace = undefined;
    this.#charged.set(0);
  }

  /** The socket accepts everything: other connections get their turn before more is fetched from the source. */
  #continueLater(): void {
    this.#pace?.rest(this.nowMs());
    this.#charged.set(this.waiting);
    if (this.#isYielding) return;
    this.#isYielding = true;
    this.flushLater();
  }

  /** The next fragment of the large message at the head of the queue, or its end. */
  #sendNextFragment(message: LargeMessage): void {
    const piece = message.source.next();
    const head = frameHead(
      piece?.length ?? 0,
      message.isBegun ? opcodes.continuation : opcodes.text,
      piece === undefined,
    );
    if (!message.isBegun || piece === undefined) this.#pace?.restartTotal();
    message.isBegun = true;
    const writer = new ByteWriter(head.length);
    writer.put(head);
    this.waiting += head.length;
    if (piece === undefined) this.#queue[0] = new Block(writer);
    else this.#queue.unshift(new Block(writer), new Piece(piece));
  }

  /** Whether a part of a large answer was sent, and another part was not. */
  get #isWithinLarge(): boolean {
    const first = this.#queue[this.#firstLarge];
    return first instanceof LargeMessage && first.isBegun;
  }

  get #firstLarge(): number {
    return this.#queue.findIndex((each) => each instanceof LargeMessage);
  }

  #roomBefore(large: number, bytes: number): ByteWriter {
    const before = this.#queue[large - 1];
    if (before instanceof Block && before.writer.bytes.length - before.writer.at >= bytes) return before.writer;
    const writer = new ByteWriter(controlBlockBytes);
    this.#queue.splice(large, 0, new Block(writer));
    return writer;
  }

  #roomFor(bytes: number): ByteWriter {
    const last = this.#queue.at(-1);
    if (last instanceof Block && last.writer.bytes.length - last.writer.at >= bytes) return last.writer;
    let writer: ByteWriter;
    if (bytes <= blockBytes && spare !== undefined) {
      writer = spare;
      spare = undefined;
      writer.at = 0;
    } else writer = new ByteWriter(Math.max(bytes, blockBytes));
    this.#queue.push(new Block(writer));
    return writer;
  }

  #added(bytes: number): boolean {
    this.waiting += bytes;
    return this.waiting <= countedSteps.freeBytes || this.#charged.set(this.waiting);
  }
}
