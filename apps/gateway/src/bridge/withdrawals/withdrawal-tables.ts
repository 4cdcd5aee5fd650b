/** The tables of withdrawals: what L2 sent, and games, proofs and finalizations on L1. */

import type { TransferKind } from '@flowgate/chain/blocks/bridge-log';
import { flag, integer, optional, table, text, timeMs } from '@flowgate/sql/engine/table';
import type { GameStatus } from './classify-withdrawal.ts';
import type { WithdrawalFailure, WithdrawalStatus } from './withdrawal.ts';

export const bridgeWithdrawalsTable = table('bridge_withdrawals', 'withdrawalId', {
  withdrawalId: text('withdrawal_id'),
  bridgeId: text('bridge_id'),
  transactionHash: text('transaction_hash'),
  nth: integer('nth'),
  blockNumber: integer('block_number'),
  kind: text<TransferKind>('kind'),
  withdrawalHash: text('withdrawal_hash'),
  messageHash: optional(text('message_hash')),
  nonce: text('nonce'),
  sender: text('sender'),
  target: text('target'),
  value: text('value'),
  gasLimit: text('gas_limit'),
  data: text('data'),
  tokenL1: optional(text('token_l1')),
  tokenL2: optional(text('token_l2')),
  amount: text('amount'),
  from: text('from_address'),
  to: text('to_address'),
  signer: text('signer'),
  signerNonce: integer('signer_nonce'),
  lostAtMs: optional(timeMs('lost_at')),
  status: text<WithdrawalStatus>('status'),
  failureReason: optional(text<WithdrawalFailure>('failure_reason')),
  windowEndsAtMs: optional(timeMs('window_ends_at')),
  proveTransaction: optional(text('prove_transaction')),
  proofSubmitter: optional(text('proof_submitter')),
  finalizeTransaction: optional(text('finalise_transaction')),
  dueAtMs: optional(timeMs('due_at')),
  revision: integer('revision'),
  createdAtMs: timeMs('created_at'),
  updatedAtMs: timeMs('updated_at'),
  statusChangedAtMs: timeMs('status_changed_at'),
});

export const bridgeGamesTable = table('bridge_games', 'gameId', {
  gameId: text('game_id'),
  bridgeId: text('bridge_id'),
  blockNumber: integer('block_number'),
  game: text('game'),
  gameType: integer('game_type'),
  rootClaim: text('root_claim'),
  l2BlockNumber: integer('l2_block_number'),
  /** In seconds, as the portal compares. */
  createdAt: integer('created_at'),
  status: optional(text<GameStatus>('status')),
  isChallenged: flag('is_challenged'),
  resolvedAt: integer('resolved_at'),
  clockSeconds: integer('clock_seconds'),
  isBlacklisted: flag('is_blacklisted'),
  isDead: flag('is_dead'),
  isWatched: flag('is_watched'),
  stateBlock: optional(integer('state_block')),
  reportedTo: optional(text('told_to')),
});

export const bridgeProofsTable = table('bridge_proofs', 'proofId', {
  proofId: text('proof_id'),
  bridgeId: text('bridge_id'),
  withdrawalHash: text('withdrawal_hash'),
  submitter: text('submitter'),
  transactionHash: text('transaction_hash'),
  blockNumber: integer('block_number'),
  logIndex: integer('log_index'),
  provenAtMs: timeMs('proven_at'),
  game: optional(text('game')),
  isOpen: flag('is_open'),
});

export const bridgeFinalizationsTable = table('bridge_finalisations', 'finalizationId', {
  finalizationId: text('finalisation_id'),
  bridgeId: text('bridge_id'),
  withdrawalHash: text('withdrawal_hash'),
  transactionHash: text('transaction_hash'),
  blockNumber: integer('block_number'),
  isSuccess: flag('is_success'),
});

export const bridgePortalsTable = table('bridge_portals', 'bridgeId', {
  bridgeId: text('bridge_id'),
  isPaused: flag('is_paused'),
  maturitySeconds: integer('maturity_seconds'),
  airGapSeconds: integer('air_gap_seconds'),
  respectedType: integer('respected_type'),
  respectedAt: integer('respected_at'),
  coveredTo: optional(integer('covered_to')),
});
