/** Closes connections that are idle for too long. It checks for use at intervals, so that a call costs no timer operation (docs/decisions/0083). */
import type { Deadline, TimerWheel } from '@flowgate/async/timer-wheel';

/** The client stops using a connection this long before the server's own keep-alive time ends. */
const keepAliveMarginMs = 1_000;

export class IdleWatch {
  #deadline: Deadline | undefined;
  /** The interval of the armed timer in milliseconds; 0 when none is armed. */
  #everyMs = 0;
  #isUsed = false;
  readonly #look = () => this.#looked();

  constructor(
    private readonly timerWheel: TimerWheel,
    private readonly connection: { readonly isBusy: boolean; retire(): void },
  ) {}

  /** The connection carries a call. */
  used(): void {
    this.#isUsed = true;
  }

  /**
   * The connection has become idle. It is closed after half to all of the keep-alive time that both sides allow.
   * `serverMs`: the server's own keep-alive time.
   */
  rest(idleTimeoutMs: number, serverMs: number | undefined): void {
    const maxMs = serverMs === undefined ? idleTimeoutMs : Math.min(idleTimeoutMs, serverMs - keepAliveMarginMs);
    if (maxMs <= 0) this.connection.retire();
    else if (maxMs / 2 !== this.#everyMs) this.#arm(maxMs / 2);
  }

  stop(): void {
    if (this.#deadline !== undefined) this.timerWheel.disarm(this.#deadline);
    this.#deadline = undefined;
  }

  #arm(ms: number): void {
    this.stop();
    this.#everyMs = ms;
    this.#isUsed = false;
    this.#deadline = this.timerWheel.arm(ms, this.#look);
  }

  #looked(): void {
    if (this.connection.isBusy || this.#isUsed) this.#arm(this.#everyMs);
    else this.connection.retire();
  }
}
