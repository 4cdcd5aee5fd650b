/** A histogram of durations that can be added to others: counts in bins, each √2 times as wide as the previous one (docs/decisions/0114). */

/** Upper bound of the first bin, in milliseconds. */
const firstMs = 0.125;
/** Two for each doubling: 0.125 ms to 65.5 s, and one for all longer durations. */
const bounded = 39;
export const binCount = bounded + 1;
const maxMs = boundOf(bounded - 1);

/** Upper bound of a bin, inclusive. */
function boundOf(bin: number): number {
  return firstMs * 2 ** (bin / 2);
}

/** The bin that a duration belongs to. */
export function binOf(ms: number): number {
  if (!(ms > firstMs)) return 0;
  return ms > maxMs ? bounded : Math.min(bounded - 1, Math.ceil(2 * Math.log2(ms / firstMs)));
}

/**
 * The duration in milliseconds below which this share of the counted durations lies, interpolated within its bin: at most 41 % off, mostly a tenth of that.
 * Undefined when nothing was counted.
 */
export function quantileMs(bins: ArrayLike<number>, share: number): number | undefined {
  let total = 0;
  for (let bin = 0; bin < binCount; bin++) total += bins[bin] ?? 0;
  if (total === 0) return undefined;
  const rank = share * total;
  let below = 0;
  for (let bin = 0; bin < bounded; bin++) {
    const here = bins[bin] ?? 0;
    if (here > 0 && below + here >= rank) return rounded(within(bin, (rank - below) / here));
    below += here;
  }
  return rounded(maxMs);
}

function within(bin: number, part: number): number {
  const upper = boundOf(bin);
  return bin === 0 ? upper * part : (upper / Math.SQRT2) * Math.SQRT2 ** part;
}

/** Three digits: more would claim an accuracy that bins do not have. */
function rounded(ms: number): number {
  return Number(ms.toPrecision(3));
}
