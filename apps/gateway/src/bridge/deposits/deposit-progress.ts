/** How far a deposit has got that is mined on L1 and has no end on L2 yet (contract/deposits#statuses). */

import type { DepositStatus } from './deposit.ts';

/** What is known of both chains. */
export type ChainsSeen = {
  /** The newest block of L1 that was read; undefined before that. */
  readonly l1Head: number | undefined;
  /** The block of L1 that L2 has reached; undefined while no one tells. */
  readonly l2Origin: number | undefined;
  /** Blocks on L1, the deposit's own included, until it is confirmed. */
  readonly confirmations: number;
};

/** The last L1 blocks whose deposits are so far; below zero when none are. */
export type ProgressLimits = { readonly confirmed: number; readonly relaying: number };

/**
 * A deposit is due on L2 when L2 has reached its block, or should have: when its block has twice the confirmations that are asked for. A sequencer that stands still does not hold a deposit back
 * at `confirmed` for good.
 */
const dueAfterConfirmations = 2;

export function progressLimits({ l1Head, l2Origin, confirmations }: ChainsSeen): ProgressLimits {
  if (l1Head === undefined) return { confirmed: -1, relaying: -1 };
  const confirmed = l1Head - confirmations + 1;
  const overdue = l1Head - dueAfterConfirmations * confirmations + 1;
  return { confirmed, relaying: Math.min(confirmed, Math.max(overdue, l2Origin ?? -1)) };
}

export function progressOf(l1Block: number, { confirmed, relaying }: ProgressLimits): DepositStatus {
  if (l1Block <= relaying) return 'relaying';
  return l1Block <= confirmed ? 'confirmed' : 'pending';
}

/** Blocks on L1 on top of a deposit's own, with it: none while a reorganization has it. */
export function confirmationsOf(
  { l1Block, lostAtMs, failureReason }: { l1Block: number; lostAtMs?: number; failureReason?: string },
  l1Head: number | undefined,
): number {
  if (lostAtMs !== undefined || failureReason === 'reorganised') return 0;
  // A block that was read is there, whatever an older look at the head says.
  return Math.max(1, (l1Head ?? l1Block) - l1Block + 1);
}
