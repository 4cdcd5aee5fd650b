/** Calls that are in progress, found by method and canonical params, so that equal ones become one (contract/cache#identical). */

import type { HeadBlock } from '../../../upstream/heads/network-heads.ts';
import type { BatchAnswer, NodeAnswer, NodeCall, NodeReply } from '../../../upstream/port/node-port.ts';
import type { CanonicalParams } from './canonical-params.ts';

/** When a call was asked, and what was known then. */
export type Departure = {
  /** Counts calls. */
  readonly tick: number;
  /** Others may join while this is the present one. */
  readonly moment: number;
  readonly turn: number;
  readonly head: HeadBlock | undefined;
  /** When it is answered at the latest, in milliseconds of the monotonic clock. */
  readonly endMs: number;
};

export class InFlightCall {
  next: InFlightCall | undefined;
  /** Its own call's, or its batch's. */
  pending: Promise<NodeReply<NodeAnswer>> | undefined;
  pendingBatch: Promise<NodeReply<BatchAnswer>> | undefined;

  constructor(
    readonly method: string,
    readonly hash: number,
    readonly key: Uint8Array,
    readonly keyStart: number,
    readonly keySize: number,
    readonly departure: Departure,
    /** Whether its answer may be kept. */
    readonly mayKeep: boolean,
    /** In the batch. */
    readonly place: number,
  ) {}
}

/** Waits for a call that another caller has asked. */
export type Follow = (inFlightCall: InFlightCall, call: NodeCall) => Promise<NodeReply<NodeAnswer>>;

/** A loop over a usual call's params takes up to three times as long, and a view for `set` twice. */
const { copy } = Buffer.prototype;

/** Keys are copied side by side into blocks, which are freed with the last flight of each. */
const blockBytes = 32_768;
/** Lists of calls by their number. A power of two: as many calls as are in progress at a time have short lists; in a map that grows and shrinks with each call, finding, adding and removing one takes 40 ns more. */
const lists = 4_096;

export class InFlightCalls {
  readonly #byHash = new Array<InFlightCall | undefined>(lists).fill(undefined);
  #block = new Uint8Array(0);
  #used = 0;

  constructor(private readonly params: CanonicalParams) {}

  /** Of the params that were written last. */
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

  /** Of the params that were written last. It is found until `end`, before earlier ones of the same question, if others `mayJoin` it. */
  begin(
    method: string,
    hash: number,
    size: number,
    departure: Departure,
    mayKeep: boolean,
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
    const inFlightCall = new InFlightCall(method, hash, this.#block, start, size, departure, mayKeep, place);
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
