/** A large answer while it arrives over a WebSocket. Its bytes are charged to the caller of its call, or to a shared owner until the call is known. */

import { BudgetedBuffer } from '@flowgate/bytes/budgeted-buffer';
import type { ByteBudget } from '@flowgate/bytes/byte-budget';
import { ByteRange } from '@flowgate/bytes/byte-range';
import type { LargeMessage } from '@flowgate/websocket/client/frame-reader';
import type { NodeFault } from '../port/node-faults.ts';
import { idAtTail, maxIdBytes } from '../response/answer-id.ts';
import { failedCall, type SocketCall } from './socket-call.ts';

export type LargeMessageTerms = {
  /** A longer message is discarded. */
  readonly maxBytes: number;
  /** Absent: nothing is charged. */
  readonly budget: ByteBudget | undefined;
  /** The budget's owner of bytes whose call is not known yet. */
  readonly unknownOwner: string;
};

/** The connection on which the message arrives. */
export type LargeMessageCarrier = {
  /** The call in flight that has this id, or a batch that contains it. */
  find(id: number): SocketCall | undefined;
  /** Removes the call from the connection; false if it is not on it any more. */
  take(call: SocketCall): boolean;
  /** A removed call has received its reply. */
  settled(): void;
  /** The message was discarded. `id`: of a call that may have been given up; undefined if it is unknown. */
  skipped(id: number | undefined): void;
  /** Closes the connection: the message answers no call. */
  stray(): void;
};

export class LargeAnswer implements LargeMessage {
  #buffer: BudgetedBuffer;
  /** Why the message is discarded. */
  #skipping: NodeFault | undefined;
  #length = 0;
  /** The last bytes of a discarded message. */
  #tail: Uint8Array = new Uint8Array(0);
  #call: SocketCall | undefined;
  /** The message has failed its call, so the rest is ignored. */
  #isFailed = false;
  /** The message is complete: its call owns the buffer. */
  #isOver = false;

  /** `id`: of the call that it answers; undefined if the message does not begin with its id. */
  constructor(
    private readonly carrier: LargeMessageCarrier,
    private readonly terms: LargeMessageTerms,
    private readonly id: number | undefined,
  ) {
    this.#call = id === undefined ? undefined : carrier.find(id);
    this.#buffer = new BudgetedBuffer(terms.budget ?? unbounded, this.#call?.call.owner ?? terms.unknownOwner);
    // The call was given up meanwhile.
    if (id !== undefined && this.#call === undefined) this.#skipping = 'timeout';
  }

  append(bytes: Uint8Array, from: number, to: number): void {
    this.#length += to - from;
    if (this.#skipping === undefined) this.#store(bytes, from, to);
    if (this.#skipping !== undefined) this.#tail = lastOf(this.#tail, bytes.subarray(from, to));
  }

  done(): void {
    if (!this.#isFailed && !this.#isOver) this.#finish();
    this.#isOver = true;
    this.#call = undefined;
  }

  /** No call waits for the message any more: releases its buffer. */
  cancel(): void {
    if (this.#isOver) return;
    this.#skipping ??= 'broken';
    this.#call = undefined;
    this.#buffer.release();
  }

  /** The message violates the protocol. Its call is not sent again, because its answer would be the same. */
  break(): void {
    if (this.#call !== undefined) this.#fail(this.#call, 'malformed');
    this.cancel();
  }

  /** Whether it is known to answer this call. */
  isFor(call: SocketCall): boolean {
    return this.#call === call;
  }

  #finish(): void {
    const id = this.id ?? idAtTail(this.#skipping === undefined ? this.#lastBuffered() : this.#tail);
    if (this.#skipping !== undefined) {
      const call = id === undefined ? undefined : this.carrier.find(id);
      if (call === undefined) this.carrier.skipped(id);
      else this.#fail(call, this.#skipping);
      return;
    }
    const call = this.#call ?? (id === undefined ? undefined : this.carrier.find(id));
    if (call !== undefined && this.carrier.take(call)) {
      this.#answer(call);
      this.carrier.settled();
    } else {
      this.cancel();
      if (id === undefined) this.carrier.stray();
      else this.carrier.skipped(id);
    }
  }

  #store(bytes: Uint8Array, from: number, to: number): void {
    if (this.#length > this.terms.maxBytes) this.#skip('too-large');
    else {
      const grant = this.#buffer.append(bytes, from, to);
      // The shared owner belongs to no user.
      if (grant !== 'granted') this.#skip(this.#call?.call.owner === undefined ? 'all-full' : grant);
    }
  }

  /** Discards the message. The connection stays open for the calls of other users, and the rest of the message is skipped. */
  #skip(fault: NodeFault): void {
    const call = this.#call;
    this.cancel();
    this.#skipping = fault;
    if (call !== undefined) this.#fail(call, fault);
  }

  #fail(call: SocketCall, fault: NodeFault): void {
    this.#isFailed = true;
    if (!this.carrier.take(call)) return;
    call.fail(failedCall(fault, true, 'a large answer was discarded'));
    this.carrier.settled();
  }

  #answer(call: SocketCall): void {
    this.#isOver = true;
    const { owner } = call.call;
    const buffer = this.#buffer;
    if (owner === undefined || this.terms.budget === undefined) {
      const content = wholeOf(buffer);
      buffer.release();
      call.answer(content);
      return;
    }
    const grant = buffer.moveTo(owner);
    if (grant === 'granted') call.answerBuffered(buffer);
    else {
      buffer.release();
      call.fail(failedCall(grant, true, 'a large answer was discarded'));
    }
  }

  #lastBuffered(): Uint8Array {
    const buffer = this.#buffer;
    const from = Math.max(0, buffer.length - maxIdBytes);
    return Buffer.from(buffer.text(from, buffer.length));
  }
}

const unbounded = { take: () => 'granted' as const, giveBack: () => {} };

function lastOf(before: Uint8Array, more: Uint8Array): Uint8Array {
  if (more.length >= maxIdBytes) return Uint8Array.prototype.slice.call(more, more.length - maxIdBytes);
  const all = Buffer.concat([before, more]);
  return all.subarray(Math.max(0, all.length - maxIdBytes));
}

function wholeOf(buffer: BudgetedBuffer): ByteRange {
  const bytes = Buffer.allocUnsafeSlow(buffer.length);
  let at = 0;
  for (let nth = 0; nth < buffer.blockCount; nth++) {
    const block = buffer.block(nth);
    bytes.set(block, at);
    at += block.length;
  }
  return new ByteRange(bytes, 0, at);
}
