/**
 * Mines L1 while the rollup is active, so that confirmations and clocks advance. An idle rollup gets blocks rarely, because anvil stores a copy of the state
 * for each.
 */
import type { RollupChain } from './rollup-chain.ts';

export type L1Miner = { readonly stop: () => Promise<void> };

export type L1MinerOptions = {
  readonly l1: RollupChain;
  /** Whether L2 has blocks of users, which were not derived. */
  readonly hasNewsOnL2: () => Promise<boolean>;
  /** Runs the work while nothing else changes the chains. */
  readonly alone: (work: () => Promise<void>) => Promise<void>;
  readonly onError: (error: unknown) => void;
  /** Milliseconds between two blocks; default 2 s. */
  readonly blockMs?: number;
};

const defaultBlockMs = 2_000;
/** How long after the last transaction the miner stays active: longer than each delay of the rollup. */
const busyMs = 180_000;
const quietBlockMs = 30_000;

export function startL1Miner({ l1, hasNewsOnL2, alone, onError, blockMs = defaultBlockMs }: L1MinerOptions): L1Miner {
  let busyUntilMs = performance.now() + busyMs;
  let minedMs = performance.now();
  let seen = -1n;
  let running: Promise<void> | undefined;

  async function mineIfDue(): Promise<void> {
    const { number, transactions } = await l1.reader.getBlock();
    if (number !== seen && (transactions.length > 0 || (await hasNewsOnL2()))) busyUntilMs = performance.now() + busyMs;
    seen = number;
    if (performance.now() > busyUntilMs && performance.now() - minedMs < quietBlockMs) return;
    await l1.ask('evm_mine', []);
    minedMs = performance.now();
  }

  const timer = setInterval(() => {
    running ??= alone(mineIfDue)
      .catch(onError)
      .finally(() => {
        running = undefined;
      });
  }, blockMs);
  return {
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}
