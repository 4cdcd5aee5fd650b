/**
 * The instruments of the metrics: plain fields that are changed in place, so that counting allocates nothing and takes
 * some nanoseconds (docs/decisions/0086).
 */

/** A number that only grows. */
export class Counter {
  value = 0;

  add(by = 1): void {
    this.value += by;
  }
}

/** The number of observations up to each bound, and their sum. */
export class Histogram {
  /** Not cumulative. One more than there are bounds: the last one counts the values above all of them. */
  readonly counts: Float64Array;
  sum = 0;

  /** `bounds`: upper bounds, ascending. */
  constructor(private readonly bounds: readonly number[]) {
    this.counts = new Float64Array(bounds.length + 1);
  }

  observe(value: number): void {
    const { bounds, counts } = this;
    let at = 0;
    while (at < bounds.length && value > (bounds[at] ?? 0)) at++;
    counts[at] = (counts[at] ?? 0) + 1;
    this.sum += value;
  }
}
