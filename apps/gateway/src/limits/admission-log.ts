/** The times of admitted requests of each identity, stored while they count. */

const firstCapacity = 4;

/**
 * A ring of admitted times in monotonic milliseconds. An entry counts from its time `t` until `t + windowMs`, exclusive. A batch is one entry, regardless of
 * its cost. The ring doubles when it is full, so an identity that calls once costs a few dozen bytes.
 */
class Window {
  private times = new Array<number>(firstCapacity).fill(0);
  /** For each entry, the number of requests ever admitted up to and including this entry. Absent while every entry is one request. */
  private totals: number[] | undefined;
  private head = 0;
  /** The number of entries. */
  private count = 0;
  /** `admitted`: the number of requests ever admitted. `gone`: how many of them no longer count. */
  private admitted = 0;
  private gone = 0;

  constructor(private readonly windowMs: number) {}

  /** The number of requests that count. */
  get size(): number {
    return this.admitted - this.gone;
  }

  /** Milliseconds until `cost` more requests fit under `limit`; 0 means now. `cost` must not exceed `limit`. */
  waitFor(cost: number, limit: number, now: number): number {
    this.expire(now);
    const excess = this.size + cost - limit;
    if (excess <= 0) return 0;
    const lastToLeave = this.times[this.placeOf(this.entryWith(excess))] ?? now;
    return Math.max(1, lastToLeave + this.windowMs - now);
  }

  add(cost: number, now: number): void {
    if (cost !== 1) this.totals ??= this.times.map((_, at) => this.gone + this.nthOf(at) + 1);
    if (this.count === this.times.length) this.grow();
    const place = this.placeOf(this.count);
    this.count += 1;
    this.admitted += cost;
    this.times[place] = now;
    if (this.totals !== undefined) this.totals[place] = this.admitted;
  }

  /** Adds regardless of the limit, and drops times that no longer count. */
  record(cost: number, now: number): void {
    this.expire(now);
    this.add(cost, now);
  }

  /** Removes up to `cost` requests that were added at exactly `at`. */
  remove(cost: number, at: number): void {
    let nth = this.count - 1;
    while (nth >= 0 && (this.times[this.placeOf(nth)] ?? 0) > at) nth -= 1;
    const later = this.takeFrom(nth + 1);
    let left = cost;
    while (left > 0 && this.count > 0 && this.times[this.placeOf(this.count - 1)] === at) {
      const [[, amount = 0] = []] = this.takeFrom(this.count - 1);
      if (amount > left) this.add(amount - left, at);
      left -= Math.min(left, amount);
    }
    for (const [time, amount] of later) this.add(amount, time);
  }

  untilOldestLeaves(now: number): number {
    return this.count === 0 ? 0 : Math.max(0, (this.times[this.head] ?? now) + this.windowMs - now);
  }

  private expire(now: number): void {
    const leftBefore = now - this.windowMs;
    while (this.count > 0 && (this.times[this.head] ?? now) <= leftBefore) {
      this.gone = this.totals === undefined ? this.gone + 1 : (this.totals[this.head] ?? this.admitted);
      this.head = this.head + 1 === this.times.length ? 0 : this.head + 1;
      this.count -= 1;
    }
  }

  private placeOf(nth: number): number {
    const place = this.head + nth;
    return place < this.times.length ? place : place - this.times.length;
  }

  private nthOf(place: number): number {
    return place >= this.head ? place - this.head : place - this.head + this.times.length;
  }

  /** The entry that contains the last of the `requests` oldest requests. */
  private entryWith(requests: number): number {
    const { totals } = this;
    if (totals === undefined) return requests - 1;
    const wanted = this.gone + requests;
    let [low, high] = [0, this.count - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((totals[this.placeOf(middle)] ?? 0) < wanted) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Removes all entries from index `nth` on. Returns the time and the number of requests of each. */
  private takeFrom(nth: number): [time: number, amount: number][] {
    const taken: [number, number][] = [];
    while (this.count > nth) {
      const place = this.placeOf(this.count - 1);
      this.count -= 1;
      const before = this.count === 0 ? this.gone : (this.totals?.[this.placeOf(this.count - 1)] ?? this.admitted - 1);
      taken.push([this.times[place] ?? 0, this.admitted - before]);
      this.admitted = before;
    }
    return taken.reverse();
  }

  private grow(): void {
    const { times, totals, count } = this;
    const more = new Array<number>(count).fill(0);
    const ordered = (ring: readonly number[]) => [...ring.slice(this.head), ...ring.slice(0, this.head), ...more];
    this.times = ordered(times);
    if (totals !== undefined) this.totals = ordered(totals);
    this.head = 0;
  }
}

/**
 * Windows by identity, in two generations. Every `windowMs` the older generation is dropped whole: an identity without a request during a whole generation has
 * no entry that still counts. Dropping needs no timer and no scan, and memory is bounded by the identities of two windows. Beyond `maxIdentities` new
 * identities share one window, which refuses too early but never too late.
 */
export class AdmissionLog {
  private current = new Map<string, Window>();
  private previous = new Map<string, Window>();
  private turnedAt = 0;
  private readonly shared: Window;

  constructor(
    private readonly windowMs: number,
    private readonly maxIdentities = Number.POSITIVE_INFINITY,
  ) {
    this.shared = new Window(windowMs);
  }

  of(identity: string, now: number): Window {
    if (now - this.turnedAt >= this.windowMs) this.turn(now);
    const known = this.current.get(identity);
    if (known !== undefined) return known;
    const older = this.previous.get(identity);
    if (older !== undefined) {
      this.previous.delete(identity);
      this.current.set(identity, older);
      return older;
    }
    if (this.current.size + this.previous.size >= this.maxIdentities) return this.shared;
    const fresh = new Window(this.windowMs);
    this.current.set(identity, fresh);
    return fresh;
  }

  get identities(): number {
    return this.current.size + this.previous.size;
  }

  private turn(now: number): void {
    this.previous = this.current;
    this.current = new Map();
    this.turnedAt = now;
  }
}
