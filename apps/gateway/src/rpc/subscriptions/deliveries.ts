/**
 * Reports to many subscribers without blocking the event loop: reports wait in a queue and are delivered in order, a
 * few per turn.
 */

import type { TimeSlices } from '@flowgate/async/time-slices';

/** Each step reports to one or a few subscribers; the iterator yields after `reportsInATurn` reports. */
export type Delivery = Iterator<undefined, void>;

/** The number of reports in one turn of the event loop. */
export const reportsInATurn = 16;
/** The maximum number of queued deliveries. The queue is this long only when the process cannot keep up. */
const maxWaiting = 4_096;

export class Deliveries {
  readonly #waiting: Delivery[] = [];
  #isRunning = false;
  #isClosed = false;

  constructor(
    private readonly slices: TimeSlices,
    /** Called when the queue is too long, so that reports would be late, or when a report failed. */
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
