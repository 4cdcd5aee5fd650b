/** In-flight calls, found by method and canonical params, so that equal calls are coalesced (contract/cache#identical). */

import type { HeadBlock } from '../../../upstream/heads/network-heads.ts';
import type { BatchAnswer, NodeAnswer, NodeCall, NodeReply } from '../../../upstream/port/node-port.ts';
import type { CanonicalParams } from './canonical-params.ts';

/** The time at which a call was sent, and the state of the chain then. */
export type Departure = {
  /** Counts calls. */
  readonly tick: number;
  /** Other callers may join while this is the current moment. */
  readonly moment: number;
  readonly turn: number;
  readonly head: HeadBlock | undefined;
  /** Deadline of the call, in milliseconds of the monotonic clock. */
  readonly endMs: number;
};

export class InFlightCall {
  next: InFlightCall | undefined;
  /** The reply to the call, or to its batch. */
  pending: Promise<NodeReply<NodeAnswer>> | undefined;
  pendingBatch: Promise<NodeReply<BatchAnswer>> | undefined;

  constructor(
    readonly method: string,
    readonly hash: number,
    readonly key: Uint8Array,
    readonly keyStart: number,
    readonly keySize: number,
    readonly departure: Departure,
    /** Whether its answer may be cached. */
    readonly mayCache: boolean,
    /** Its index in the batch. */
    readonly place: number,
  ) {}
}

/** Waits for a call of another caller. */
export type Follow = (inFlightCall: InFlightCall, call: NodeCall) => Promise<NodeReply<NodeAnswer>>;

/** For common params a loop takes up to three times as long, and a view for `set` twice. */
const { copy } = Buffer.prototype;

/** Keys are copied one after another into blocks. A block is freed with its last in-flight call. */
const blockBytes = 32_768;
/** Lists of calls by their hash; a power of two, large enough that lists are short. A map that grows and shrinks with each call would take 40 ns more per call. */
const lists = 4_096;

export class InFlightCalls {
  readonly #byHash = new Array<InFlightCall | undefined>(lists).fill(undefined);
  #block = new Uint8Array(0);
  #used = 0;

  constructor(private readonly params: CanonicalParams) {}

  /** For the params of the latest `CanonicalParams.write`. */
  find(hash: number, method: string, size: number): InFlightCall | undefined {
    let inFlightCall = this.#byHash[hash & (lists - 1)];
    while (
      inFlightCall !== undefined &&
      !(
        inFlightCall.hash === hash &&
        inFlightCall.method === method &&
        inFlightCall.keySize === size &&
        this.params.isAt(inFlightCall.key, inFlightCall.keyStart, size)
      )
    )
      inFlightCall = inFlightCall.next;
    return inFlightCall;
  }

  /** For the params of the latest `CanonicalParams.write`. If `mayJoin`, `find` returns the call until `end`, before earlier calls with the same question. */
  begin(
    method: string,
    hash: number,
    size: number,
    departure: Departure,
    mayCache: boolean,
    mayJoin: boolean,
    place: number,
  ): InFlightCall {
    if (this.#used + size > this.#block.length) {
      this.#block = new Uint8Array(Math.max(blockBytes, size));
      this.#used = 0;
    }
    const start = this.#used;
    copy.call(this.params.bytes, this.#block, start, 0, size);
    this.#used += size;
    const inFlightCall = new InFlightCall(method, hash, this.#block, start, size, departure, mayCache, place);
    if (!mayJoin) return inFlightCall;
    const list = hash & (lists - 1);
    inFlightCall.next = this.#byHash[list];
    this.#byHash[list] = inFlightCall;
    return inFlightCall;
  }

  end(inFlightCall: InFlightCall): void {
    const list = inFlightCall.hash & (lists - 1);
    const first = this.#byHash[list];
    if (first === inFlightCall) {
      this.#byHash[list] = inFlightCall.next;
      return;
    }
    for (let each = first; each !== undefined; each = each.next)
      if (each.next === inFlightCall) {
        each.next = inFlightCall.next;
        return;
      }
  }
}
