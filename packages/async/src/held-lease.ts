/** A lease that this process owns in shared storage: renewed in time, with the knowledge of when it is certain (decisions/0011). */

import type { Clock } from '@flowgate/base/clock';

export type HeldLeaseOptions = {
  readonly ttlMs: number;
  readonly clock: Pick<Clock, 'monotonic'>;
  /** Monotonic time before the storage was asked for the lease. Time counts from here, so that the lease never ends later here than there. */
  readonly askedAtMs: number;
  /** `false` when the lease has another owner. Rejects when the storage does not answer. */
  readonly renew: () => Promise<boolean>;
  /** Gets what a scheduled renewal threw. */
  readonly onError: (error: unknown) => void;
  /** Called once, when the storage names another owner. */
  readonly onLost?: () => void;
};

/** Scheduled renewals within `ttlMs`. */
const renewalsPerTtl = 3;
/** After the last renewal the lease is certain for this part of its time. The rest covers clocks of different speeds, and the time that work needs to stop. */
const certainPart = 0.8;

export class HeldLease {
  #renewedAtMs: number;
  #isLost = false;
  #isEnded = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #renewing: Promise<unknown> = Promise.resolve();

  constructor(private readonly options: HeldLeaseOptions) {
    this.#renewedAtMs = options.askedAtMs;
    this.#schedule();
  }

  /** Whether the storage has named another owner. */
  get isLost(): boolean {
    return this.#isLost;
  }

  /** Milliseconds for which no other process can own the lease; zero or less when only the storage can say. */
  get certainForMs(): number {
    if (this.#isLost) return 0;
    return this.#renewedAtMs + this.options.ttlMs * certainPart - this.options.clock.monotonic();
  }

  /** Answers from memory while the lease is certain. Otherwise it renews the lease, and rejects when the storage does not answer. */
  async isOurs(): Promise<boolean> {
    if (!this.#isLost && this.certainForMs <= 0) await this.#renew();
    return !this.#isLost;
  }

  /** Stops renewing; resolves when no renewal is in flight. */
  async end(): Promise<void> {
    this.#isEnded = true;
    clearTimeout(this.#timer);
    await this.#renewing;
  }

  #schedule(): void {
    this.#timer = setTimeout(() => {
      this.#renewing = this.#renewOnTime();
    }, this.options.ttlMs / renewalsPerTtl);
  }

  async #renewOnTime(): Promise<void> {
    try {
      await this.#renew();
    } catch (error) {
      this.options.onError(error);
    }
    if (!this.#isLost && !this.#isEnded) this.#schedule();
  }

  async #renew(): Promise<void> {
    const askedAtMs = this.options.clock.monotonic();
    const isRenewed = await this.options.renew();
    if (this.#isLost) return;
    if (isRenewed) {
      this.#renewedAtMs = Math.max(this.#renewedAtMs, askedAtMs);
      return;
    }
    this.#isLost = true;
    this.options.onLost?.();
  }
}
