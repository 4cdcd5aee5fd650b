/** How records of each type of the history are queried and read in SQL. */

import type { Row } from '@flowgate/sql/engine/database';
import type { Fragment } from '@flowgate/sql/engine/dialect';
import { sql } from '@flowgate/sql/engine/sql-text';
import { selection } from '@flowgate/sql/engine/table';
import { bridgeDepositsTable } from '../deposits/deposit-tables.ts';
import { bridgeSwapsTable } from '../swaps/swap-table.ts';
import type { TokenEnds } from '../tokens/token-wire.ts';
import { bridgeWithdrawalsTable } from '../withdrawals/withdrawal-tables.ts';
import type { CrossingRecord, HistoryRecord, HistoryType } from './history-record.ts';

export type HistoryKind = {
  readonly table: string;
  readonly id: string;
  /** The column of the bridge, or of the stream of pools. */
  readonly partition: string;
  readonly columns: Fragment;
  /** The condition of records that are listed at all. It is also the condition of the indexes that serve pages. */
  readonly only?: Fragment;
  readonly read: (row: Row) => HistoryRecord;
};

const crossing = ['bridgeId', 'kind', 'status', 'createdAtMs', 'from', 'to', 'amount', 'transactionHash'] as const;
const deposits = selection(bridgeDepositsTable, 'depositId', ...crossing, 'l1Token', 'l2Token', 'l2Hash');
const withdrawals = selection(
  bridgeWithdrawalsTable,
  ...(['withdrawalId', ...crossing, 'tokenL1', 'tokenL2', 'proveTransaction', 'finalizeTransaction'] as const),
);
const swaps = selection(
  bridgeSwapsTable,
  ...(['swapId', 'streamId', 'transactionHash', 'createdAtMs', 'status', 'from', 'sender', 'to'] as const),
  ...(['tokenIn', 'amountIn', 'tokenOut', 'amountOut'] as const),
);

export const historyKinds: Readonly<Record<HistoryType, HistoryKind>> = {
  deposit: {
    table: 'bridge_deposits',
    id: 'deposit_id',
    partition: 'bridge_id',
    columns: deposits.list,
    read(row) {
      const { depositId, transactionHash, l1Token, l2Token, l2Hash, ...deposit } = deposits.read(row);
      return {
        ...{ type: 'deposit', id: depositId, ...deposit, ...tokenOf(l1Token, l2Token) },
        transactions: [
          { side: 'l1', hash: transactionHash, purpose: 'deposit' },
          { side: 'l2', hash: l2Hash, purpose: 'arrival' },
        ],
      };
    },
  },
  withdrawal: {
    table: 'bridge_withdrawals',
    id: 'withdrawal_id',
    partition: 'bridge_id',
    columns: withdrawals.list,
    read(row) {
      const { withdrawalId, transactionHash, tokenL1, tokenL2, proveTransaction, finalizeTransaction, ...withdrawal } =
        withdrawals.read(row);
      const onL1 = (hash: string | undefined, purpose: 'proof' | 'finalisation'): CrossingRecord['transactions'] =>
        hash === undefined ? [] : [{ side: 'l1', hash, purpose }];
      return {
        ...{ type: 'withdrawal', id: withdrawalId, ...withdrawal, ...tokenOf(tokenL1, tokenL2) },
        transactions: [
          { side: 'l2', hash: transactionHash, purpose: 'initiation' },
          ...onL1(proveTransaction, 'proof'),
          ...onL1(finalizeTransaction, 'finalisation'),
        ],
      };
    },
  },
  swap: {
    table: 'bridge_swaps',
    id: 'swap_id',
    partition: 'stream_id',
    columns: swaps.list,
    only: sql`lost_at IS NULL`,
    read(row) {
      const { swapId, ...swap } = swaps.read(row);
      return { type: 'swap', id: swapId, ...swap };
    },
  },
};

function tokenOf(l1: string | undefined, l2: string | undefined): { readonly token?: TokenEnds } {
  return l1 === undefined || l2 === undefined ? {} : { token: { l1, l2 } };
}
