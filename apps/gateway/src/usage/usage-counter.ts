/**
 * Counts requests in memory, by minute and series. It runs for every call: a label set that was counted before in this minute costs some look-ups and
 * allocates nothing (docs/decisions/0114). Counting, its bounds and the handover to the writer work on the same maps, so they share one file.
 */

import type { Clock } from '@flowgate/base/clock';
import { noLabel, otherLabel, type UsageOutcome, type Used } from '../api/used.ts';
import { binCount, binOf } from './duration-bins.ts';
import { seriesIdOf, type UsageLabels, type UsageSeries } from './usage-series.ts';

export const minuteMs = 60_000;

export type UsageBounds = {
  /** Label sets of one user; further ones are counted as `other`. */
  readonly ofUser: number;
  /** Label sets of all users; further ones are counted as `other` of their user. */
  readonly inAll: number;
  /** Cells that wait to be written; those of `other` may take half as many more. */
  readonly waiting: number;
};

/** About 40 MiB at the bounds. */
export const usageBounds: UsageBounds = { ofUser: 200, inAll: 20_000, waiting: 40_000 };

/** Beyond the bounds, the cells of users' `other` may use this multiple. */
const othersShare = 1.5;

/** Label sets without requests for this many minutes are forgotten, so that new ones can be counted. */
const rememberedMinutes = 10;

/** The counts of one minute. */
export type CountedMinute = {
  readonly atMs: number;
  /** Distinguishes counts of the same minute before and after this process's clock was set back. */
  readonly epoch: number;
  readonly cells: Cell[];
  /** Whether a part of it may be stored. */
  isTried: boolean;
};

/** The count of one series in one minute. */
export class Cell {
  requests = 0;
  readonly bins = new Uint32Array(binCount);
  /** For the writer: how much of it is stored, as far as this process knows. */
  stored = 0;
  /** For the writer: what was rolled up before the cell was complete; the rest is a separate point. */
  rolled: { requests: number; readonly bins: Uint32Array } | undefined;
  /** For the writer: how often that has happened. */
  part = 0;

  constructor(readonly series: CountedSeries) {}
}

export class CountedSeries implements UsageSeries {
  /** The cell of the current minute, or of an earlier one. */
  cell: Cell | undefined;
  minute: CountedMinute | undefined;
  readonly userId: string;
  readonly keyId: string;
  readonly surface: UsageLabels['surface'];
  readonly network: string;
  readonly app: string;
  readonly method: string;
  #seriesId: string | undefined;

  constructor(
    labels: UsageLabels,
    readonly outcome: UsageOutcome,
  ) {
    this.userId = labels.userId;
    this.keyId = labels.keyId;
    this.surface = labels.surface;
    this.network = labels.network;
    this.app = labels.app;
    this.method = labels.method;
  }

  get seriesId(): string {
    this.#seriesId ??= seriesIdOf(this);
    return this.#seriesId;
  }
}

/** A label set with a series for each of its outcomes. */
class LabelSet {
  ok: CountedSeries | undefined;
  cached: CountedSeries | undefined;
  refused: CountedSeries | undefined;
  failed: CountedSeries | undefined;
  limited: CountedSeries | undefined;

  constructor(
    readonly labels: UsageLabels,
    /** The `other` of a user who has too many label sets. */
    readonly isOther: boolean,
  ) {}

  holds({ keyId, surface, network, app, method }: Used): boolean {
    const { labels } = this;
    return (
      labels.method === method &&
      labels.keyId === keyId &&
      labels.network === network &&
      labels.surface === surface &&
      labels.app === app
    );
  }

  seriesOf(outcome: UsageOutcome): CountedSeries {
    const known = this[outcome];
    if (known !== undefined) return known;
    const series = new CountedSeries(this.labels, outcome);
    this[outcome] = series;
    return series;
  }
}

/** By key and method: few combinations of surface, network and app remain. */
class UserSets {
  readonly byKey = new Map<string, Map<string, LabelSet[]>>();
  others: LabelSet[] | undefined;
  count = 0;
  last: LabelSet | undefined;
}

