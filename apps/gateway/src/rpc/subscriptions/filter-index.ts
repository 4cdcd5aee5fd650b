/** Finds who wants a log: filters that want the same are one, and are found by an address or a topic, so that a log costs in proportion to those that match it. */

import { type FilteredLog, type LogFilter, matchesFilter } from './log-filter.ts';

export type FilterGroup<Member> = { readonly filter: LogFilter; readonly members: ReadonlySet<Member> };

type Group<Member> = { readonly filter: LogFilter; readonly members: Set<Member> };

export class FilterIndex<Member> {
  readonly #groups = new Map<string, Group<Member>>();
  /** By an address, or a topic after its position. */
  readonly #byValue = new Map<string, Set<Group<Member>>>();
  /** Those that neither an address nor a topic leads to. */
  readonly #open = new Set<Group<Member>>();
  #size = 0;

  /** Members, of all filters together. */
  get size(): number {
    return this.#size;
  }

  get groups(): Iterable<FilterGroup<Member>> {
    return this.#groups.values();
  }

  /** A member has one filter. */
  add(filter: LogFilter, member: Member): void {
    const known = this.#groups.get(filter.key);
    this.#size++;
    if (known !== undefined) {
      known.members.add(member);
      return;
    }
    const group = { filter, members: new Set([member]) };
    this.#groups.set(filter.key, group);
    const values = valuesOf(filter);
    if (values === undefined) this.#open.add(group);
    else
      for (const value of values) {
        const there = this.#byValue.get(value);
        if (there === undefined) this.#byValue.set(value, new Set([group]));
        else there.add(group);
      }
  }

  remove(filter: LogFilter, member: Member): void {
    const group = this.#groups.get(filter.key);
    if (group?.members.delete(member) !== true) return;
    this.#size--;
    if (group.members.size > 0) return;
    this.#groups.delete(filter.key);
    this.#open.delete(group);
    for (const value of valuesOf(filter) ?? []) {
      const there = this.#byValue.get(value);
      there?.delete(group);
      if (there?.size === 0) this.#byValue.delete(value);
    }
  }

  /** Each filter that wants the log, once. */
  matching(log: FilteredLog): readonly FilterGroup<Member>[] {
    const found: Group<Member>[] = [];
    this.#take(this.#open, log, found);
    this.#take(this.#byValue.get(log.address), log, found);
    for (const [at, topic] of log.topics.entries()) this.#take(this.#byValue.get(`${at} ${topic}`), log, found);
    return found;
  }

  #take(groups: ReadonlySet<Group<Member>> | undefined, log: FilteredLog, found: Group<Member>[]): void {
    if (groups === undefined) return;
    for (const group of groups) if (matchesFilter(group.filter, log)) found.push(group);
  }
}

/** What leads to a filter: its addresses, or the topics of its first position that wants one. A log has one of each, so it finds no filter twice. */
function valuesOf({ addresses, topics }: LogFilter): readonly string[] | undefined {
  if (addresses !== undefined) return [...addresses];
  for (const [at, wanted] of topics.entries())
    if (wanted !== undefined) return [...wanted].map((one) => `${at} ${one}`);
  return undefined;
}
