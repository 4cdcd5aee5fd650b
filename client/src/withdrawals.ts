/** The withdrawals of linked wallets from L2 to L1, what each still waits for, and the transactions of each step (contract/withdrawals). */

import { ask } from './ask.ts';
import type { TransferFilter } from './deposits.ts';
import * as shapes from './generated/shapes.ts';
import { createPaged, type Paged } from './paged.ts';
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
  /** Yields the withdrawal now and after each change, until it is `finalised` or `failed`. */
  watch(withdrawalId: string, options?: WatchOptions): AsyncIterable<Withdrawal>;
  /** The transactions that the wallet signs and sends on L2, in this order. 404 for a wallet that is not linked, 400 for an insufficient balance. */
  prepare(input: BridgeTransferInput, options?: CallOptions): Promise<PreparedTransactions>;
  /** The transaction on L1 that proves the withdrawal. 409 says what it waits for, or that it is already proven. */
  prove(withdrawalId: string, input?: WithdrawalStepInput, options?: CallOptions): Promise<PreparedTransactions>;
  /** The transaction on L1 that finalizes the withdrawal. 409 says what it waits for and, if known, until when. */
  finalize(withdrawalId: string, input?: WithdrawalStepInput, options?: CallOptions): Promise<PreparedTransactions>;
  /** @deprecated Use `finalize`, which does the same. */
  finalise(withdrawalId: string, input?: WithdrawalStepInput, options?: CallOptions): Promise<PreparedTransactions>;
  /**
   * For a withdrawal that failed with `relay_failed`: the transaction on L1 that relays its message again. 409 when the message has not failed or was relayed
   * meanwhile.
   */
  replay(withdrawalId: string, input?: ReplayInput, options?: CallOptions): Promise<PreparedTransactions>;
};

export function createWithdrawals(send: Send): Withdrawals {
  const one = '/users/me/withdrawals/{withdrawalId}';
  const get: Withdrawals['get'] = (id, options) => ask(send, `GET ${one}`, shapes.withdrawal, [id], { options });
  const step =
    (name: 'prove' | 'finalize' | 'replay') =>
    (id: string, body: WithdrawalStepInput = {}, options: CallOptions = {}) =>
      ask(send, `POST ${one}/${name}`, shapes.preparedTransactions, [id], { body, repeatable: true, options });
  const finalize = step('finalize');
  return {
    ...createPaged(send, 'GET /users/me/withdrawals', shapes.withdrawal, []),
    get,
    watch: (withdrawalId, options) => watchRecord((call) => get(withdrawalId, call), isOver, options),
    prepare: (body, options) =>
      ask(send, 'POST /withdrawals/transactions', shapes.preparedTransactions, [], { body, repeatable: true, options }),
    prove: step('prove'),
    finalize,
    finalise: finalize,
    replay: step('replay'),
  };
}

function isOver({ status }: Withdrawal): boolean {
  return status === 'finalised' || status === 'failed';
}
