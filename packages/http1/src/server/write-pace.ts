/**
 * Decides whether a caller fetches too slowly what waits for it (contract/bounds#slow-readers). Time counts only while something waits, so that neither a slow node nor a quiet
 * stream counts against its reader.
 */

export type WriteLimits = {
  /** Milliseconds: the longest time without any byte, and the window over which the rate is measured. */
  readonly writeMs: number;
  /** In a window. */
  readonly minWriteBytesPerSecond: number;
  /** Milliseconds that one answer may wait for its caller in all. */
  readonly maxWriteMs: number;
};

/** All times are monotonic milliseconds. */
export class WritePace {
  #waitsSinceMs: number | undefined;
  #tookMs = 0;
  #windowMs = 0;
  #windowBytes = 0;
  #totalMs = 0;

  /** Something waits from now on. Repeating is harmless. */
  wait(nowMs: number): void {
    if (this.#waitsSinceMs !== undefined) return;
    this.#waitsSinceMs = nowMs;
    this.#tookMs = nowMs;
  }

  /** Nothing waits any more. */
  rest(nowMs: number): void {
    this.#count(nowMs);
    this.#waitsSinceMs = undefined;
  }

  /** The system took bytes, whether others wait or not. */
  took(bytes: number, nowMs: number): void {
    this.#windowBytes += bytes;
    if (bytes > 0) this.#tookMs = nowMs;
  }

  /** Another answer begins to wait. */
  restartTotal(): void {
    this.#totalMs = 0;
  }

  /** Whether nothing was taken for too long. */
  isStuck(nowMs: number, { writeMs }: WriteLimits): boolean {
    return this.#waitsSinceMs !== undefined && nowMs - this.#tookMs > writeMs;
  }

  /** Whether it is stuck, or less than the minimum was taken in a whole window. To be called several times in a window. */
  isTooSlow(nowMs: number, limits: WriteLimits): boolean {
    if (this.isStuck(nowMs, limits)) return true;
    this.#count(nowMs);
    if (this.#windowMs <= limits.writeMs) return false;
    const isTooSlow = this.#windowBytes * 1000 < limits.minWriteBytesPerSecond * this.#windowMs;
    this.#windowMs = 0;
    this.#windowBytes = 0;
    return isTooSlow;
  }

  /** Whether the answer waited longer than it may in all. */
  isTooLong(nowMs: number, { maxWriteMs }: WriteLimits): boolean {
    this.#count(nowMs);
    return this.#totalMs > maxWriteMs;
  }

  #count(nowMs: number): void {
    if (this.#waitsSinceMs === undefined) return;
    const ms = nowMs - this.#waitsSinceMs;
    this.#windowMs += ms;
    this.#totalMs += ms;
    this.#waitsSinceMs = nowMs;
  }
}
