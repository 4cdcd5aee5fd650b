/** The records of a history: deposits, withdrawals and swaps, with the members that an entry shows. */

import type { TransferKind } from '@flowgate/chain/blocks/bridge-log';
import type { SwapRecord } from '../swaps/swap.ts';
import type { TokenEnds } from '../tokens/token-wire.ts';

export const historyTypes = ['deposit', 'swap', 'withdrawal'] as const;
export type HistoryType = (typeof historyTypes)[number];

export const transactionPurposes = ['deposit', 'arrival', 'initiation', 'proof', 'finalisation', 'swap'] as const;
export type TransactionPurpose = (typeof transactionPurposes)[number];

/** A transaction of a record, and its side of the bridge. */
export type CrossingTransaction = {
  readonly side: 'l1' | 'l2';
  readonly hash: string;
  readonly purpose: TransactionPurpose;
};

/** A deposit or a withdrawal. Addresses and hashes are in lower case; times are milliseconds since the Unix epoch. */
export type CrossingRecord = {
  readonly type: 'deposit' | 'withdrawal';
  readonly id: string;
  readonly bridgeId: string;
  readonly kind: TransferKind;
  readonly status: string;
  readonly createdAtMs: number;
  readonly from: string;
  readonly to: string;
  /** Absent for ether. */
  readonly token?: TokenEnds;
  readonly amount: string;
  readonly transactions: readonly CrossingTransaction[];
};

export type SwapEntryRecord = { readonly type: 'swap'; readonly id: string } & Omit<
  SwapRecord,
  'swapId' | 'blockNumber' | 'blockHash' | 'nth' | 'nonce' | 'pool' | 'lostAtMs' | 'dueAtMs'
>;

export type HistoryRecord = CrossingRecord | SwapEntryRecord;
