/**
 * Finds the subscribers of a log. Equal filters form one group, and groups are indexed by address or topic, so the cost
 * of a log depends on the filters that it may match.
 */

import { type FilteredLog, type LogFilter, matchesFilter } from './log-filter.ts';

export type FilterGroup<Member> = { readonly filter: LogFilter; readonly members: ReadonlySet<Member> };

type Group<Member> = { readonly filter: LogFilter; readonly members: Set<Member> };

export class FilterIndex<Member> {
  readonly #groups = new Map<string, Group<Member>>();
  /** Groups by address, or by a topic with its position. */
  readonly #byValue = new Map<string, Set<Group<Member>>>();
  /** Groups that have neither an address nor a topic. */
  readonly #open = new Set<Group<Member>>();
  #size = 0;

  /** The number of members in all groups. */
  get size(): number {
    return this.#size;
  }

  get groups(): Iterable<FilterGroup<Member>> {
    return this.#groups.values();
  }

  /** A member may be added with only one filter. */
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

  /** Each group whose filter matches the log, once. */
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

/**
 * The keys of a filter in the index: its addresses, or else the topics of its first position with topics. A log has one
 * address and one topic per position, so it finds each group at most once.
 */
function valuesOf({ addresses, topics }: LogFilter): readonly string[] | undefined {
  if (addresses !== undefined) return [...addresses];
  for (const [at, wanted] of topics.entries())
    if (wanted !== undefined) return [...wanted].map((one) => `${at} ${one}`);
  return undefined;
}
