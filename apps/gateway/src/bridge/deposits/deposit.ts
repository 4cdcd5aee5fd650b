/** A deposit: what a transaction on L1 sends to L2, and how far it has got (contract/deposits#statuses). */

import type { TransferKind } from '@flowgate/chain/blocks/bridge-log';

export const depositStatuses = ['pending', 'confirmed', 'relaying', 'completed', 'failed'] as const;
export type DepositStatus = (typeof depositStatuses)[number];

export const depositFailures = ['reorganised', 'l2_reverted', 'relay_failed'] as const;
/** `reorganised`: its transaction can no longer be mined. `l2_reverted`: its execution on L2 failed. `relay_failed`: what the message called failed; somebody may call it again. */
export type DepositFailure = (typeof depositFailures)[number];

/** Times are milliseconds since the Unix epoch; everything in hexadecimal is in lower case. */
export type DepositRecord = {
  /** `dep_` and a ULID. */
  readonly depositId: string;
  readonly bridgeId: string;
  /** Of the transaction on L1. */
  readonly transactionHash: string;
  /** The place among the transaction's own deposits, from 0. */
  readonly nth: number;
  readonly kind: TransferKind;
  /** Of a token; absent for ether. */
  readonly l1Token?: string;
  readonly l2Token?: string;
  /** Decimal digits. */
  readonly amount: string;
  readonly from: string;
  readonly to: string;
  /** Who signed the transaction on L1, and its nonce. */
  readonly sender: string;
  readonly nonce: number;
  /** Where it was mined last. */
  readonly l1Block: number;
  readonly l1BlockHash: string;
  readonly l1LogIndex: number;
  readonly l2Hash: string;
  /** Of what is relayed on L2; absent for a deposit by the portal alone. */
  readonly messageHash?: string;
  readonly status: DepositStatus;
  /** Present exactly when `status` is `failed`. */
  readonly failureReason?: DepositFailure;
  /** The block on L2 that ended it. */
  readonly l2Block?: number;
  /** Since when its end on L2 is to be read again. */
  readonly resetAtMs?: number;
  /** Since when a reorganization has its block, while its transaction can still be mined. */
  readonly lostAtMs?: number;
  /** When the transaction on L1 was looked at last, because nothing continued. */
  readonly lookedAtMs?: number;
  readonly stalledReason?: string;
  /** The time of the block on L1. */
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  readonly statusChangedAtMs: number;
};

/** Whether nothing is expected to happen any more. */
export function isOver({ status }: Pick<DepositRecord, 'status'>): boolean {
  return status === 'completed' || status === 'failed';
}

/** Whether nothing has gone on for too long (contract/deposits#stalled). */
export function isStalled(
  deposit: Pick<DepositRecord, 'status' | 'statusChangedAtMs'>,
  { stalledAfterMs }: { readonly stalledAfterMs: number },
  nowMs: number,
): boolean {
  return !isOver(deposit) && nowMs - deposit.statusChangedAtMs >= stalledAfterMs;
}
