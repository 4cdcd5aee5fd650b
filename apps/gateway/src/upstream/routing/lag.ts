/** Which of a network's nodes are too far behind the others (contract/routing#candidates). */

import type { Clock } from '@flowgate/base/clock';

type SetBehind = (isBehind: boolean, lagBlocks: number) => void;
type Reported = { height: number; atMs: number; readonly setBehind: SetBehind };

export type LagWatch = {
  /** Adds a node; returns what it tells its heads to, `undefined` when none of them counts any more. */
  readonly add: (setBehind: SetBehind) => (height: number | undefined) => void;
};

/**
 * Heads that were told within this time are compared. An older one says nothing about now: its node may have gone on since, as the chain has. So a node keeps its
 * verdict until it tells its head again.
 */
const sameTimeMs = 1_000;

/** The reference is the highest head that two nodes have reached, or the only one that has told any: one that tells a head from the future takes no other out. */
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
        // For people, who see all heads and can tell which one is from the future: how far a node is below the highest.
        const highest = all.reduce((max, each) => Math.max(max, each.height), -1);
        for (const { height: its, atMs, setBehind: set } of all)
          if (its >= 0 && reported.atMs - atMs <= sameTimeMs) set(reference - its > maxLagBlocks, highest - its);
      };
    },
  };
}

/** The highest when only one has told any. */
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
