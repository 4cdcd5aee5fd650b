/**
 * Prepares the transactions with which a wallet stakes, unstakes, claims or exits, checked against the chain (contract/stakes#transactions). The gateway
 * signs and sends nothing.
 */

import { type Result, refused } from '@flowgate/base/result';
import { type BodyRefusal, refusedForOne } from '@flowgate/body-schema/body-problems';
import type { BodyOf } from '@flowgate/body-schema/body-schema';
import { checkedBody } from '@flowgate/body-schema/checked-body';
import type { Caller } from '../../api/caller.ts';
import { networkAway, preparePlan } from '../../prepared/prepare-plan.ts';
import type { preparedTransactions } from '../../prepared/prepared-transactions.ts';
import { viewChain } from '../../prepared/view-chain.ts';
import { contractFault, type StakeDeps } from './list-stakes.ts';
import { type PermittedStakes, permittedStakes } from './permitted-stakes.ts';
import { planStake, type StakeIntent } from './plan-stake.ts';
import { readPositions, type StakePlace, stakePlaces } from './read-positions.ts';
import { type StakeAction, stakeTransactionInput } from './stake-wire.ts';

type Prepared = Result<BodyOf<typeof preparedTransactions>, 'bad-gateway' | 'denied' | 'unavailable'> | BodyRefusal;

/** Throws `Unavailable` when the user's wallets cannot be read. */
export async function prepareStake(deps: StakeDeps, caller: Caller, body: unknown): Promise<Prepared> {
  const input = checkedBody(stakeTransactionInput.schema(), body);
  if (!input.ok) return input;
  const { contractId, dlt, networkId, wallet: address, action, amount } = input.value;
  const intent = intentOf(action, amount);
  if (typeof intent === 'string') return refusedForOne(intent);
  const contract = deps.contracts.find(
    (each) => each.contractId === contractId && each.network.dlt === dlt && each.network.networkId === networkId,
  );
  if (contract === undefined) return refusedForOne('contractId is not that of a staking contract on this network');
  const wallets = await deps.walletsOf(caller.userId);
  const place = stakePlaces(wallets, [contract]).find(({ wallet }) => wallet.address === address.toLowerCase());
  if (place === undefined) {
    const isLinked = wallets.some((wallet) => wallet.address === address.toLowerCase());
    return refusedForOne(
      isLinked ? 'wallet is a contract wallet of another chain' : 'wallet is not one that you have linked',
    );
  }
  const permitted = await permittedStakes(deps.firewall, caller, [contract]);
  if ('reason' in permitted) return permitted;
  if (permitted.contracts.length === 0) return refused('denied');
  return prepareAt(deps, caller.userId, permitted, place, intent);
}

/** A sentence when the amount does not fit the action: a caller who gives an amount for `exit` does not expect to withdraw everything. */
function intentOf(action: StakeAction, amount: string | undefined): StakeIntent | string {
  if (action === 'claim' || action === 'exit')
    return amount === undefined ? { action } : `amount must be omitted for ${action}`;
  return amount === undefined ? `amount is required for ${action}` : { action, amount: BigInt(amount) };
}

async function prepareAt(
  deps: StakeDeps,
  userId: string,
  { on }: PermittedStakes,
  place: StakePlace,
  intent: StakeIntent,
): Promise<Prepared> {
  const { contract, wallet } = place;
  const { leftOut, mayBeSent } = on(contract.network);
  const view = await viewChain(contract.network, userId, leftOut);
  if (view === undefined) return networkAway(contract.network);
  const [position = 'unavailable'] = await readPositions(view, [place]);
  if (position === 'unavailable') return networkAway(contract.network);
  if (position === 'unreadable') return contractFault(contract);
  const { stakingToken, rewardsToken } = position;
  const tokens = await deps.tokenFacts(contract.network, view, [stakingToken, rewardsToken]);
  const [staking, rewards] = [tokens?.get(stakingToken), tokens?.get(rewardsToken)];
  if (staking === undefined || rewards === undefined) return networkAway(contract.network);
  const plan = await planStake(view, place, position, { staking, rewards }, intent);
  if (plan.kind === 'unavailable') return networkAway(contract.network);
  if (plan.kind === 'unreadable') return contractFault(contract);
  if (plan.kind === 'refused') return refusedForOne(plan.problem);
  const { network, chainId } = contract;
  return preparePlan({ view, network, chainId, from: wallet.address, mayBeSent }, plan);
}
