/** Operator settings for the choice of nodes in one network (contract/routing). */

export type RoutingSettings = {
  /** `fastest`: the quicker of two random candidates; `ordered`: the first candidate in the order of the configuration. */
  readonly strategy: 'fastest' | 'ordered';
  /** A node that is further behind is no candidate. */
  readonly maxLagBlocks: number;
  /** Maximum number of nodes for one call, including the first. */
  readonly attempts: number;
  /** If absent, a call goes to a second node only after the first has failed. */
  readonly hedge?: HedgeSettings | undefined;
};

export type HedgeSettings = {
  /** Milliseconds, or a percentile of the method's times at the node, from `p50` to `p99`. */
  readonly afterMs: number | string;
  /** Maximum percentage of calls that are sent to a second node. */
  readonly maxPercent: number;
};

export const defaultRouting: RoutingSettings = { strategy: 'fastest', maxLagBlocks: 5, attempts: 3 };

const percentileForm = /^p([5-9][0-9])$/;

/** The share of a percentile such as `p95`: 0.95; undefined for any other text. */
export function percentileShare(text: string): number | undefined {
  const digits = percentileForm.exec(text)?.[1];
  return digits === undefined ? undefined : Number(digits) / 100;
}
