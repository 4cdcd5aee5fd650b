/** The times of admitted requests, for each identity, kept while they count and no longer. */

const firstCapacity = 4;

/**
 * A ring of admitted times. Times are monotonic milliseconds; an entry counts from its time `t` until, not including, `t + windowMs`.
 * It grows by doubling up to what its limit admits, so an identity that calls once costs a few dozen bytes.
 */
class Window {
  private times = new Array<number>(firstCapacity).fill(0);
  private head = 0;
  size = 0;

  constructor(private readonly windowMs: number) {}

  /** Milliseconds until `cost` more fit under `limit`: 0 means now. `cost` must not exceed `limit`. */
  waitFor(cost: number, limit: number, now: number): number {
    this.expire(now);
    const excess = this.size + cost - limit;
    if (excess <= 0) return 0;
    const lastToLeave = this.times[(this.head + excess - 1) % this.times.length] ?? now;
    return Math.max(1, lastToLeave + this.windowMs - now);
  }

  add(cost: number, now: number): void {
    if (this.size + cost > this.times.length) this.grow(this.size + cost);
    const { length } = this.times;
    let tail = (this.head + this.size) % length;
    for (let added = 0; added < cost; added++) {
      this.times[tail] = now;
      tail = tail + 1 === length ? 0 : tail + 1;
    }
    this.size += cost;
  }

  /** Adds without asking for room, and drops times that no longer count. */
  record(cost: number, now: number): void {
    this.expire(now);
    this.add(cost, now);
  }

  /** Takes back up to `cost` entries that were added at exactly `at`. */
  remove(cost: number, at: number): void {
    const { length } = this.times;
    const timeAt = (position: number) => this.times[(this.head + position) % length] ?? 0;
    let end = this.size;
    while (end > 0 && timeAt(end - 1) > at) end -= 1;
    let removed = 0;
    while (removed < cost && end - removed > 0 && timeAt(end - removed - 1) === at) removed += 1;
    if (removed === 0) return;
    for (let position = end; position < this.size; position++)
      this.times[(this.head + position - removed) % length] = timeAt(position);
    this.size -= removed;
  }

  untilOldestLeaves(now: number): number {
    return this.size === 0 ? 0 : Math.max(0, (this.times[this.head] ?? now) + this.windowMs - now);
  }

  private expire(now: number): void {
    const leftBefore = now - this.windowMs;
    while (this.size > 0 && (this.times[this.head] ?? now) <= leftBefore) {
      this.head = this.head + 1 === this.times.length ? 0 : this.head + 1;
      this.size -= 1;
    }
  }

  private grow(needed: number): void {
    let capacity = this.times.length;
    while (capacity < needed) capacity *= 2;
    const grown = new Array<number>(capacity).fill(0);
    for (let at = 0; at < this.size; at++) grown[at] = this.times[(this.head + at) % this.times.length] ?? 0;
    this.times = grown;
    this.head = 0;
  }
}

/**
 * Windows by identity, in two generations. Every `windowMs` the older generation is dropped whole: an identity that was not asked for during a whole generation has
 * nothing left that counts. So dropping needs no timer and no scan, and memory is bounded by the identities seen in two windows. Beyond `maxIdentities` new
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
