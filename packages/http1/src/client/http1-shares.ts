/** The share of a client's connections and waiting places that one owner may have, so that its calls leave room for those of others (docs/decisions/0053). */

/** A call. Only its owner matters here. */
type Owned = { readonly call: { readonly owner?: string | undefined } };

export type PoolLimits = { readonly maxConnections: number; readonly maxWaiting: number };

/**
 * An owner may use one more connection while it has less than this many times the free ones. One owner alone gets three
 * quarters of all, a second one three quarters of the rest.
 */
const timesFree = 3;

export const hasShare = (has: number, free: number): boolean => has < timesFree * free;
/** How many more connections the owner may use, one after another. */
const shareLeft = (has: number, free: number): number =>
  Math.max(0, Math.ceil((timesFree * free - has) / (timesFree + 1)));

/**
 * `carriers` carry one call each: connections, or slots of connections that carry several. `carrying` is the number of
 * connections that carry a call of any owner. No owner has more than that, so calls are not counted by owner while the
 * number is small (nearly always). Calls without an owner are the gateway's own and have no share.
 */
export class Http1Shares<Call extends Owned> {
  constructor(
    private readonly carriers: Iterable<{ readonly caller: string | undefined }>,
    private readonly waiting: ReadonlySet<Call>,
    private readonly limits: PoolLimits,
  ) {}

  /** Whether the call may use a connection that is idle or still to be opened. */
  mayCarry({ call }: Owned, carrying: number): boolean {
    const free = this.limits.maxConnections - carrying;
    if (hasShare(carrying, free)) return true;
    const { owner } = call;
    return owner === undefined || hasShare(this.#carriedOf(owner), free);
  }

  /** `unserved`: the number of waiting calls for which no connection is being opened. */
  mayWait({ call }: Owned, unserved: number): boolean {
    const free = this.limits.maxWaiting - unserved;
    if (hasShare(unserved, free)) return true;
    const { owner } = call;
    return owner === undefined ? free > 0 : hasShare(this.#waitingOf(owner), free);
  }

  /** The waiting call that gets a free connection: the oldest one whose owner has share left. */
  next(carrying: number): Call | undefined {
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

  /** The number of waiting calls that may be sent now. No more connections than that are opened for them. */
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
    for (const { caller } of this.carriers) if (caller === owner) count++;
    return count;
  }

  #waitingOf(owner: string): number {
    let count = 0;
    for (const { call } of this.waiting) if (call.owner === owner) count++;
    return count;
  }
}
