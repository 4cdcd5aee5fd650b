/** A wait that others end early. */

import { pause } from '@flowgate/async/bounded-waits';

export class Wake {
  #waiting = new AbortController();

  /** Ends the wait in progress, or the next one. */
  now(): void {
    this.#waiting.abort();
  }

  /** Until it is woken, `signal` is aborted, or so many milliseconds have passed. */
  async wait(ms: number, signal: AbortSignal): Promise<void> {
    await pause(ms, AbortSignal.any([this.#waiting.signal, signal]));
    if (this.#waiting.signal.aborted) this.#waiting = new AbortController();
  }
}
