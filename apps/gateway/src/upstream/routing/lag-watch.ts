/** Determines which nodes of a network are too far behind the others (contract/routing#candidates). */

import type { Clock } from '@flowgate/base/clock';

type SetBehind = (isBehind: boolean, lagBlocks: number) => void;
type Reported = { height: number; atMs: number; readonly setBehind: SetBehind };

export type LagWatch = {
  /** Adds a node. Returns the function that receives the node's heads, `undefined` if none of its heads counts any more. */
  readonly add: (setBehind: SetBehind) => (height: number | undefined) => void;
};

/** Only heads that were reported within this time are compared: the node of an older one may have advanced since. A node is evaluated again when it reports its next head. */
const comparableMs = 1_000;

/** The reference is the highest head that two nodes have reached, or the only reported one. So a node that reports a made-up head excludes no other node. */
export function createLagWatch(clock: Pick<Clock, 'monotonic'>, maxLagBlocks: number): LagWatch {
  const all: Reported[] = [];
  return {
    add(setBehind) {
      const reported: Reported = { height: -1, atMs: 0, setBehind };
      all.push(reported);
      return (height) => {
        reported.height = height ?? -1;
        reported.atMs = clock.monotonic();
        const reference = secondHighest(all);
        // For operators: the distance to the highest head. They see all heads and recognize a made-up one.
        const highest = all.reduce((max, each) => Math.max(max, each.height), -1);
        for (const { height: its, atMs, setBehind: set } of all)
          if (its >= 0 && reported.atMs - atMs <= comparableMs) set(reference - its > maxLagBlocks, highest - its);
      };
    },
  };
}

/** The second highest head, or the highest if only one node has reported. */
function secondHighest(all: readonly Reported[]): number {
  let highest = -1;
  let second = -1;
  for (const { height } of all) {
    if (height > highest) {
      second = highest;
      highest = height;
    } else if (height > second) second = height;
  }
  return second < 0 ? highest : second;
}
