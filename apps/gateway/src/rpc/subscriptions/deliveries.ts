/** Tells many subscribers without holding up the event loop: what is to be told stands in a queue and is told in its order, some at a time. */

import type { TimeSlices } from '@flowgate/async/time-slices';

/** Tells somebody with each step, and yields after some. */
export type Delivery = Iterator<undefined, void>;

/** Subscribers that are told before others have their turn. */
export const reportsInATurn = 16;
/** Blocks, or parts of them, that wait: as many wait only when the process cannot keep up. */
const maxWaiting = 4_096;

export class Deliveries {
  readonly #waiting: Delivery[] = [];
  #isRunning = false;
  #isClosed = false;

  constructor(
    private readonly slices: TimeSlices,
    /** Too much waits, so that what is told would be old; or somebody could not be told. */
    private readonly failed: () => void,
  ) {}

  add(delivery: Delivery): void {
    if (this.#isClosed) return;
    this.#waiting.push(delivery);
    if (this.#waiting.length > maxWaiting) this.failed();
    else if (!this.#isRunning) this.#run();
  }

  close(): void {
    this.#isClosed = true;
    this.#waiting.length = 0;
  }

  #run(): void {
    this.#isRunning = true;
    this.slices
      .run(() => {
        const [first] = this.#waiting;
        if (first?.next().done === true) this.#waiting.shift();
        this.#isRunning = this.#waiting.length > 0;
        return !this.#isRunning;
      })
      .catch(this.failed);
  }
}
