/** Decides which transactions an intent needs, from the wallet's balance, stake and allowance on the chain. */

import {
  amountProblem,
  type Plan,
  type Planned,
  readSpending,
  shownAmount,
  withApproval,
} from '../../prepared/spending-plan.ts';
import type { TokenFacts } from '../../prepared/token-facts.ts';
import type { ChainView } from '../../prepared/view-chain.ts';
import type { Position, StakePlace } from './read-positions.ts';

/** Amounts are base units of the staking token. */
export type StakeIntent =
  | { readonly action: 'stake'; readonly amount: bigint }
  | { readonly action: 'unstake'; readonly amount: bigint }
  | { readonly action: 'claim' }
  | { readonly action: 'exit' };

export type StakePlan =
  | ({ readonly kind: 'planned' } & Plan)
  /** `problem`: a sentence that names the member and says how much there is. */
  | { readonly kind: 'refused'; readonly problem: string }
  | { readonly kind: 'unreadable' }
  | { readonly kind: 'unavailable' };

/**
 * Rewards grow with the block time. While they are zero, a gas estimate omits what a later block does: writes to up to four empty storage slots (22,100 each,
 * EIP-2929) and the transfer of the reward. Unused gas is not paid.
 */
const extraGas = 150_000n;

type Tokens = { readonly staking: TokenFacts; readonly rewards: TokenFacts };

export async function planStake(
  view: ChainView,
  { contract, wallet }: StakePlace,
  { staked, earned }: Position,
  tokens: Tokens,
  intent: StakeIntent,
): Promise<StakePlan> {
  const { stakingCalls } = await import('./staking-abi.ts');
  const { name, address: to } = contract;
  const planned = (...transactions: readonly Planned[]): StakePlan => ({ kind: 'planned', transactions });
  const refusal = (problem: string): StakePlan => ({ kind: 'refused', problem });

  if (intent.action === 'claim') {
    if (earned === 0n) return refusal('action claim needs earned rewards; the wallet has earned 0');
    return planned({
      to,
      data: stakingCalls.getReward(),
      extraGas,
      description: `Claim ${await shownAmount(earned, tokens.rewards)}, or what it is by then, from ${name}`,
    });
  }
  if (intent.action === 'exit') {
    if (staked === 0n)
      return refusal(
        `action exit needs a stake; the wallet has staked 0 and earned ${earned}, which the action claim collects`,
      );
    const what = `all ${await shownAmount(staked, tokens.staking)} out of ${name}, with ${await shownAmount(earned, tokens.rewards)}, or what it is by then`;
    return planned({ to, data: stakingCalls.exit(), extraGas, description: `Take ${what}` });
  }
  const { amount } = intent;
  if (intent.action === 'unstake') {
    const problem = amountProblem(amount, staked, 'has staked');
    if (problem !== undefined) return refusal(problem);
    const description = `Take ${await shownAmount(amount, tokens.staking)} out of ${name}`;
    return planned({ to, data: stakingCalls.withdraw(amount), extraGas, description });
  }

  const spending = await readSpending(view, tokens.staking.address, wallet.address, to);
  if (spending === 'unavailable' || spending === 'unreadable') return { kind: spending };
  const problem = amountProblem(amount, spending.balance, 'has');
  if (problem !== undefined) return refusal(problem);
  const description = `Stake ${await shownAmount(amount, tokens.staking)} in ${name}`;
  const stake = { to, data: stakingCalls.stake(amount), extraGas, description };
  return {
    kind: 'planned',
    ...(await withApproval(spending, tokens.staking, { name, address: to }, amount, stake)),
  };
}
