/** The queue of health probes: round-robin between owners, with a limit for each, so that silent apps delay only their own owner. */

import { Tally } from '@flowgate/base/tally';
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
  const underWay = new Tally();

  return {
    add(round) {
      const busy = new Set([...waiting.keys(), ...underWay.counts.keys()]);
      for (const version of round) {
        if (busy.has(version.ownerId)) continue;
        const versions = waiting.get(version.ownerId);
        if (versions === undefined) waiting.set(version.ownerId, [version]);
        else versions.push(version);
      }
    },
    next() {
      if (underWay.total >= most) return undefined;
      for (const [owner, versions] of waiting) {
        if (underWay.of(owner) >= mostOfOwner) continue;
        const version = versions.pop();
        waiting.delete(owner);
        if (versions.length > 0) waiting.set(owner, versions);
        if (version === undefined) continue;
        underWay.add(owner);
        return version;
      }
      return undefined;
    },
    done({ ownerId }) {
      underWay.remove(ownerId);
    },
  };
}
