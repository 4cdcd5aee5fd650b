/** What linked wallets sent from L1 to L2, or receive there, and the transactions that send it (contract/deposits). */

import { askFor } from './ask-for.ts';
import { isTransfer, type TransferFilter } from './bridge-records.ts';
import { createPaged, type Paged } from './paged.ts';
import { pathSegment } from './path-segment.ts';
import { prepared } from './prepared-transactions.ts';
import type { CallOptions, Send } from './transport.ts';
import { type WatchOptions, watchRecord } from './watch-record.ts';
import type { BridgeTransferInput, Deposit, PreparedTransactions, ReplayInput } from './wire.ts';

export type DepositFilter = TransferFilter<Deposit['status']>;

/** Newest first. */
export type Deposits = Paged<Deposit, DepositFilter> & {
  get(depositId: string, options?: CallOptions): Promise<Deposit>;
  /** The deposit as it is, then after each change, until it is `completed` or `failed`. */
  watch(depositId: string, options?: WatchOptions): AsyncIterable<Deposit>;
  /** What the wallet has to sign and send on L1, in this order. 404 for a wallet that is not linked, 400 when it has too little. */
  prepare(input: BridgeTransferInput, options?: CallOptions): Promise<PreparedTransactions>;
  /** Of one that failed for `relay_failed`: the transaction on L2 that relays its message again. 409 when the message has not failed, or was relayed since. */
  replay(depositId: string, input?: ReplayInput, options?: CallOptions): Promise<PreparedTransactions>;
};

const depositsPath = '/users/me/deposits';

export function createDeposits(send: Send): Deposits {
  const get: Deposits['get'] = async (depositId, options = {}) =>
    askFor(send, isDeposit, {
      ...{ method: 'GET', path: `${depositsPath}/${pathSegment(depositId)}` },
      ...{ repeatable: true, options },
    });
  return {
    ...createPaged<Deposit, DepositFilter>(send, depositsPath, isDeposit),
    get,
    watch: (depositId, options) => watchRecord((call) => get(depositId, call), isOver, options),
    prepare: async (input, options = {}) => prepared(send, '/deposits/transactions', input, options),
    replay: async (id, input = {}, options = {}) =>
      prepared(send, `${depositsPath}/${pathSegment(id)}/replay`, input, options),
  };
}

function isOver({ status }: Deposit): boolean {
  return status === 'completed' || status === 'failed';
}

const own = {
  depositId: 'string',
  l1TransactionHash: 'string',
  stalled: 'boolean',
  l1LogIndex: 'number',
  l1BlockNumber: 'number',
  confirmations: 'number',
  requiredConfirmations: 'number',
} as const;

const optional = { stalledReason: 'string', failureReason: 'string', messageHash: 'string' } as const;

function isDeposit(value: unknown): value is Deposit {
  return isTransfer(value, own, optional);
}
