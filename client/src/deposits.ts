/** The deposits of linked wallets from L1 to L2, and the transactions that make them (contract/deposits). */

import { ask } from './ask.ts';
import * as shapes from './generated/shapes.ts';
import { createPaged, type Paged } from './paged.ts';
import type { CallOptions, Send } from './transport.ts';
import { type WatchOptions, watchRecord } from './watch-record.ts';
import type { BridgeTransferInput, Deposit, PreparedTransactions, ReplayInput } from './wire.ts';

/** Filters of a list of deposits or withdrawals. */
export type TransferFilter<Status extends string> = {
  /** One status, or any of several. */
  readonly status?: Status | readonly Status[];
  readonly bridgeId?: string;
  /** Only entries whose sender or recipient is this linked wallet. */
  readonly wallet?: string;
  /** Only entries that include this transaction, on either chain. */
  readonly transactionHash?: string;
  /** Only entries after this time, ISO 8601 with a zone. */
  readonly after?: string;
  /** Only entries before this time, ISO 8601 with a zone. */
  readonly before?: string;
};

export type DepositFilter = TransferFilter<Deposit['status']>;

/** Newest first. */
export type Deposits = Paged<Deposit, DepositFilter> & {
  get(depositId: string, options?: CallOptions): Promise<Deposit>;
  /** Yields the deposit now and after each change, until it is `completed` or `failed`. */
  watch(depositId: string, options?: WatchOptions): AsyncIterable<Deposit>;
  /** The transactions that the wallet signs and sends on L1, in this order. 404 for a wallet that is not linked, 400 for an insufficient balance. */
  prepare(input: BridgeTransferInput, options?: CallOptions): Promise<PreparedTransactions>;
  /**
   * For a deposit that failed with `relay_failed`: the transaction on L2 that relays its message again. 409 when the message has not failed or was relayed
   * meanwhile.
   */
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
