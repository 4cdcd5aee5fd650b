/** How many of something each name has at the moment. A name that has none takes no room. */

export class Tally {
  readonly #counts = new Map<string, number>();
  #total = 0;

  /** 0 for a name that has none. */
  of(name: string): number {
    return this.#counts.get(name) ?? 0;
  }

  /** `by`: a whole number, 1 unless told. */
  add(name: string, by = 1): void {
    this.#set(name, this.of(name) + by);
    this.#total += by;
  }

  /** Taking away more than there is is a bug, and throws a RangeError. */
  remove(name: string, by = 1): void {
    const rest = this.of(name) - by;
    if (rest < 0) throw new RangeError('More was taken away than there is.');
    this.#set(name, rest);
    this.#total -= by;
  }

  /** Of all names together. */
  get total(): number {
    return this.#total;
  }

  /** Each name that has any, with its number. A view: it follows what is added and removed. */
  get counts(): ReadonlyMap<string, number> {
    return this.#counts;
  }

  #set(name: string, count: number): void {
    if (count === 0) this.#counts.delete(name);
    else this.#counts.set(name, count);
  }
}
