/** The positions of the user's wallets in staking contracts, and the transactions that change them (contract/stakes). */

import { ask } from './ask.ts';
import * as shapes from './generated/shapes.ts';
import { entriesOf, type PageOptions, searchOf } from './paged.ts';
import type { CallOptions, Send } from './transport.ts';
import type { PreparedTransactions, Stake, StakePage, StakeTransactionInput } from './wire.ts';

export type Stakes = {
  /** All readable positions. `page` also reports contracts that failed. */
  list(options?: Omit<PageOptions, 'cursor'>): AsyncIterable<Stake>;
  /** One page, with the contracts that failed while it was read. 502 when a network cannot be called. */
  page(options?: PageOptions): Promise<StakePage>;
  /** 404 while nothing is staked or earned. */
  get(stakeId: string, options?: CallOptions): Promise<Stake>;
  /** The transactions that the wallet signs and sends, in this order. 400 for an insufficient amount, with the available one in the message. */
  prepare(input: StakeTransactionInput, options?: CallOptions): Promise<PreparedTransactions>;
};

export function createStakes(send: Send): Stakes {
  const page: Stakes['page'] = ({ limit, cursor, ...options } = {}) =>
    ask(send, 'GET /stakes', shapes.stakePage, [], { query: searchOf({ limit, cursor }), options });
  return {
    list: (options = {}) => entriesOf((cursor) => page({ ...options, cursor })),
    page,
    get: (stakeId, options) => ask(send, 'GET /stakes/{stakeId}', shapes.stake, [stakeId], { options }),
    prepare: (body, options) =>
      ask(send, 'POST /stakes/transactions', shapes.preparedTransactions, [], { body, repeatable: true, options }),
  };
}
