/**
 * All metrics of a process at one moment, as plain data that can be sent to another process; and the sum of those of
 * several processes.
 */

export type MetricKind = 'counter' | 'gauge' | 'histogram';

/**
 * The values of the labels, in the order of the family's labels. `numbers`: one for counters and gauges; for histograms
 * the count of each bucket (not cumulative), then the sum.
 */
export type Series = { readonly labelValues: readonly string[]; readonly numbers: readonly number[] };

export type FamilySnapshot = {
  /** Ends in `_total` only for a counter. */
  readonly name: string;
  readonly kind: MetricKind;
  readonly help: string;
  readonly labels: readonly string[];
  /** For a histogram: the upper bounds of its buckets, without the last one, which has none. */
  readonly bounds: readonly number[];
  readonly series: readonly Series[];
};

export type MetricsSnapshot = readonly FamilySnapshot[];

/** The sum of all counters and histograms. Gauges are omitted: a sum of them often means nothing. */
export function sumOf(snapshots: readonly MetricsSnapshot[]): MetricsSnapshot {
  return combine(snapshots.map((families) => families.filter(({ kind }) => kind !== 'gauge')));
}

/** The gauges, each with one additional label. */
export function labeledGauges(families: MetricsSnapshot, label: string, value: string): MetricsSnapshot {
  return families
    .filter(({ kind }) => kind === 'gauge')
    .map((family) => ({
      ...family,
      labels: [...family.labels, label],
      series: family.series.map(({ labelValues, numbers }) => ({ labelValues: [...labelValues, value], numbers })),
    }));
}

/** One family for each name. The numbers of series with the same labels are added. */
export function combine(snapshots: readonly MetricsSnapshot[]): MetricsSnapshot {
  const combined = new Map<string, { readonly family: FamilySnapshot; readonly series: Map<string, number[]> }>();
  for (const family of snapshots.flat()) {
    const known = combined.get(family.name);
    // All processes run the same version, so their descriptions of a metric are equal.
    const { series } = known ?? { series: new Map<string, number[]>() };
    if (known === undefined) combined.set(family.name, { family, series });
    for (const { labelValues, numbers } of family.series) {
      const key = JSON.stringify(labelValues);
      const sum = series.get(key);
      if (sum === undefined) series.set(key, [...numbers]);
      else for (const [at, number] of numbers.entries()) sum[at] = (sum[at] ?? 0) + number;
    }
  }
  return [...combined.values()].map(({ family, series }) => ({
    ...family,
    series: [...series].map(([key, numbers]) => ({ labelValues: JSON.parse(key), numbers })),
  }));
}
