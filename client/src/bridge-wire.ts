/** Deposits, withdrawals and the history of both and of swaps on the wire (contract/bridge). */

import type { Timestamp } from './wire.ts';

/** A network. */
export type BridgePlace = { dlt: string; networkId: string };

/** What is moved: the native coin, or a token with its addresses on both sides as far as they are known. */
export type BridgeToken = {
  native: boolean;
  l1?: string;
  l2?: string;
  /** As the token names itself, made fit to be shown. */
  symbol?: string;
  decimals?: number;
};

/** An entry of `GET /bridges`. */
export type BridgeRecord = {
  bridgeId: string;
  /** For people. */
  name: string;
  l1: BridgePlace & { chainId: number };
  l2: BridgePlace & { chainId: number };
  /** Blocks on L1 until a deposit is confirmed. */
  confirmations: number;
  /** Ether, then the pairs that the operator names. */
  tokens: readonly BridgeToken[];
};

/** An entry of `GET /users/me/deposits`. Amounts are base units. */
export type Deposit = {
  depositId: string;
  bridgeId: string;
  kind: 'native' | 'token' | 'message';
  status: 'pending' | 'confirmed' | 'relaying' | 'completed' | 'failed';
  /** Not over, and no progress for as long as the operator allows. */
  stalled: boolean;
  /** What a look at the L1 transaction showed. */
  stalledReason?: string;
  failureReason?: 'reorganised' | 'l2_reverted' | 'relay_failed';
  source: BridgePlace;
  destination: BridgePlace;
  token: BridgeToken;
  amount: string;
  from: string;
  to: string;
  /** Of what the messenger on L2 relays; absent for a deposit by the portal alone. */
  messageHash?: string;
  l1TransactionHash: string;
  l1LogIndex: number;
  l1BlockNumber: number;
  /** Known from the start; another one after a reorganisation that moves the deposit to another block. */
  l2TransactionHash: string;
  confirmations: number;
  requiredConfirmations: number;
  /** The time of the L1 block. */
  createdAt: Timestamp;
  updatedAt: Timestamp;
  statusChangedAt: Timestamp;
  /** Since when a chain that could change this has not been read. */
  staleSince?: Timestamp;
};

/** An entry of `GET /users/me/withdrawals`. */
export type Withdrawal = {
  withdrawalId: string;
  bridgeId: string;
  kind: 'native' | 'token' | 'message';
  withdrawalHash: string;
  /** Of what the messenger on L1 relays; absent for a withdrawal by the message passer alone. */
  messageHash?: string;
  nonce: string;
  status:
    | 'initiated'
    | 'awaiting_state_root'
    | 'ready_to_prove'
    | 'in_dispute_window'
    | 'challenged'
    | 'ready_to_finalise'
    | 'finalised'
    | 'failed';
  failureReason?: 'l1_reverted' | 'relay_failed' | 'reorganised';
  /** What it still waits for; empty exactly when it is over. */
  blockers: readonly (
    | 'l2_block_lost'
    | 'l1_not_read'
    | 'state_root_not_posted'
    | 'not_proven'
    | 'dispute_window_open'
    | 'challenge_open'
    | 'not_finalised'
    | 'paused'
  )[];
  /** By the clock of L1. */
  disputeWindowEndsAt?: Timestamp;
  source: BridgePlace;
  destination: BridgePlace;
  token: BridgeToken;
  amount: string;
  from: string;
  to: string;
  l2TransactionHash: string;
  proveTransactionHash?: string;
  /** Who sent the proof that counts. */
  proofSubmitter?: string;
  finaliseTransactionHash?: string;
  /** The time of the L2 block. */
  createdAt: Timestamp;
  updatedAt: Timestamp;
  statusChangedAt: Timestamp;
  /** Since when a chain that could change this has not been read. */
  staleSince?: Timestamp;
};

/** A token of the history: as on bridges, or with its address on the one network of a swap. */
export type HistoryToken = BridgeToken & { address?: string };

/** `deposit` on L1 and its `arrival` on L2; `initiation` on L2, `proof` and `finalisation` on L1; `swap`. */
export type TransactionPurpose = 'deposit' | 'arrival' | 'initiation' | 'proof' | 'finalisation' | 'swap';

/** An entry of `GET /users/me/history`. */
export type HistoryEntry = {
  type: 'deposit' | 'swap' | 'withdrawal';
  /** The deposit's, the swap's or the withdrawal's. */
  id: string;
  status: string;
  createdAt: Timestamp;
  dlt: string;
  networkId: string;
  /** The linked wallet; where two of them meet, the sender. */
  wallet: string;
  sent?: { token: HistoryToken; amount: string };
  received?: { token: HistoryToken; amount: string };
  transactions: readonly { dlt: string; networkId: string; hash: string; purpose: TransactionPurpose }[];
};

/** `POST /deposits/transactions` and `POST /withdrawals/transactions`, request. */
export type BridgeTransferInput = {
  bridgeId: string;
  /** A linked one. */
  wallet: string;
  /** `native` for ether, or the token's address on either side. */
  token: string;
  /** Base units. */
  amount: string;
  /** Left out: the wallet itself. A contract wallet has to name somebody. */
  to?: string | null;
};

/** `POST /users/me/withdrawals/{withdrawalId}/prove` and `…/finalise`, request. */
export type WithdrawalStepInput = {
  /** A linked one, which sends the transaction on L1. Left out: one that sent the withdrawal or receives it. */
  wallet?: string | null;
};

/** `POST /users/me/deposits/{depositId}/replay` and `POST /users/me/withdrawals/{withdrawalId}/replay`, request. */
export type ReplayInput = {
  /** A linked one, which sends the transaction. Left out: one that receives the transfer or sent it. */
  wallet?: string | null;
};

/** One chain, or the pools of one, as the indexer reads it. */
export type IndexedStream = {
  /** `main/l1` and `main/l2` of the bridge `main`, `swaps/ethereum/l2` of the pools of a network. */
  streamId: string;
  /** Absent for pools. */
  bridgeId?: string;
  /** Absent for a bridge. */
  pools?: readonly string[];
  dlt: string;
  networkId: string;
  /** Everything below it is stored. */
  nextBlock: number;
  /** The chain's newest block when it was read last. */
  head?: { number: number; hash: string; time: Timestamp };
  /** Blocks up to the head that are not stored yet. */
  lagBlocks?: number;
  readAt?: Timestamp;
  /** Whether answers to users say that they may be old (`staleSince`). */
  isStale: boolean;
  /** What keeps it from going on. */
  trouble?: string;
  /** Grows with each reorganisation and `flowgate reindex`; 0: it was never begun. */
  epoch: number;
  /** While blocks are read again: the last of them. */
  rereadTo?: number;
  /** The process that reads it; absent while nobody does. */
  leader?: string;
  /** Whether that is the process that answers. */
  isLedHere: boolean;
};

/** `GET /admin/indexers`. */
export type Indexers = { indexers: readonly IndexedStream[] };
