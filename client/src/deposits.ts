/** What linked wallets sent from L1 to L2, or receive there, and the transactions that send it (contract/deposits). */

import { askFor } from './ask-for.ts';
import { isBridgeToken, isPlace } from './bridge-records.ts';
import type { BridgeTransferInput, Deposit } from './bridge-wire.ts';
import { hasMembers } from './has-members.ts';
import type { PreparedTransactions } from './ledger-wire.ts';
import { createPaged, type Paged } from './paged.ts';
import { pathSegment } from './path-segment.ts';
import { prepared } from './prepared-transactions.ts';
import type { CallOptions, Send } from './transport.ts';
import { type WatchOptions, watchRecord } from './watch-record.ts';

export type DepositFilter = {
  readonly status?: Deposit['status'];
  readonly bridgeId?: string;
  /** Only what this linked wallet sent or receives. */
  readonly wallet?: string;
};

/** Newest first. */
export type Deposits = Paged<Deposit, DepositFilter> & {
  get(depositId: string, options?: CallOptions): Promise<Deposit>;
  /** The deposit as it is, then after each change, until it is `completed` or `failed`. */
  watch(depositId: string, options?: WatchOptions): AsyncIterable<Deposit>;
  /** What the wallet has to sign and send on L1, in this order. 404 for a wallet that is not linked, 400 when it has too little. */
  prepare(input: BridgeTransferInput, options?: CallOptions): Promise<PreparedTransactions>;
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
  };
}

function isOver({ status }: Deposit): boolean {
  return status === 'completed' || status === 'failed';
}

const texts = {
  depositId: 'string',
  bridgeId: 'string',
  kind: 'string',
  status: 'string',
  amount: 'string',
  from: 'string',
  to: 'string',
  l1TransactionHash: 'string',
  l2TransactionHash: 'string',
  createdAt: 'string',
  updatedAt: 'string',
  statusChangedAt: 'string',
} as const;

const numbers = {
  l1LogIndex: 'number',
  l1BlockNumber: 'number',
  confirmations: 'number',
  requiredConfirmations: 'number',
} as const;

const optionalTexts = { stalledReason: 'string', failureReason: 'string', staleSince: 'string' } as const;

function isDeposit(value: unknown): value is Deposit {
  return (
    hasMembers(value, { ...texts, ...numbers, stalled: 'boolean' }, optionalTexts) &&
    isPlace(value['source']) &&
    isPlace(value['destination']) &&
    isBridgeToken(value['token'])
  );
}
