/** Reads positions from the chain: what wallets have staked in contracts and earned, all of a network at one block. */

import { createHash } from 'node:crypto';
import type { ChainView } from '../../prepared/view-chain.ts';
import type { CallOutcome, ContractCall } from '../../upstream/networks/contract-call.ts';
import { mayStake, type StakingContract, type StakingWallet } from './staking-contract.ts';

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const characters = 26;

/**
 * The id of a position, derived from contract and wallet, so that it is stable without storage: `stk_` and 128 bits in the form of a ULID. `wallet` is in
 * lower case.
 */
function stakeId({ network: { dlt, networkId }, address }: StakingContract, wallet: string): string {
  const digest = createHash('sha256').update(`${dlt} ${networkId} ${address} ${wallet}`).digest('hex');
  let rest = BigInt(`0x${digest.slice(0, 32)}`);
  let text = '';
  for (let at = 0; at < characters; at++) {
    text = (alphabet[Number(rest & 31n)] ?? '') + text;
    rest >>= 5n;
  }
  return `stk_${text}`;
}

/** A contract and a wallet that may have a position. */
export type StakePlace = {
  readonly stakeId: string;
  readonly contract: StakingContract;
  readonly wallet: StakingWallet;
};

export type Position = {
  readonly staked: bigint;
  readonly earned: bigint;
  /** Addresses in lower case. */
  readonly stakingToken: string;
  readonly rewardsToken: string;
};

/** `unreadable`: the contract reverted or returned an invalid answer. */
export type PositionFinding = Position | 'unreadable' | 'unavailable';

/** Newest wallet first, then by id: an order that stays valid while wallets are linked and unlinked. */
export function stakePlaces(
  wallets: readonly StakingWallet[],
  contracts: readonly StakingContract[],
): readonly StakePlace[] {
  return wallets
    .flatMap((wallet) =>
      contracts
        .filter((contract) => mayStake(wallet, contract))
        .map((contract) => ({ stakeId: stakeId(contract, wallet.address), contract, wallet })),
    )
    .sort((left, right) => (isAfter(left, { atMs: right.wallet.createdAtMs, id: right.stakeId }) ? 1 : -1));
}

/** Whether it comes after this position in the list. */
export function isAfter({ stakeId: id, wallet }: StakePlace, position: { readonly atMs: number; readonly id: string }) {
  return wallet.createdAtMs === position.atMs ? id < position.id : wallet.createdAtMs < position.atMs;
}

/** The findings in the given order; all are of the view's network. */
export async function readPositions(
  view: ChainView,
  places: readonly StakePlace[],
): Promise<readonly PositionFinding[]> {
  const [{ stakingCalls }, { readAddress, readUint }] = await Promise.all([
    import('./staking-abi.ts'),
    import('../../prepared/token-abi.ts'),
  ]);
  const contracts = [...new Set(places.map(({ contract }) => contract))];
  const asked: readonly ContractCall[] = [
    ...contracts.flatMap(({ address: to }) => [
      { to, data: stakingCalls.stakingToken() },
      { to, data: stakingCalls.rewardsToken() },
    ]),
    ...places.flatMap(({ contract: { address: to }, wallet }) => [
      { to, data: stakingCalls.balanceOf(wallet.address) },
      { to, data: stakingCalls.earned(wallet.address) },
    ]),
  ];
  const outcomes = await view.call(asked);
  const dataAt = (at: number) => dataOf(outcomes[at]);
  return places.map(({ contract }, at) => {
    const ofContract = 2 * contracts.indexOf(contract);
    const ofPlace = 2 * (contracts.length + at);
    const found = [ofContract, ofContract + 1, ofPlace, ofPlace + 1].map(dataAt);
    if (found.includes('unavailable')) return 'unavailable';
    const [tokenData = '', rewardsData = '', stakedData = '', earnedData = ''] = found;
    const [stakingToken, rewardsToken] = [readAddress(tokenData), readAddress(rewardsData)];
    const [staked, earned] = [readUint(stakedData), readUint(earnedData)];
    const isReadable = stakingToken !== undefined && rewardsToken !== undefined && staked !== undefined;
    return isReadable && earned !== undefined ? { staked, earned, stakingToken, rewardsToken } : 'unreadable';
  });
}

/** The returned data; empty for a call that failed on the chain. */
function dataOf(outcome: CallOutcome | undefined): string {
  if (outcome === undefined || outcome.kind === 'unavailable') return 'unavailable';
  return outcome.kind === 'returned' ? outcome.data : '';
}
