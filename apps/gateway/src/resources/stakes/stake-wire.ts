/** Stakes and staking actions in requests and responses (contract/stakes). */

import { typeIdForm } from '@flowgate/base/ids';
import { isoTime } from '@flowgate/base/iso-time';
import { identifier, mustBe, optional, time } from '@flowgate/body-schema/body-members';
import { type BodyOf, bodySchema, pageSchema } from '@flowgate/body-schema/body-schema';
import { checksumAddress } from '@flowgate/chain/evm-address';
import { z } from 'zod';
import { amount, amountInput } from '../../api/amount-member.ts';
import { evmAddress, evmAddressInput, exampleAddress } from '../../api/evm-address-member.ts';
import type { TokenFacts } from '../../prepared/token-facts.ts';
import type { Position, StakePlace } from './read-positions.ts';

const exampleStakeId = 'stk_3B9V6H2QJ8Z4M0T7XK5N1CWRYD';
const exampleToken = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359';

const stakeIdMember = () =>
  z
    .string()
    .regex(typeIdForm('stk'))
    .meta({
      description: 'Stable for a pair of contract and wallet.',
      examples: [exampleStakeId],
    });

/** The position's id as a path parameter. */
export const stakePath = {
  stakeId: { description: 'The id of the position.', schema: stakeIdMember, example: exampleStakeId },
};

const token = (description: string) =>
  z
    .object({
      address: evmAddress('The token.'),
      symbol: z.string().describe("The token's symbol, sanitized for display; empty when the token has none."),
      decimals: z.int().min(0).max(255).describe('0 when the token has no decimals.'),
    })
    .describe(description);

const contractMembers = () => ({
  contractId: identifier().describe('The id of the staking contract in the configuration.'),
  dlt: identifier(),
  networkId: identifier(),
});

export const stake = bodySchema(
  'Stake',
  'A position: what a wallet has staked in a contract, and earned.',
  () =>
    z.object({
      stakeId: stakeIdMember(),
      ...contractMembers(),
      wallet: evmAddress("The caller's wallet."),
      staked: amount('Amount of the staking token.'),
      earned: amount('Amount of the rewards token that is not claimed yet.'),
      stakingToken: token('The staking token.'),
      rewardsToken: token('The rewards token.'),
      blockNumber: z.int().min(0).describe('The block at which the position was read.'),
      updatedAt: time('When the position was read.'),
    }),
  {
    stakeId: exampleStakeId,
    contractId: 'pool-1',
    dlt: 'ethereum',
    networkId: 'mainnet',
    wallet: exampleAddress,
    staked: '1500000000000000000',
    earned: '2500000',
    stakingToken: { address: exampleToken, symbol: 'STK', decimals: 18 },
    rewardsToken: { address: exampleToken, symbol: 'RWD', decimals: 6 },
    blockNumber: 21000000,
    updatedAt: '2026-11-21T10:00:00.000Z',
  },
);

const unreadable = () =>
  z.array(z.object({ ...contractMembers(), wallets: z.array(evmAddress('A wallet of the caller.')).min(1) })).min(1);

const page = pageSchema('StakePage', 'Positions, the most recently linked wallet first.', stake);

export const stakePage = bodySchema(
  'StakePage',
  'Positions, the most recently linked wallet first.',
  () =>
    page.schema().extend({
      unreadable: unreadable()
        .describe(
          'Contracts that failed or returned no number, and the wallets whose positions in them are unknown for that reason.',
        )
        .exactOptional(),
    }),
  { data: [] },
);

export const stakeActions = ['stake', 'unstake', 'claim', 'exit'] as const;
export type StakeAction = (typeof stakeActions)[number];

export const stakeTransactionInput = bodySchema(
  'StakeTransactionInput',
  'An action of a wallet in a staking contract.',
  () =>
    z.object({
      contractId: identifier().describe('The id of the staking contract in the configuration.'),
      dlt: identifier(),
      networkId: identifier(),
      wallet: evmAddressInput('A linked wallet of the caller.'),
      action: z.enum(stakeActions, mustBe(`one of ${stakeActions.join(', ')}`)),
      amount: optional(amountInput()).describe(
        'Required for stake and unstake: the amount in base units of the staking token.',
      ),
    }),
  {
    contractId: 'pool-1',
    dlt: 'ethereum',
    networkId: 'mainnet',
    wallet: exampleAddress,
    action: 'stake',
    amount: '1500000000000000000',
  },
);

export type ShownPosition = {
  readonly place: StakePlace;
  readonly position: Position;
  readonly stakingToken: TokenFacts;
  readonly rewardsToken: TokenFacts;
  readonly blockNumber: bigint;
  readonly readAtMs: number;
};

export function stakeView({ place, position, ...read }: ShownPosition): BodyOf<typeof stake> {
  const { contract, wallet, stakeId } = place;
  return {
    stakeId,
    contractId: contract.contractId,
    dlt: contract.network.dlt,
    networkId: contract.network.networkId,
    wallet: checksumAddress(wallet.address),
    staked: String(position.staked),
    earned: String(position.earned),
    stakingToken: { ...read.stakingToken, address: checksumAddress(read.stakingToken.address) },
    rewardsToken: { ...read.rewardsToken, address: checksumAddress(read.rewardsToken.address) },
    blockNumber: Number(read.blockNumber),
    updatedAt: isoTime(read.readAtMs),
  };
}
