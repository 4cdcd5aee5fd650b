/** Counts by name. A name with a count of 0 uses no memory. */

export class Tally {
  readonly #counts = new Map<string, number>();
  #total = 0;

  /** The count of a name; 0 when it has none. */
  of(name: string): number {
    return this.#counts.get(name) ?? 0;
  }

  /** `by`: a whole number, default 1. */
  add(name: string, by = 1): void {
    this.#set(name, this.of(name) + by);
    this.#total += by;
  }

  /** Throws a RangeError when the count would become negative, which is a bug. */
  remove(name: string, by = 1): void {
    const rest = this.of(name) - by;
    if (rest < 0) throw new RangeError('more was removed than had been added');
    this.#set(name, rest);
    this.#total -= by;
  }

  /** The sum of all counts. */
  get total(): number {
    return this.#total;
  }

  /** The counts by name, without zeros. A live view. */
  get counts(): ReadonlyMap<string, number> {
    return this.#counts;
  }

  #set(name: string, count: number): void {
    if (count === 0) this.#counts.delete(name);
    else this.#counts.set(name, count);
  }
}
