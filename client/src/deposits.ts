/** What linked wallets sent from L1 to L2, or receive there, and the transactions that send it (contract/deposits). */

import { ask } from './ask.ts';
import * as shapes from './generated/shapes.ts';
import { createPaged, type Paged } from './paged.ts';
import type { CallOptions, Send } from './transport.ts';
import { type WatchOptions, watchRecord } from './watch-record.ts';
import type { BridgeTransferInput, Deposit, PreparedTransactions, ReplayInput } from './wire.ts';

/** Which deposits, or which withdrawals, a list holds. */
export type TransferFilter<Status extends string> = {
  /** In this one, or in any of several. */
  readonly status?: Status | readonly Status[];
  readonly bridgeId?: string;
  /** Only what this linked wallet sent or receives. */
  readonly wallet?: string;
  /** Only those that this transaction is a part of, on either chain. */
  readonly transactionHash?: string;
  /** Only those after this time, with a zone. */
  readonly after?: string;
  /** Only those before this time, with a zone. */
  readonly before?: string;
};

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

export function createDeposits(send: Send): Deposits {
  const one = '/users/me/deposits/{depositId}';
  const get: Deposits['get'] = (depositId, options) =>
    ask(send, `GET ${one}`, shapes.deposit, [depositId], { options });
  return {
    ...createPaged(send, 'GET /users/me/deposits', shapes.deposit, []),
    get,
    watch: (depositId, options) => watchRecord((call) => get(depositId, call), isOver, options),
    prepare: (body, options) =>
      ask(send, 'POST /deposits/transactions', shapes.preparedTransactions, [], { body, repeatable: true, options }),
    replay: (id, body = {}, options = {}) =>
      ask(send, `POST ${one}/replay`, shapes.preparedTransactions, [id], { body, repeatable: true, options }),
  };
}

function isOver({ status }: Deposit): boolean {
  return status === 'completed' || status === 'failed';
}
