/** The progress of a deposit that is mined on L1 and has no end on L2 yet (contract/deposits#statuses). */

import type { DepositStatus } from './deposit.ts';

/** The state of both chains. */
export type ChainsSeen = {
  /** The newest L1 block that was read; undefined before the first. */
  readonly l1Head: number | undefined;
  /** The L1 block that L2 has reached; undefined while L2 does not report it. */
  readonly l2Origin: number | undefined;
  /** Blocks on L1, the deposit's own included, until it is confirmed. */
  readonly confirmations: number;
};

/** The highest L1 block whose deposits have this status; below zero when there is none. */
export type ProgressLimits = { readonly confirmed: number; readonly relaying: number };

/**
 * A deposit is due on L2 once L2 has reached its L1 block, or should have: the block then has twice the required confirmations. So a stopped sequencer does not leave a
 * deposit `confirmed` forever.
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

/** The number of L1 blocks from the deposit's own to the head; 0 while a reorganization has removed its block. */
export function confirmationsOf(
  { l1Block, lostAtMs, failureReason }: { l1Block: number; lostAtMs?: number; failureReason?: string },
  l1Head: number | undefined,
): number {
  if (lostAtMs !== undefined || failureReason === 'reorganised') return 0;
  // A block that was read exists, even when an older read of the head is below it.
  return Math.max(1, (l1Head ?? l1Block) - l1Block + 1);
}
