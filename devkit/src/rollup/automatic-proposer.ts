/** Posts a root when a withdrawal waits for one, and resolves games whose clock is over, once nobody has done it for a while: clients that only wait come to their end, too. */
import type { Address } from 'viem';
import type { L1Contracts } from './deploy-l1.ts';
import { predeploys } from './deploy-l2.ts';
import { canBeResolved, type PostedRoot, propose, resolveGame } from './dispute-games.ts';
import type { RollupChain } from './rollup-chain.ts';
import type { Sequencer } from './sequencer.ts';

/** Long enough for tests and demonstrations that look at what waits. */
const patienceMs = 30_000;
const checkMs = 1_000;

export type AutomaticProposer = {
  /** Runs a proposal that somebody asked for, and notes it. */
  readonly proposed: (work: () => Promise<PostedRoot>) => Promise<PostedRoot>;
  readonly stop: () => Promise<void>;
};

export type AutomaticProposerParts = {
  readonly l1: RollupChain;
  readonly l2: RollupChain;
  readonly contracts: L1Contracts;
  readonly sequencer: Sequencer;
  readonly isAutomatic: boolean;
  readonly onError: (error: unknown) => void;
};

export function proposeWhenNobodyDoes(parts: AutomaticProposerParts): AutomaticProposer {
  const { l1, l2, contracts, sequencer, isAutomatic, onError } = parts;
  /** The storage of withdrawals that the newest root covers; unknown before the first look. */
  let covered: string | undefined;
  let waitingSinceMs: number | undefined;
  /** Games that are not resolved yet, and since when they could be. */
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
    open.set(posted.game, undefined);
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

  async function resolveIfWaited(): Promise<void> {
    for (const [game, sinceMs] of open) {
      if (!(await canBeResolved(l1, game))) continue;
      open.set(game, sinceMs ?? performance.now());
      if (sinceMs === undefined || performance.now() - sinceMs < patienceMs) continue;
      await resolveGame(l1, game);
      open.delete(game);
    }
  }

  let isBusy = false;
  const timer = setInterval(() => {
    if (!isAutomatic || isStopped || isBusy) return;
    isBusy = true;
    running = proposeIfWaited()
      .then(resolveIfWaited)
      .catch(onError)
      .finally(() => {
        isBusy = false;
      });
  }, checkMs);
  return {
    proposed,
    async stop() {
      isStopped = true;
      clearInterval(timer);
      await running;
    },
  };
}
