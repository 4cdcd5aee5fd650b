/** Posts a root when a withdrawal waits for one, and resolves games whose clock has run out, after a delay: clients that only wait also finish. */
import type { Address } from 'viem';
import type { L1Contracts } from './deploy-l1.ts';
import { predeploys } from './deploy-l2.ts';
import { canBeResolved, gameCount, type PostedRoot, propose, resolveGame, unresolvedGames } from './dispute-games.ts';
import type { RollupChain } from './rollup-chain.ts';
import type { Sequencer } from './sequencer.ts';

/** Long enough for tests and demonstrations that inspect waiting transfers. */
const defaultPatienceMs = 30_000;
const maxCheckMs = 1_000;
const minCheckMs = 100;

export type AutomaticProposer = {
  /** Runs a requested proposal, and records it. */
  readonly proposed: (work: () => Promise<PostedRoot>) => Promise<PostedRoot>;
  /** Call after a reorganization: the posted root may be gone, or belong to a lost block. */
  readonly onReorganization: () => void;
  readonly stop: () => Promise<void>;
};

export type AutomaticProposerDeps = {
  readonly l1: RollupChain;
  readonly l2: RollupChain;
  readonly contracts: L1Contracts;
  readonly sequencer: Sequencer;
  readonly isAutomatic: boolean;
  /** Delay before this proposer acts itself; default 30 s. */
  readonly patienceMs?: number | undefined;
  readonly onError: (error: unknown) => void;
};

export function proposeWhenIdle(deps: AutomaticProposerDeps): AutomaticProposer {
  const { l1, l2, contracts, sequencer, isAutomatic, patienceMs = defaultPatienceMs, onError } = deps;
  /** The storage root of the withdrawals that the newest state root covers; unknown before the first check. */
  let covered: string | undefined;
  let waitingSinceMs: number | undefined;
  /** Unresolved games, and since when they can be resolved. */
  const open = new Map<Address, number | undefined>();
  let isStopped = false;
  let running: Promise<void> = Promise.resolve();

  const withdrawals = async () =>
    (await l2.reader.getProof({ address: predeploys.L2ToL1MessagePasser, storageKeys: [] })).storageHash;

  async function proposed(work: () => Promise<PostedRoot>): Promise<PostedRoot> {
    const before = await withdrawals();
    const posted = await work();
    covered = before;
    waitingSinceMs = undefined;
    return posted;
  }

  async function proposeIfWaited(): Promise<void> {
    const now = await withdrawals();
    covered ??= now;
    if (now === covered) return;
    waitingSinceMs ??= performance.now();
    if (performance.now() - waitingSinceMs >= patienceMs)
      await proposed(() => sequencer.alone(() => propose(l1, l2, contracts)));
  }

  let seenCount = -1n;

  /** Includes games of earlier starts and other proposers; games that a reorganization removed are dropped. */
  async function lookForGames(): Promise<void> {
    const count = await gameCount(l1, contracts);
    if (count === seenCount) return;
    const unresolved = await unresolvedGames(l1, contracts);
    for (const game of open.keys()) if (!unresolved.includes(game)) open.delete(game);
    for (const game of unresolved) if (!open.has(game)) open.set(game, undefined);
    seenCount = count;
  }

  async function resolveIfWaited(): Promise<void> {
    await lookForGames();
    for (const [game, sinceMs] of open) {
      if (!(await canBeResolved(l1, game))) continue;
      open.set(game, sinceMs ?? performance.now());
      if (sinceMs === undefined || performance.now() - sinceMs < patienceMs) continue;
      await resolveGame(l1, game);
      open.delete(game);
    }
  }

  let isBusy = false;
  const timer = setInterval(
    () => {
      if (!isAutomatic || isStopped || isBusy) return;
      isBusy = true;
      running = proposeIfWaited()
        .then(resolveIfWaited)
        .catch((error: unknown) => {
          // For example a game that is gone: the next run reads the games again.
          seenCount = -1n;
          onError(error);
        })
        .finally(() => {
          isBusy = false;
        });
    },
    Math.min(Math.max(patienceMs, minCheckMs), maxCheckMs),
  );
  return {
    proposed,
    onReorganization: () => {
      covered = 'nothing';
      seenCount = -1n;
    },
    async stop() {
      isStopped = true;
      clearInterval(timer);
      await running;
    },
  };
}
