/** The tables of deposits, and of the outcomes that L2's messenger reports for their messages. */

import type { TransferKind } from '@flowgate/chain/blocks/bridge-log';
import { flag, integer, optional, table, text, timeMs } from '@flowgate/sql/engine/table';
import type { DepositFailure, DepositStatus } from './deposit.ts';

export const bridgeDepositsTable = table('bridge_deposits', 'depositId', {
  depositId: text('deposit_id'),
  bridgeId: text('bridge_id'),
  transactionHash: text('transaction_hash'),
  nth: integer('nth'),
  kind: text<TransferKind>('kind'),
  l1Token: optional(text('l1_token')),
  l2Token: optional(text('l2_token')),
  amount: text('amount'),
  from: text('from_address'),
  to: text('to_address'),
  sender: text('sender'),
  nonce: integer('nonce'),
  messageHash: optional(text('message_hash')),
  l1Block: integer('l1_block'),
  l1BlockHash: text('l1_block_hash'),
  l1LogIndex: integer('l1_log_index'),
  l2Hash: text('l2_hash'),
  status: text<DepositStatus>('status'),
  failureReason: optional(text<DepositFailure>('failure_reason')),
  l2Block: optional(integer('l2_block')),
  /** The L1 block while it includes the deposit and the deposit is not over: for the indexes of open deposits. */
  openBlock: optional(integer('open_block')),
  /** When its end on L2, or its transaction on L1, is checked next. */
  dueAtMs: timeMs('due_at'),
  /** The time since which its end on L2 must be read again. */
  resetAtMs: optional(timeMs('reset_at')),
  lostAtMs: optional(timeMs('lost_at')),
  /** When the leader checks whether it is stalled. */
  checkAtMs: optional(timeMs('look_at')),
  checkedAtMs: optional(timeMs('looked_at')),
  stalledReason: optional(text('stalled_reason')),
  createdAtMs: timeMs('created_at'),
  updatedAtMs: timeMs('updated_at'),
  statusChangedAtMs: timeMs('status_changed_at'),
});

export const bridgeRelaysTable = table('bridge_relays', 'relayId', {
  /** Bridge, transaction and place there, as one text. */
  relayId: text('relay_id'),
  bridgeId: text('bridge_id'),
  messageHash: text('message_hash'),
  isRelayed: flag('is_relayed'),
  transactionHash: text('transaction_hash'),
  blockNumber: integer('block_number'),
  /** The time since which its block is read again. The row is removed unless it is found again. */
  lostAtMs: optional(timeMs('lost_at')),
});
