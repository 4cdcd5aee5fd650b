/** Positions, and what wallets are to do, as callers send and see them (contract/stakes). */

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
      description: 'The same for as long as there are the contract and the wallet.',
      examples: [exampleStakeId],
    });

/** Where a position is named in a path. */
export const stakePath = {
  stakeId: { description: 'The position.', schema: stakeIdMember, example: exampleStakeId },
};

const token = (description: string) =>
  z
    .object({
      address: evmAddress('The token.'),
      symbol: z.string().describe('As the token names itself, made fit to be shown; empty when it does not.'),
      decimals: z.int().min(0).max(255).describe('0 when the token does not say.'),
    })
    .describe(description);

const contractMembers = () => ({
  contractId: identifier().describe('The staking contract, as in the configuration.'),
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
      staked: amount('Of the staking token.'),
      earned: amount('Of the rewards token, not claimed yet.'),
      stakingToken: token('What is staked.'),
      rewardsToken: token('What is earned.'),
      blockNumber: z.int().min(0).describe('The block at which all of this was read.'),
      updatedAt: time('When it was read.'),
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

const page = pageSchema('StakePage', 'Positions, of the wallet that was linked last first.', stake);

export const stakePage = bodySchema(
  'StakePage',
  'Positions, of the wallet that was linked last first.',
  () =>
    page.schema().extend({
      unreadable: unreadable()
        .describe(
          'Contracts that failed or answered no number, and the wallets whose positions in them are therefore unknown.',
        )
        .exactOptional(),
    }),
  { data: [] },
);

export const stakeActions = ['stake', 'unstake', 'claim', 'exit'] as const;
export type StakeAction = (typeof stakeActions)[number];

export const stakeTransactionInput = bodySchema(
  'StakeTransactionInput',
  'What a wallet is to do in a staking contract.',
  () =>
    z.object({
      contractId: identifier().describe('The staking contract, as in the configuration.'),
      dlt: identifier(),
      networkId: identifier(),
      wallet: evmAddressInput('One that the caller has linked.'),
      action: z.enum(stakeActions, mustBe(`one of ${stakeActions.join(', ')}`)),
      amount: optional(amountInput()).describe(
        'For stake and unstake, which need it; in base units of the staking token.',
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
