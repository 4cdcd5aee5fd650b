/** Ends a connection that nobody uses, at no cost to those who do: it looks now and then whether there was any use (docs/decisions/0066). */
import type { Deadline, TimerWheel } from '../timer-wheel.ts';

/** A server that names its keep-alive time closes then; we stop using the connection this much earlier. */
const keepAliveMarginMs = 1_000;

export class IdleWatch {
  #deadline: Deadline | undefined;
  /** What is armed; 0 when nothing is. */
  #everyMs = 0;
  #isUsed = false;
  readonly #look = () => this.#looked();

  constructor(
    private readonly timerWheel: TimerWheel,
    private readonly connection: { readonly isBusy: boolean; retire(): void },
  ) {}

  /** The connection carries something. */
  used(): void {
    this.#isUsed = true;
  }

  /** It carries nothing any more, and is ended between half of the time that both sides want to keep it and all of it. `serverMs`: the server's own hint. */
  rest(idleTimeoutMs: number, serverMs: number | undefined): void {
    const mostMs = serverMs === undefined ? idleTimeoutMs : Math.min(idleTimeoutMs, serverMs - keepAliveMarginMs);
    if (mostMs <= 0) this.connection.retire();
    else if (mostMs / 2 !== this.#everyMs) this.#arm(mostMs / 2);
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
