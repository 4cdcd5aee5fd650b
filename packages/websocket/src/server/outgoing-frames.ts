/**
 * The frames that go to one caller, in order: what the system does not take at once waits, counted, and large answers are taken from their source only as they are sent.
 */

import type { ChunkSource } from '@flowgate/bytes/buffered-parts';
import type { ByteBudget } from '@flowgate/bytes/byte-budget';
import type { ByteContent } from '@flowgate/bytes/byte-content';
import { ByteWriter } from '@flowgate/bytes/byte-writer';
import { ChargedLevel } from '@flowgate/bytes/charged-level';
import type { ConnectionSocket } from '@flowgate/http1/server/taken-connection';
import { type WriteLimits, WritePace } from '@flowgate/http1/server/write-pace';
import { opcodes } from '../client/frame-writer.ts';
import { frameHead } from './ws-frames.ts';

/** Bytes that are written one after another and sent together. */
const blockBytes = 16_384;
const maxHeadBytes = 10;
/** Of control frames that go before the rest of a large answer: thousands of them are not as many writes, and are not searched for one by one. */
const controlBlockBytes = 1_024;
/** What waits beyond this is counted against the budget of all callers, in steps of as much. */
const countedSteps = { freeBytes: 65_536, stepBytes: 65_536 };

/** Bytes of large answers that one connection passes to its socket in one turn of the event loop; a caller on the same machine takes all of 64 MiB at once. */
const maxInATurn = 1_048_576;

/** Bytes that are written one after another, of which those from `from` on are still to be sent. */
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

/** A piece of a large answer, which is sent from where it is. */
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

/** One for all connections: mostly everything is sent in the turn in which it was written. */
let spare: ByteWriter | undefined = new ByteWriter(blockBytes);

export type OutgoingRoom = {
  /** For what waits for all callers together. */
  readonly budget: ByteBudget;
  readonly userId: string;
};

export class OutgoingFrames {
  /** Bytes that the socket has not taken, without those of large answers. */
  waiting = 0;
  #queue: (Block | Piece | LargeMessage)[] = [];
  readonly #charged: ChargedLevel;
  /** Undefined when nothing waits. */
  #pace: WritePace | undefined;
  /** As much of a large answer was taken in this turn as may be. */
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

  /** Whether a large answer has not been taken completely. */
  get hasLarge(): boolean {
    return this.#firstLarge >= 0;
  }

  /** Whether what waits now is counted. */
  get hasRoom(): boolean {
    return this.#charged.set(this.waiting);
  }

  /** Whether the caller fetches what waits more slowly than it must. To be called about once a second. */
  isTooSlow(nowMs: number, limits: WriteLimits): boolean {
    const pace = this.#pace;
    if (pace === undefined) return false;
    return pace.isTooSlow(nowMs, limits) || (this.#isWithinLarge && pace.isTooLong(nowMs, limits));
  }

  /** Adds one message of text; `flush` sends it. False when there is no room for what waits: the connection has to end. */
  text(content: ByteContent): boolean {
    const { length } = content;
    const writer = this.#roomFor(length + maxHeadBytes);
    const start = writer.at;
    writer.put(frameHead(length, opcodes.text, true));
    content.writeTo(writer);
    return this.#added(writer.at - start);
  }

  /** Adds a message that is taken from its source as it is sent, in fragments. */
  large(source: ChunkSource): void {
    this.#queue.push(new LargeMessage(source));
  }

  /** Adds a control frame (RFC 6455 5.5), which may go between the fragments of a large answer. False as in `text`. */
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
   * Adds a close frame. No data follow it (RFC 6455 5.5.1): the rest of a large answer, and what stands behind that, is left out.
   */
  close(data: Uint8Array): void {
    const large = this.#firstLarge;
    const leftOut = large < 0 ? [] : this.#queue.splice(large);
    for (const each of leftOut)
      if (each instanceof LargeMessage) each.source.release();
      else if (each instanceof Block) this.waiting -= each.end - each.from;
    this.control(opcodes.close, data);
  }

  /** In another turn of the event loop: more of a large answer may be taken. */
  continue(): void {
    this.#isYielding = false;
    this.flush();
  }

  /** Passes to the socket what it takes. */
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

  /** The socket takes everything: others have their turn before more is taken from the source. */
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
