/** Exact order statistics of whole samples, without histogram buckets. */

/** The value at quantile `q` (0 to 1) by the nearest-rank method; NaN for an empty sample. Expects ascending order. */
export function percentile(ascending: ArrayLike<number>, q: number): number {
  if (q < 0 || q > 1) throw new RangeError(`quantile ${q} is outside 0 to 1`);
  const rank = Math.max(1, Math.ceil(q * ascending.length));
  return ascending[rank - 1] ?? Number.NaN;
}

/** The middle value, or the mean of the two middle values; NaN for an empty sample. Does not change `values`. */
export function median(values: readonly number[]): number {
  const ascending = Float64Array.from(values).sort();
  const middle = ascending.length >> 1;
  const upper = ascending[middle] ?? Number.NaN;
  return ascending.length % 2 === 1 ? upper : (upper + (ascending[middle - 1] ?? Number.NaN)) / 2;
}

export type Spread = { readonly median: number; readonly low: number; readonly high: number };

/** The median with the lowest and the highest value: with a handful of rounds, extremes are more informative than a deviation. */
export function spread(values: readonly number[]): Spread {
  return { median: median(values), low: Math.min(...values), high: Math.max(...values) };
}
