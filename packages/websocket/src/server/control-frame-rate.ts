/**
 * Limits the pings and pongs of a caller: each takes time, and none counts as a request (contract/websocket#messages).
 */

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

  /** Counts one frame. Returns false when there were too many. */
  count(nowMs: number): boolean {
    const regained = ((nowMs - this.#atMs) / 1_000) * controlFramesPerSecond;
    this.#atMs = nowMs;
    this.#count = Math.max(0, this.#count - regained) + 1;
    return this.#count <= maxControlFrames;
  }
}
