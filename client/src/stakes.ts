/** Positions of the user's wallets in staking contracts, and the transactions that change them (contract/stakes). */

import { askFor } from './ask-for.ts';
import { hasMembers } from './has-members.ts';
import { entriesOf, type PageOptions, searchOf } from './paged.ts';
import { pathSegment } from './path-segment.ts';
import { prepared } from './prepared-transactions.ts';
import type { CallOptions, Send } from './transport.ts';
import type { PreparedTransactions, Stake, StakePage, StakeTransactionInput } from './wire.ts';

export type Stakes = {
  /** Every position that can be read. What cannot is in `page`. */
  list(options?: Omit<PageOptions, 'cursor'>): AsyncIterable<Stake>;
  /** One page, with the contracts that failed while it was read. 502 when a network cannot be asked. */
  page(options?: PageOptions): Promise<StakePage>;
  /** 404 while nothing is staked or earned. */
  get(stakeId: string, options?: CallOptions): Promise<Stake>;
  /** What the wallet has to sign and send, in this order. 400 says how much there is. */
  prepare(input: StakeTransactionInput, options?: CallOptions): Promise<PreparedTransactions>;
};

const stakesPath = '/stakes';

export function createStakes(send: Send): Stakes {
  const page = async ({ limit, cursor, ...options }: PageOptions = {}) =>
    askFor(send, isStakePage, {
      ...{ method: 'GET', path: stakesPath + searchOf({ limit, cursor }) },
      ...{ repeatable: true, options },
    });
  return {
    list: (options = {}) => entriesOf((cursor) => page({ ...options, cursor })),
    page,
    get: async (stakeId, options = {}) =>
      askFor(send, isStake, {
        ...{ method: 'GET', path: `${stakesPath}/${pathSegment(stakeId)}` },
        ...{ repeatable: true, options },
      }),
    prepare: async (input, options = {}) => prepared(send, `${stakesPath}/transactions`, input, options),
  };
}

function isStakePage(value: unknown): value is StakePage {
  if (!hasMembers(value, { data: 'objects' }, { nextCursor: 'string', unreadable: 'objects' })) return false;
  const { data, unreadable = [] } = value;
  const isWhole = Array.isArray(data) && data.every(isStake);
  return isWhole && Array.isArray(unreadable) && unreadable.every(isUnreadable);
}

const contractMembers = { contractId: 'string', dlt: 'string', networkId: 'string' } as const;

function isUnreadable(value: unknown): boolean {
  return hasMembers(value, { ...contractMembers, wallets: 'texts' });
}

function isStake(value: unknown): value is Stake {
  const texts = {
    stakeId: 'string',
    wallet: 'string',
    staked: 'string',
    earned: 'string',
    updatedAt: 'string',
  } as const;
  return (
    hasMembers(value, { ...contractMembers, ...texts, blockNumber: 'number' }) &&
    isToken(value['stakingToken']) &&
    isToken(value['rewardsToken'])
  );
}

function isToken(value: unknown): boolean {
  return hasMembers(value, { address: 'string', symbol: 'string', decimals: 'number' });
}
