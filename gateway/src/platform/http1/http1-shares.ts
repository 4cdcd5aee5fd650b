/** What one owner may have of a client's connections and of its places to wait, so that the calls of one leave room for those of others (docs/decisions/0053). */
import type { Http1Connection } from './http1-connection.ts';
import type { Exchange } from './http1-exchange.ts';

export type PoolLimits = { readonly maxConnections: number; readonly maxWaiting: number };

/** An owner may take one more while it has less than this many times what is free: alone three quarters of all, and the next owner three quarters of the rest. */
const timesFree = 3;

export const hasShare = (has: number, free: number): boolean => has < timesFree * free;
/** How many it may take one after the other. */
const shareLeft = (has: number, free: number): number =>
  Math.max(0, Math.ceil((timesFree * free - has) / (timesFree + 1)));

/**
 * `carrying`: connections that carry a call, whoever's. Nobody has more than all have together, so that as long as that is little, which is nearly always, nothing is counted.
 * Calls without an owner are the gateway's own, and not bounded here.
 */
export class Http1Shares {
  constructor(
    private readonly connections: ReadonlySet<Http1Connection>,
    private readonly waiting: ReadonlySet<Exchange>,
    private readonly limits: PoolLimits,
  ) {}

  /** Whether it may go out on a connection that is idle or still to be made. */
  mayCarry({ call }: Exchange, carrying: number): boolean {
    const free = this.limits.maxConnections - carrying;
    if (hasShare(carrying, free)) return true;
    const { owner } = call;
    return owner === undefined || hasShare(this.#carriedOf(owner), free);
  }

  /** `unserved`: calls that wait and have no connection in sight. */
  mayWait({ call }: Exchange, unserved: number): boolean {
    const free = this.limits.maxWaiting - unserved;
    if (hasShare(unserved, free)) return true;
    const { owner } = call;
    return owner === undefined ? free > 0 : hasShare(this.#waitingOf(owner), free);
  }

  /** Of the calls that wait the one whose turn it is on a free connection: the oldest that may go out. */
  next(carrying: number): Exchange | undefined {
    const free = this.limits.maxConnections - carrying;
    const isPlenty = hasShare(carrying, free);
    let over: Set<string> | undefined;
    for (const exchange of this.waiting) {
      if (isPlenty) return exchange;
      const { owner } = exchange.call;
      if (owner === undefined) return exchange;
      if (over?.has(owner) === true) continue;
      if (hasShare(this.#carriedOf(owner), free)) return exchange;
      over ??= new Set();
      over.add(owner);
    }
    return undefined;
  }

  /** How many of the calls that wait may go out now, at most: no more connections are made for them. */
  servable(carrying: number): number {
    const free = this.limits.maxConnections - carrying;
    const { size } = this.waiting;
    if (hasShare(carrying + size - 1, free - size + 1)) return size;
    const left = new Map<string, number>();
    let count = 0;
    for (const { call } of this.waiting) {
      const { owner } = call;
      if (owner === undefined) count++;
      else {
        const more = left.get(owner) ?? shareLeft(this.#carriedOf(owner), free);
        if (more > 0) count++;
        left.set(owner, more - 1);
      }
    }
    return count;
  }

  #carriedOf(owner: string): number {
    let count = 0;
    for (const { caller } of this.connections) if (caller === owner) count++;
    return count;
  }

  #waitingOf(owner: string): number {
    let count = 0;
    for (const { call } of this.waiting) if (call.owner === owner) count++;
    return count;
  }
}
