/**
 * Decides whether a caller fetches too slowly (contract/bounds#slow-readers). Time counts only while bytes wait, so
 * that neither a slow node nor a quiet stream counts against its reader.
 */

export type WriteLimits = {
  /** Milliseconds: the maximum time without any byte, and the window over which the rate is measured. */
  readonly writeMs: number;
  /** Measured over a window. */
  readonly minWriteBytesPerSecond: number;
  /** Milliseconds that one answer may wait for its caller in total. */
  readonly maxWriteMs: number;
};

/** All times are monotonic milliseconds. */
export class WritePace {
  #waitsSinceMs: number | undefined;
  #tookMs = 0;
  #windowMs = 0;
  #windowBytes = 0;
  #totalMs = 0;

  /** Bytes wait from now on. Idempotent. */
  wait(nowMs: number): void {
    if (this.#waitsSinceMs !== undefined) return;
    this.#waitsSinceMs = nowMs;
    this.#tookMs = nowMs;
  }

  /** No bytes wait any more. */
  rest(nowMs: number): void {
    this.#count(nowMs);
    this.#waitsSinceMs = undefined;
  }

  /** The system accepted bytes, whether others wait or not. */
  took(bytes: number, nowMs: number): void {
    this.#windowBytes += bytes;
    if (bytes > 0) this.#tookMs = nowMs;
  }

  /** Another answer begins to wait. */
  restartTotal(): void {
    this.#totalMs = 0;
  }

  /** Whether no bytes were accepted for too long. */
  isStuck(nowMs: number, { writeMs }: WriteLimits): boolean {
    return this.#waitsSinceMs !== undefined && nowMs - this.#tookMs > writeMs;
  }

  /**
   * Whether the caller is stuck, or fetched less than the minimum in a whole window. To be called several times per
   * window.
   */
  isTooSlow(nowMs: number, limits: WriteLimits): boolean {
    if (this.isStuck(nowMs, limits)) return true;
    this.#count(nowMs);
    if (this.#windowMs <= limits.writeMs) return false;
    const isTooSlow = this.#windowBytes * 1000 < limits.minWriteBytesPerSecond * this.#windowMs;
    this.#windowMs = 0;
    this.#windowBytes = 0;
    return isTooSlow;
  }

  /** Whether the answer waited longer than `maxWriteMs` in total. */
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
