/** A deposit: what a transaction on L1 sends to L2, and its progress (contract/deposits#statuses). */

import type { TransferKind } from '@flowgate/chain/blocks/bridge-log';

export const depositStatuses = ['pending', 'confirmed', 'relaying', 'completed', 'failed'] as const;
export type DepositStatus = (typeof depositStatuses)[number];

export const depositFailures = ['reorganised', 'l2_reverted', 'relay_failed'] as const;
/** `reorganised`: its transaction can no longer be mined. `l2_reverted`: its execution on L2 failed. `relay_failed`: the call of its message failed; any account may relay the message again. */
export type DepositFailure = (typeof depositFailures)[number];

/** Times are milliseconds since the Unix epoch; everything in hexadecimal is in lower case. */
export type DepositRecord = {
  /** `dep_` and a ULID. */
  readonly depositId: string;
  readonly bridgeId: string;
  /** The transaction on L1. */
  readonly transactionHash: string;
  /** The index among the transaction's deposits, from 0. */
  readonly nth: number;
  readonly kind: TransferKind;
  /** The token's addresses; absent for ether. */
  readonly l1Token?: string;
  readonly l2Token?: string;
  /** Decimal digits. */
  readonly amount: string;
  readonly from: string;
  readonly to: string;
  /** The signer of the transaction on L1, and its nonce. */
  readonly sender: string;
  readonly nonce: number;
  /** The block that mined it last. */
  readonly l1Block: number;
  readonly l1BlockHash: string;
  readonly l1LogIndex: number;
  readonly l2Hash: string;
  /** The hash of the message that is relayed on L2; absent for a deposit by the portal alone. */
  readonly messageHash?: string;
  readonly status: DepositStatus;
  /** Present exactly when `status` is `failed`. */
  readonly failureReason?: DepositFailure;
  /** The block on L2 that ended it. */
  readonly l2Block?: number;
  /** The time since which its end on L2 must be read again. */
  readonly resetAtMs?: number;
  /** The time since which its block is lost to a reorganization, while its transaction can still be mined. */
  readonly lostAtMs?: number;
  /** When the transaction on L1 was last checked, because the deposit made no progress. */
  readonly checkedAtMs?: number;
  readonly stalledReason?: string;
  /** The time of the block on L1. */
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  readonly statusChangedAtMs: number;
};

/** True when no further change is expected. */
export function isOver({ status }: Pick<DepositRecord, 'status'>): boolean {
  return status === 'completed' || status === 'failed';
}

/** True when the deposit has made no progress for too long (contract/deposits#stalled). */
export function isStalled(
  deposit: Pick<DepositRecord, 'status' | 'statusChangedAtMs'>,
  { stalledAfterMs }: { readonly stalledAfterMs: number },
  nowMs: number,
): boolean {
  return !isOver(deposit) && nowMs - deposit.statusChangedAtMs >= stalledAfterMs;
}