export class UsageCounter {
  /** Requests that could not be counted within the bounds. */
  dropped = 0;
  #users = new Map<string, UserSets>();
  #sets = 0;
  #forgetAtMs = Number.NEGATIVE_INFINITY;
  #waiting = 0;
  #epoch = 0;
  #minutes: CountedMinute[] = [];
  #current: CountedMinute | undefined;
  #lastAtMs = Number.NEGATIVE_INFINITY;
  /** When the minute ends, by the monotonic clock. */
  #endsMs = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly clock: Pick<Clock, 'now' | 'monotonic'>,
    private readonly bounds: UsageBounds = usageBounds,
  ) {}

  readonly count = (used: Used): void => {
    const minute = used.nowMs < this.#endsMs && this.#current !== undefined ? this.#current : this.#turn(used.nowMs);
    const user = this.#users.get(used.userId) ?? this.#remember(used.userId);
    const cell = user === undefined ? undefined : this.#cellIn(user, minute, used);
    if (cell === undefined) {
      this.dropped += used.requests;
      return;
    }
    cell.requests += used.requests;
    // A refusal by the limit takes no time, and would distort the durations of answers.
    if (used.outcome === 'limited') return;
    const bin = binOf(used.ms);
    cell.bins[bin] = (cell.bins[bin] ?? 0) + used.requests;
  };

  /** All minutes that are not removed yet, oldest first; new counts belong to the last. */
  minutes(): readonly CountedMinute[] {
    return this.#minutes;
  }

  get waiting(): number {
    return this.#waiting;
  }

  /** Whether requests are still counted in this minute. */
  isCurrent(minute: CountedMinute): boolean {
    return minute === this.#current;
  }

  /** Reads the clock, which may have been set. */
  turn(): void {
    if (this.#current !== undefined) this.#turn(this.clock.monotonic());
  }

  /** Removes a minute that is stored. */
  remove(minute: CountedMinute): void {
    this.#minutes = this.#minutes.filter((each) => each !== minute);
    this.#waiting -= minute.cells.length;
    if (this.#current === minute) this.#current = undefined;
  }

  /**
   * While nothing can be stored: merges minutes of the same quarter of an hour into the first of them. Only minutes of which nothing can be stored yet, and
   * not the newest ones.
   */
  merge(newest: number): void {
    const quarters = new Map<number, { readonly into: CountedMinute; readonly cells: Map<string, Cell> }>();
    const remaining: CountedMinute[] = [];
    for (const [nth, minute] of this.#minutes.entries()) {
      const isOld = nth < this.#minutes.length - newest && !minute.isTried && minute !== this.#current;
      const quarter = isOld ? Math.floor(minute.atMs / (15 * minuteMs)) : Number.NaN;
      const earlier = quarters.get(quarter);
      if (earlier === undefined) {
        remaining.push(minute);
        if (isOld)
          quarters.set(quarter, {
            into: minute,
            cells: new Map(minute.cells.map((cell) => [cell.series.seriesId, cell])),
          });
      } else this.#waiting -= mergeInto(earlier.into, earlier.cells, minute);
    }
    this.#minutes = remaining;
  }

  #turn(nowMs: number): CountedMinute {
    const wallMs = this.clock.now();
    const atMs = Math.floor(wallMs / minuteMs) * minuteMs;
    this.#endsMs = nowMs + atMs + minuteMs - wallMs;
    const current = this.#current;
    if (current?.atMs === atMs) return current;
    if (this.#lastAtMs >= atMs) this.#epoch += 1;
    this.#lastAtMs = atMs;
    const minute: CountedMinute = { atMs, epoch: this.#epoch, cells: [], isTried: false };
    this.#minutes.push(minute);
    this.#current = minute;
    if (nowMs >= this.#forgetAtMs) {
      this.#users = new Map();
      this.#sets = 0;
      this.#forgetAtMs = nowMs + rememberedMinutes * minuteMs;
    }
    return minute;
  }

  #remember(userId: string): UserSets | undefined {
    if (this.#users.size >= this.bounds.inAll * othersShare) return undefined;
    const user = new UserSets();
    this.#users.set(userId, user);
    return user;
  }

  #setOf(user: UserSets, used: Used): LabelSet {
    const { userId, keyId, surface, network, app, method } = used;
    const alike = user.byKey.get(keyId)?.get(method);
    if (alike !== undefined)
      for (const set of alike)
        if (set.holds(used)) {
          user.last = set;
          return set;
        }
    if (user.count >= this.bounds.ofUser || this.#sets >= this.bounds.inAll) return otherOf(user, used);
    const set = new LabelSet({ userId, keyId, surface, network, app, method }, false);
    if (alike === undefined) ofKey(user, keyId).set(method, [set]);
    else alike.push(set);
    user.count += 1;
    this.#sets += 1;
    user.last = set;
    return set;
  }

  #cellIn(user: UserSets, minute: CountedMinute, used: Used): Cell | undefined {
    const { last } = user;
    const set = last?.holds(used) === true ? last : this.#setOf(user, used);
    const series = set.seriesOf(used.outcome);
    return series.minute === minute ? series.cell : this.#cellOf(series, minute, set, user, used);
  }

  /** Undefined when the bounds are reached, also for the user's `other`. */
  #cellOf(series: CountedSeries, minute: CountedMinute, set: LabelSet, user: UserSets, used: Used): Cell | undefined {
    const { waiting } = this.bounds;
    if (set.isOther ? this.#waiting >= waiting * othersShare : this.#waiting >= waiting) {
      if (set.isOther) return undefined;
      const others = otherOf(user, used);
      const other = others.seriesOf(used.outcome);
      return other.minute === minute ? other.cell : this.#cellOf(other, minute, others, user, used);
    }
    const cell = new Cell(series);
    minute.cells.push(cell);
    this.#waiting += 1;
    series.cell = cell;
    series.minute = minute;
    return cell;
  }
}

function ofKey({ byKey }: UserSets, keyId: string): Map<string, LabelSet[]> {
  const known = byKey.get(keyId);
  if (known !== undefined) return known;
  const made = new Map<string, LabelSet[]>();
  byKey.set(keyId, made);
  return made;
}

/** One for each surface. */
function otherOf(user: UserSets, { userId, surface }: Used): LabelSet {
  user.others ??= [];
  const known = user.others.find(({ labels }) => labels.surface === surface);
  if (known !== undefined) return known;
  const labels = { keyId: otherLabel, network: otherLabel, app: noLabel, method: otherLabel };
  const set = new LabelSet({ userId, surface, ...labels }, true);
  user.others.push(set);
  return set;
}

/** Returns the number of cells that were merged into another one. */
function mergeInto(into: CountedMinute, cells: Map<string, Cell>, { cells: more }: CountedMinute): number {
  let joined = 0;
  for (const cell of more) {
    const known = cells.get(cell.series.seriesId);
    if (known === undefined) {
      cells.set(cell.series.seriesId, cell);
      into.cells.push(cell);
      continue;
    }
    known.requests += cell.requests;
    for (let bin = 0; bin < binCount; bin++) known.bins[bin] = (known.bins[bin] ?? 0) + (cell.bins[bin] ?? 0);
    joined += 1;
  }
  return joined;
}
