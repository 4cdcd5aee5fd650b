/** A wait that another function can end early. */

import { pause } from '@flowgate/async/bounded-waits';

export class Wake {
  #waiting = new AbortController();

  /** Ends the current wait, or the next one. */
  now(): void {
    this.#waiting.abort();
  }

  /** Resolves when it is woken, when `signal` is aborted, or after this many milliseconds. */
  async wait(ms: number, signal: AbortSignal): Promise<void> {
    await pause(ms, AbortSignal.any([this.#waiting.signal, signal]));
    if (this.#waiting.signal.aborted) this.#waiting = new AbortController();
  }
}
