/** The storage interface of usage. Every engine passes `usage/usage-store.contract.ts`. */

import type { Lease } from '@flowgate/sql/coordination/lease-store';
import type { UsageOutcome } from '../api/used.ts';
import type { UsageSeries } from './usage-series.ts';

export type StoredSeries = UsageSeries & { readonly seriesId: string };

/** What one writer has counted of one series in one minute. */
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
  /** `call`: surface, key, network and method, with a space between them; the method, which is last, may contain spaces. */
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
  /** More sums than this are not told all. */
  readonly sums: number;
  /** Points that are added up, a bounded part of them at a time. */
  readonly points: number;
};

/** `too-many-points`: more than the bound. */
export type UsageAnswer =
  | { readonly kind: 'sums'; readonly sums: readonly UsageSum[] }
  | { readonly kind: 'too-many-points' };

/** Where a pass over the series has got to. */
export type RollUpPlace = { readonly seriesId: string };

export type UsageStore = {
  /**
   * Stores what a writer has counted so far: the same point again replaces it, with as much or more, so a write may be repeated whatever became of it before. Points that were rolled up
   * meanwhile stay as they are; their ids are returned. `series` come first: those that the writer has not written today.
   */
  write(series: readonly StoredSeries[], points: readonly UsagePoint[], nowMs: number): Promise<readonly string[]>;

  /** What is stored under these ids; absent when nothing is. */
  stored(pointIds: readonly string[]): Promise<ReadonlyMap<string, Pick<UsagePoint, 'requests' | 'bins'>>>;

  /**
   * Adds points of a level that began before `beforeMs`, and were not added before, to the next one: some thousand in one transaction, in the order of their series, after `place`. Does nothing
   * without the lease. Resolves to where it has got to; undefined at the end. Each point is added once, whatever fails between.
   */
  rollUp(
    from: 'minute' | 'hour',
    beforeMs: number,
    place: RollUpPlace | undefined,
    lease: Lease,
  ): Promise<RollUpPlace | undefined>;

  /** Removes up to `limit` points of a level that began before `beforeMs` and are part of the next one. Resolves to how many. */
  removePoints(level: UsageLevel, beforeMs: number, limit: number): Promise<number>;

  /** Removes up to `limit` series that no one has written since `beforeMs` and that have no points. Resolves to how many. */
  removeSeries(beforeMs: number, limit: number): Promise<number>;

  /** The oldest first. With more sums than `bounds.sums` some of them, one more than that at least. Each request is in the answer once, however far it was rolled up meanwhile. */
  read(question: UsageQuestion, bounds: UsageReadBounds): Promise<UsageAnswer>;
};
