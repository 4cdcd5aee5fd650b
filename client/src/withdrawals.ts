/** What linked wallets withdraw from L2 to L1, what it still waits for, and the transactions for each step (contract/withdrawals). */

import { askFor } from './ask-for.ts';
import { isTransfer, type TransferFilter } from './bridge-records.ts';
import { createPaged, type Paged } from './paged.ts';
import { pathSegment } from './path-segment.ts';
import { prepared } from './prepared-transactions.ts';
import type { CallOptions, Send } from './transport.ts';
import { type WatchOptions, watchRecord } from './watch-record.ts';
import type {
  BridgeTransferInput,
  PreparedTransactions,
  ReplayInput,
  Withdrawal,
  WithdrawalStepInput,
} from './wire.ts';

export type WithdrawalFilter = TransferFilter<Withdrawal['status']>;

/** Newest first. */
export type Withdrawals = Paged<Withdrawal, WithdrawalFilter> & {
  get(withdrawalId: string, options?: CallOptions): Promise<Withdrawal>;
  /** The withdrawal as it is, then after each change, until it is `finalised` or `failed`. */
  watch(withdrawalId: string, options?: WatchOptions): AsyncIterable<Withdrawal>;
  /** What the wallet has to sign and send on L2, in this order. 404 for a wallet that is not linked, 400 when it has too little. */
  prepare(input: BridgeTransferInput, options?: CallOptions): Promise<PreparedTransactions>;
  /** The proof, for L1. 409 says what it waits for, or that there is nothing to prove any more. */
  prove(withdrawalId: string, input?: WithdrawalStepInput, options?: CallOptions): Promise<PreparedTransactions>;
  /** The end, on L1. 409 says what it waits for and, where that is known, until when. */
  finalise(withdrawalId: string, input?: WithdrawalStepInput, options?: CallOptions): Promise<PreparedTransactions>;
  /** Of one that failed for `relay_failed`: the transaction on L1 that relays its message again. 409 when the message has not failed, or was relayed since. */
  replay(withdrawalId: string, input?: ReplayInput, options?: CallOptions): Promise<PreparedTransactions>;
};

const withdrawalsPath = '/users/me/withdrawals';

export function createWithdrawals(send: Send): Withdrawals {
  const pathOf = (withdrawalId: string) => `${withdrawalsPath}/${pathSegment(withdrawalId)}`;
  const get: Withdrawals['get'] = async (withdrawalId, options = {}) =>
    askFor(send, isWithdrawal, { method: 'GET', path: pathOf(withdrawalId), repeatable: true, options });
  return {
    ...createPaged<Withdrawal, WithdrawalFilter>(send, withdrawalsPath, isWithdrawal),
    get,
    watch: (withdrawalId, options) => watchRecord((call) => get(withdrawalId, call), isOver, options),
    prepare: async (input, options = {}) => prepared(send, '/withdrawals/transactions', input, options),
    prove: async (id, input = {}, options = {}) => prepared(send, `${pathOf(id)}/prove`, input, options),
    finalise: async (id, input = {}, options = {}) => prepared(send, `${pathOf(id)}/finalise`, input, options),
    replay: async (id, input = {}, options = {}) => prepared(send, `${pathOf(id)}/replay`, input, options),
  };
}

function isOver({ status }: Withdrawal): boolean {
  return status === 'finalised' || status === 'failed';
}

const own = { withdrawalId: 'string', withdrawalHash: 'string', nonce: 'string', blockers: 'texts' } as const;

const optional = {
  messageHash: 'string',
  failureReason: 'string',
  disputeWindowEndsAt: 'string',
  proveTransactionHash: 'string',
  proofSubmitter: 'string',
  finaliseTransactionHash: 'string',
} as const;

function isWithdrawal(value: unknown): value is Withdrawal {
  return isTransfer(value, own, optional);
}
