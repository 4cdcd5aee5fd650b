/** Limits the calls that are sent to a second node before the first has answered (contract/routing#hedging). */

/** Maximum number of saved hedges. The limit makes the percentage hold over any period, without a burst in a slow phase. */
const maxSaved = 10;

export class HedgeBudget {
  #saved = 0;

  constructor(private readonly maxPercent: number) {}

  /** Counts a call, which saves a fraction of a hedge. */
  earn(): void {
    this.#saved = Math.min(maxSaved, this.#saved + this.maxPercent / 100);
  }

  /** Uses a saved hedge; false if none is saved. */
  spend(): boolean {
    // Tolerates rounding errors of the sum of fractions.
    if (this.#saved < 1 - 1e-9) return false;
    this.#saved -= 1;
    return true;
  }
}
