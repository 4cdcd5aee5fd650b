/** Which version is asked next whether it is well: owners have turns, and each a share of what is asked at once, so that apps that do not answer delay their own owner only. */

import type { ProbedVersion } from './registry-store.ts';

export type ProbeTurns = {
  /** Those of an owner of whom the last round is not over yet are left out. */
  readonly add: (round: readonly ProbedVersion[]) => void;
  /** Undefined: nothing may be asked now. What was given is under way until it is `done`. */
  readonly next: () => ProbedVersion | undefined;
  readonly done: (version: ProbedVersion) => void;
};

export function createProbeTurns(most: number, mostOfOwner: number): ProbeTurns {
  /** Owners with something to ask, the one whose turn it is first. */
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
