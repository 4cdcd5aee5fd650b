/** The storage interface of usage. Every engine passes `usage-store.contract.ts`. */

import type { Lease } from '@flowgate/sql/coordination/lease-store';
import type { UsageOutcome } from '../api/used.ts';
import type { UsageSeries } from './usage-series.ts';

export type StoredSeries = UsageSeries & { readonly seriesId: string };

/** The count of one series in one minute by one writer. */
export type UsagePoint = {
  readonly pointId: string;
  readonly seriesId: string;
  /** The minute's beginning, in milliseconds since the Unix epoch. */
  readonly atMs: number;
  readonly requests: number;
  /** `binCount` counts of durations. */
  readonly bins: ArrayLike<number>;
};

/** Minutes are stored for 48 hours, hours for 90 days, days for two years. */
export const usageLevels = ['minute', 'hour', 'day'] as const;
export type UsageLevel = (typeof usageLevels)[number];

export type UsageQuestion = {
  readonly bucket: UsageLevel;
  /** Inclusive, and the beginning of a bucket. */
  readonly fromMs: number;
  /** Exclusive. */
  readonly toMs: number;
  /** `call`: surface, key, network and method, separated by spaces; the method, which is last, may contain spaces. */
  readonly by: 'total' | 'user' | 'key' | 'surface' | 'network' | 'method' | 'app' | 'outcome' | 'call';
  /** One sum for each label over the whole time, at `fromMs`. */
  readonly isFolded?: boolean;
  readonly userId?: string;
  readonly keyId?: string;
  readonly network?: string;
};

export type UsageSum = {
  readonly atMs: number;
  /** Empty for `total`. */
  readonly by: string;
  readonly requests: number;
  readonly byOutcome: Readonly<Record<Exclude<UsageOutcome, 'ok'>, number>>;
  readonly bins: readonly number[];
};

export type UsageReadBounds = {
  /** With more sums than this, only some are returned. */
  readonly sums: number;
  /** Points that are added up in bounded parts. */
  readonly points: number;
};

/** `too-many-points`: more than the bound. */
export type UsageAnswer =
  | { readonly kind: 'sums'; readonly sums: readonly UsageSum[] }
  | { readonly kind: 'too-many-points' };

/** The position of a pass over the series. */
export type RollUpPlace = { readonly seriesId: string };

export type UsageStore = {
  /**
   * Stores a writer's counts: the same point again replaces it with the same or higher counts, so a write may be repeated after any failure. Points that were
   * rolled up meanwhile do not change; their ids are returned. `series` are stored first: those that the writer has not written today.
   */
  write(series: readonly StoredSeries[], points: readonly UsagePoint[], nowMs: number): Promise<readonly string[]>;

  /** The stored points with these ids; missing ones are absent. */
  stored(pointIds: readonly string[]): Promise<ReadonlyMap<string, Pick<UsagePoint, 'requests' | 'bins'>>>;

  /**
   * Adds points of a level that began before `beforeMs` and were not added before to the next level: some thousand in one transaction, in the order of their
   * series, after `place`. Does nothing without the lease. Resolves to its position; undefined at the end. Each point is added once, also after failures.
   */
  rollUp(
    from: 'minute' | 'hour',
    beforeMs: number,
    place: RollUpPlace | undefined,
    lease: Lease,
  ): Promise<RollUpPlace | undefined>;

  /** Deletes up to `limit` points of a level that began before `beforeMs` and are rolled up. Resolves to their number. */
  removePoints(level: UsageLevel, beforeMs: number, limit: number): Promise<number>;

  /** Deletes up to `limit` series without points that were not written since `beforeMs`. Resolves to their number. */
  removeSeries(beforeMs: number, limit: number): Promise<number>;

  /**
   * Oldest first. With more sums than `bounds.sums`, some of them, and at least one more than that. Each request is in the answer once, regardless of
   * roll-ups meanwhile.
   */
  read(question: UsageQuestion, bounds: UsageReadBounds): Promise<UsageAnswer>;
};
