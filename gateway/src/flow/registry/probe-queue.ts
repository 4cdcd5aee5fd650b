/** The queue of health probes: round-robin between owners, with a limit for each, so that silent apps delay only their own owner. */

import type { ProbedVersion } from './registry-store.ts';

export type ProbeQueue = {
  /** Adds a round. Owners whose last round is not finished are left out. */
  readonly add: (round: readonly ProbedVersion[]) => void;
  /** The next version to probe, which counts as running until `done`. Undefined when none may be probed now. */
  readonly next: () => ProbedVersion | undefined;
  readonly done: (version: ProbedVersion) => void;
};

export function createProbeQueue(most: number, mostOfOwner: number): ProbeQueue {
  /** Waiting versions by owner, in the order of the owners' turns. */
  const waiting = new Map<string, ProbedVersion[]>();
  const underWay = new Map<string, number>();
  let total = 0;

  function count(owner: string, change: 1 | -1): void {
    const after = (underWay.get(owner) ?? 0) + change;
    if (after === 0) underWay.delete(owner);
    else underWay.set(owner, after);
    total += change;
  }

  return {
    add(round) {
      const busy = new Set([...waiting.keys(), ...underWay.keys()]);
      for (const version of round) {
        if (busy.has(version.ownerId)) continue;
        const versions = waiting.get(version.ownerId);
        if (versions === undefined) waiting.set(version.ownerId, [version]);
        else versions.push(version);
      }
    },
    next() {
      if (total >= most) return undefined;
      for (const [owner, versions] of waiting) {
        if ((underWay.get(owner) ?? 0) >= mostOfOwner) continue;
        const version = versions.pop();
        waiting.delete(owner);
        if (versions.length > 0) waiting.set(owner, versions);
        if (version === undefined) continue;
        count(owner, 1);
        return version;
      }
      return undefined;
    },
    done({ ownerId }) {
      count(ownerId, -1);
    },
  };
}
