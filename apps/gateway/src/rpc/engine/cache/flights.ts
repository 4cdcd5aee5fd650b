/** Calls that are under way, found by method and canonical params, so that equal ones become one (contract/cache#identical). */

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

export class Flight {
  next: Flight | undefined;
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
export type Follow = (flight: Flight, call: NodeCall) => Promise<NodeReply<NodeAnswer>>;

/** A loop over a usual call's params takes up to three times as long, and a view for `set` twice. */
const { copy } = Buffer.prototype;

/** Keys are copied side by side into blocks, which are freed with the last flight of each. */
const blockBytes = 32_768;
/** Lists of calls by their number. A power of two: as many calls as are under way at a time have short lists; in a map that grows and shrinks with each call, finding, adding and removing one takes 40 ns more. */
const lists = 4_096;

export class Flights {
  readonly #byHash = new Array<Flight | undefined>(lists).fill(undefined);
  #block = new Uint8Array(0);
  #used = 0;

  constructor(private readonly params: CanonicalParams) {}

  /** Of the params that were written last. */
  find(hash: number, method: string, size: number): Flight | undefined {
    let flight = this.#byHash[hash & (lists - 1)];
    while (
      flight !== undefined &&
      !(
        flight.hash === hash &&
        flight.method === method &&
        flight.keySize === size &&
        this.params.isAt(flight.key, flight.keyStart, size)
      )
    )
      flight = flight.next;
    return flight;
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
  ): Flight {
    if (this.#used + size > this.#block.length) {
      this.#block = new Uint8Array(Math.max(blockBytes, size));
      this.#used = 0;
    }
    const start = this.#used;
    copy.call(this.params.bytes, this.#block, start, 0, size);
    this.#used += size;
    const flight = new Flight(method, hash, this.#block, start, size, departure, mayKeep, place);
    if (!mayJoin) return flight;
    const list = hash & (lists - 1);
    flight.next = this.#byHash[list];
    this.#byHash[list] = flight;
    return flight;
  }

  end(flight: Flight): void {
    const list = flight.hash & (lists - 1);
    const first = this.#byHash[list];
    if (first === flight) {
      this.#byHash[list] = flight.next;
      return;
    }
    for (let each = first; each !== undefined; each = each.next)
      if (each.next === flight) {
        each.next = flight.next;
        return;
      }
  }
}
