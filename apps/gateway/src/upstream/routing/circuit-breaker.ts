/** The circuit breaker of one node (contract/routing#circuit-breaker). Has no clock: times are monotonic milliseconds. */

import { backOffMs } from '@flowgate/async/back-off';

/** Opens if half of at least `minCalls` calls within the window failed, or `unsentInARow` calls in a row could not be sent. */
export const opening = { minCalls: 10, failedShare: 0.5, windowMs: 10_000, unsentInARow: 5 } as const;
/** Time from opening, or from a failed probe, to the next probe. */
export const waits = { firstMs: 1_000, maxMs: 60_000 } as const;
const successesToClose = 2;
/**
 * After closing, calls ramp up: at first one in flight, and one more with each success. During the ramp it opens again if half of at least `minCalls` failed, and the wait grows further.
 * The ramp ends after `successes` successes, or after the window.
 */
const ramp = { minCalls: 2, successes: 32 } as const;
const unlimited = Number.POSITIVE_INFINITY;
const bucketMs = 1_000;
const buckets = opening.windowMs / bucketMs;

/** Identifies the state in which a try began, and whether the try is the probe. Opaque; must be returned exactly once. */
export type Ticket = number;

/** The ticket of a try whose outcome does not count. */
export const uncounted: Ticket = -1;

export class CircuitBreaker {
  #isOpen = false;
  /** Counts openings and closings. The outcome of a try from an earlier epoch is ignored. */
  #epoch = 0;
  readonly #calls = new Uint32Array(buckets);
  readonly #failures = new Uint32Array(buckets);
  #newestBucket = 0;
  /** When the latest try began. Successes are counted at this time, which saves a clock read. */
  #latestMs = 0;
  #unsentInARow = 0;
  #nthWait = 0;
  #probeAtMs = 0;
  #isProbing = false;
  #successes = 0;
  /** Maximum calls in flight; unlimited outside a ramp. */
  #allowed = unlimited;
  /** Calls in flight that began during the ramp. */
  #inFlight = 0;
  #rampEndMs = 0;

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Whether other nodes are preferred: the circuit is open, or the ramp's limit is reached. */
  get isAvoided(): boolean {
    return this.#isOpen || this.#inFlight >= this.#allowed;
  }

  /** Milliseconds from the last opening or failed probe to the next probe; 0 while closed. */
  get waitMs(): number {
    return this.#isOpen ? backOffMs(waits, this.#nthWait) : 0;
  }

  /** Whether the next call may be the probe. */
  isDue(nowMs: number): boolean {
    return this.#isOpen && !this.#isProbing && nowMs >= this.#probeAtMs;
  }

  /** `half-open`: a probe is in flight, or the next read is the probe. */
  stateAt(nowMs: number): 'closed' | 'open' | 'half-open' {
    if (!this.#isOpen) return 'closed';
    return this.#isProbing || nowMs >= this.#probeAtMs ? 'half-open' : 'open';
  }

  /** The time of the next probe; 0 if the circuit was never open. */
  get probeAtMs(): number {
    return this.#probeAtMs;
  }

  /** Begins a try. It is the probe if one is due. */
  begin(nowMs: number): Ticket {
    this.#latestMs = nowMs;
    const ticket = this.#epoch * 2;
    if (this.#allowed !== unlimited) {
      if (nowMs >= this.#rampEndMs) this.#endRamp();
      else this.#inFlight++;
    }
    if (!this.#isOpen || !this.isDue(nowMs)) return ticket;
    this.#isProbing = true;
    return ticket + 1;
  }

  /** Returns whether the circuit has closed. */
  succeeded(ticket: Ticket): boolean {
    if (!this.#isOpen) {
      if (ticket === this.#epoch * 2) {
        this.#unsentInARow = 0;
        this.#count(this.#latestMs, this.#calls);
        if (this.#allowed !== unlimited) this.#climb();
      }
      return false;
    }
    // While open, only the probe counts. Other calls were sent because no other node was left.
    if (!this.#endProbe(ticket)) return false;
    this.#successes++;
    // After a successful probe, the next probe need not wait.
    this.#probeAtMs = 0;
    if (this.#successes < successesToClose) return false;
    this.#close();
    return true;
  }

  /** `sent`: whether any byte of the call may have been sent. Returns whether the circuit has opened. */
  failed(ticket: Ticket, nowMs: number, sent: boolean): boolean {
    if (this.#isOpen) {
      if (!this.#endProbe(ticket)) return false;
      this.#successes = 0;
      this.#wait(nowMs);
      return false;
    }
    if (epochOf(ticket) !== this.#epoch) return false;
    this.#leave();
    this.#unsentInARow = sent ? 0 : this.#unsentInARow + 1;
    this.#count(nowMs, this.#calls);
    this.#count(nowMs, this.#failures);
    if (this.#unsentInARow < opening.unsentInARow && !this.#failsOften()) return false;
    this.#isOpen = true;
    this.#epoch++;
    this.#successes = 0;
    if (this.#allowed === unlimited) this.#nthWait = 0;
    this.#endRamp();
    this.#wait(nowMs);
    return true;
  }

  /** Ends a try whose outcome says nothing about the node. */
  dropped(ticket: Ticket): void {
    if (!this.#endProbe(ticket) && epochOf(ticket) === this.#epoch) this.#leave();
  }

  #endProbe(ticket: Ticket): boolean {
    const isProbe = ticket % 2 === 1 && epochOf(ticket) === this.#epoch;
    if (isProbe) this.#isProbing = false;
    return isProbe;
  }

  #wait(nowMs: number): void {
    this.#nthWait++;
    this.#probeAtMs = nowMs + backOffMs(waits, this.#nthWait);
  }

  #close(): void {
    this.#isOpen = false;
    this.#isProbing = false;
    this.#epoch++;
    this.#allowed = 1;
    this.#inFlight = 0;
    this.#rampEndMs = this.#latestMs + opening.windowMs;
    this.#calls.fill(0);
    this.#failures.fill(0);
    this.#unsentInARow = 0;
  }

  #climb(): void {
    this.#leave();
    this.#allowed++;
    if (this.#allowed > ramp.successes) this.#endRamp();
  }

  /** Ends a call of the ramp. */
  #leave(): void {
    if (this.#inFlight > 0) this.#inFlight--;
  }

  #endRamp(): void {
    this.#allowed = unlimited;
    this.#inFlight = 0;
  }

  #count(atMs: number, counts: Uint32Array): void {
    const bucket = Math.floor(atMs / bucketMs);
    if (bucket > this.#newestBucket) this.#advance(bucket);
    const at = this.#newestBucket % buckets;
    counts[at] = (counts[at] ?? 0) + 1;
  }

  #advance(bucket: number): void {
    for (let next = Math.max(this.#newestBucket, bucket - buckets) + 1; next <= bucket; next++) {
      this.#calls[next % buckets] = 0;
      this.#failures[next % buckets] = 0;
    }
    this.#newestBucket = bucket;
  }

  #failsOften(): boolean {
    let calls = 0;
    let failures = 0;
    for (const count of this.#calls) calls += count;
    for (const count of this.#failures) failures += count;
    const minCalls = this.#allowed === unlimited ? opening.minCalls : ramp.minCalls;
    return calls >= minCalls && failures >= calls * opening.failedShare;
  }
}

function epochOf(ticket: Ticket): number {
  return Math.floor(ticket / 2);
}
