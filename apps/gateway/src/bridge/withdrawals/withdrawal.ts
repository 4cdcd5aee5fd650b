/** A stored withdrawal: what is transferred, and its progress (contract/withdrawals#statuses). */

import type { TransferKind } from '@flowgate/chain/blocks/bridge-log';

export const withdrawalStatuses = [
  'initiated',
  'awaiting_state_root',
  'ready_to_prove',
  'in_dispute_window',
  'challenged',
  'ready_to_finalise',
  'finalised',
  'failed',
] as const;
export type WithdrawalStatus = (typeof withdrawalStatuses)[number];

/** `l1_reverted`: the portal's call failed. `relay_failed`: the call of L1's messenger failed; any account may relay the message again. `reorganised`: its transaction can no longer be mined. */
export const withdrawalFailures = ['l1_reverted', 'relay_failed', 'reorganised'] as const;
export type WithdrawalFailure = (typeof withdrawalFailures)[number];

export const withdrawalBlockers = [
  'l2_block_lost',
  'l1_not_read',
  'state_root_not_posted',
  'not_proven',
  'dispute_window_open',
  'challenge_open',
  'not_finalised',
  'paused',
] as const;
export type WithdrawalBlocker = (typeof withdrawalBlockers)[number];

/** Addresses and hashes are in lower case, amounts decimal. */
export type WithdrawalRecord = {
  readonly withdrawalId: string;
  readonly bridgeId: string;
  readonly transactionHash: string;
  readonly blockNumber: number;
  readonly kind: TransferKind;
  readonly withdrawalHash: string;
  readonly nonce: string;
  /** The hash of the message that L1's messenger relays; absent for a withdrawal by the message passer alone. */
  readonly messageHash?: string;
  /** Both are undefined for ether. */
  readonly tokenL1?: string;
  readonly tokenL2?: string;
  readonly amount: string;
  readonly from: string;
  readonly to: string;
  /** The time since which its block is lost; absent once it is found in another one. */
  readonly lostAtMs?: number;
  readonly status: WithdrawalStatus;
  /** Present for a failed withdrawal; absent where it failed before reasons were stored. */
  readonly failureReason?: WithdrawalFailure;
  /** Of the proof that counts: the first moment of L1 at which it can be finalized. Until its game is resolved: the earliest such moment. */
  readonly windowEndsAtMs?: number;
  /** The proof that counts, or with which it was finalized. */
  readonly proveTransaction?: string;
  readonly proofSubmitter?: string;
  readonly finalizeTransaction?: string;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  readonly statusChangedAtMs: number;
};

const ofStatus: Readonly<Record<WithdrawalStatus, readonly WithdrawalBlocker[]>> = {
  initiated: ['l1_not_read'],
  awaiting_state_root: ['state_root_not_posted', 'not_proven'],
  ready_to_prove: ['not_proven'],
  in_dispute_window: ['dispute_window_open'],
  challenged: ['dispute_window_open', 'challenge_open'],
  ready_to_finalise: ['not_finalised'],
  finalised: [],
  failed: [],
};

/** Everything that blocks the end of the withdrawal: empty exactly when it is over. */
export function blockersOf(
  { status, lostAtMs }: Pick<WithdrawalRecord, 'status' | 'lostAtMs'>,
  isPaused: boolean,
): readonly WithdrawalBlocker[] {
  const blockers: readonly WithdrawalBlocker[] =
    status === 'initiated' && lostAtMs !== undefined ? ['l2_block_lost'] : ofStatus[status];
  return isPaused && !isOver(status) ? [...blockers, 'paused'] : blockers;
}

export function isOver(status: WithdrawalStatus): boolean {
  return status === 'finalised' || status === 'failed';
}
