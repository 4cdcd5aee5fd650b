/** How many pings and pongs a caller may send: no request counts them, although each costs time (contract/websocket#messages). */

/** At once. */
export const maxControlFrames = 100;
/** On average. */
export const controlFramesPerSecond = 10;

export class ControlFrameRate {
  #count = 0;
  #atMs: number;

  constructor(nowMs: number) {
    this.#atMs = nowMs;
  }

  /** Counts one. False: there were too many. */
  count(nowMs: number): boolean {
    const regained = ((nowMs - this.#atMs) / 1_000) * controlFramesPerSecond;
    this.#atMs = nowMs;
    this.#count = Math.max(0, this.#count - regained) + 1;
    return this.#count <= maxControlFrames;
  }
}
