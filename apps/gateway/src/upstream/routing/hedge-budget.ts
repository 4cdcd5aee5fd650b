/** How many calls may be sent to a second node before the first has answered (contract/routing#hedging). */

/** Calls that were not hedged leave room for this many at once later: the share holds over any stretch of calls, and a slow spell gets no burst. */
const maxSaved = 10;

export class HedgeBudget {
  #saved = 0;

  constructor(private readonly maxPercent: number) {}

  /** Counts a call. */
  earn(): void {
    this.#saved = Math.min(maxSaved, this.#saved + this.maxPercent / 100);
  }

  /** Whether one may be sent now; it is counted. */
  spend(): boolean {
    // Sums of fractions: what is missing to a whole one by their errors is no reason to refuse it.
    if (this.#saved < 1 - 1e-9) return false;
    this.#saved -= 1;
    return true;
  }
}
