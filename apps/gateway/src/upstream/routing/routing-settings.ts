/** What an operator sets about the choice of nodes for one network (contract/routing). */

export type RoutingSettings = {
  /** `fastest`: the quicker of two random candidates; `ordered`: the first one of the file. */
  readonly strategy: 'fastest' | 'ordered';
  /** A node that is further behind is no candidate. */
  readonly maxLagBlocks: number;
  /** The most nodes that one call is sent to, the first one included. */
  readonly attempts: number;
  /** Absent: no call is sent to a second node while the first one may still answer. */
  readonly hedge?: HedgeSettings | undefined;
};

export type HedgeSettings = {
  /** Milliseconds, or a percentile of the method's times at the node, from `p50` to `p99`. */
  readonly afterMs: number | string;
  /** The most calls, in percent, that are sent to a second node. */
  readonly maxPercent: number;
};

export const defaultRouting: RoutingSettings = { strategy: 'fastest', maxLagBlocks: 5, attempts: 3 };

const percentileForm = /^p([5-9][0-9])$/;

/** The share of a percentile such as `p95`: 0.95; undefined for any other text. */
export function percentileShare(text: string): number | undefined {
  const digits = percentileForm.exec(text)?.[1];
  return digits === undefined ? undefined : Number(digits) / 100;
}
