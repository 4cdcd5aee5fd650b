/** Decides which transactions an intent takes, from what the chain says the wallet has, has staked and has allowed. */

import { checksumAddress } from '../../platform/evm-address.ts';
import type { CallOutcome } from '../contract-call.ts';
import type { ChainView } from './chain-view.ts';
import type { Position, StakePlace } from './read-positions.ts';
import type { TokenFacts } from './token-facts.ts';

/** Amounts are base units of the staking token. */
export type StakeIntent =
  | { readonly action: 'stake'; readonly amount: bigint }
  | { readonly action: 'unstake'; readonly amount: bigint }
  | { readonly action: 'claim' }
  | { readonly action: 'exit' };

/** A transaction without a value. */
export type Planned = { readonly to: string; readonly data: string; readonly description: string };

export type StakePlan =
  | {
      readonly kind: 'planned';
      readonly transactions: readonly Planned[];
      /** Instead, for tokens that change an allowance only from or to zero. */
      readonly withReset?: readonly Planned[];
    }
  /** `problem`: a sentence that names the member and says how much there is. */
  | { readonly kind: 'refused'; readonly problem: string }
  | { readonly kind: 'unreadable' }
  | { readonly kind: 'unasked' };

type Tokens = { readonly staking: TokenFacts; readonly rewards: TokenFacts };

export async function planStake(
  view: ChainView,
  { contract, wallet }: StakePlace,
  { staked, earned }: Position,
  tokens: Tokens,
  intent: StakeIntent,
): Promise<StakePlan> {
  const { calls, decimalOf, readUint } = await import('./staking-abi.ts');
  const { name, address: to } = contract;
  const shown = (amount: bigint, { symbol, decimals, address }: TokenFacts) =>
    `${decimalOf(amount, decimals)} ${symbol === '' ? `of the token ${checksumAddress(address)}` : symbol}`;
  const planned = (...transactions: readonly Planned[]): StakePlan => ({ kind: 'planned', transactions });
  const refusal = (problem: string): StakePlan => ({ kind: 'refused', problem });

  if (intent.action === 'claim') {
    if (earned === 0n) return refusal('action claim needs earned rewards; the wallet has earned 0');
    return planned({
      to,
      data: calls.getReward(),
      description: `Claim ${shown(earned, tokens.rewards)}, or what it is by then, from ${name}`,
    });
  }
  if (intent.action === 'exit') {
    if (staked === 0n)
      return refusal(`action exit needs a stake; the wallet has staked 0 and earned ${earned}, which claim takes`);
    const what = `all ${shown(staked, tokens.staking)} out of ${name}, with ${shown(earned, tokens.rewards)}, or what it is by then`;
    return planned({ to, data: calls.exit(), description: `Take ${what}` });
  }
  const { amount } = intent;
  if (intent.action === 'unstake') {
    const problem = amountProblem(amount, staked, 'has staked');
    if (problem !== undefined) return refusal(problem);
    const description = `Take ${shown(amount, tokens.staking)} out of ${name}`;
    return planned({ to, data: calls.withdraw(amount), description });
  }

  const token = tokens.staking.address;
  const [had = unasked, allowed = unasked] = await view.call([
    { to: token, data: calls.balanceOf(wallet.address) },
    { to: token, data: calls.allowance(wallet.address, to) },
  ]);
  if (had.kind === 'unasked' || allowed.kind === 'unasked') return { kind: 'unasked' };
  const balance = had.kind === 'returned' ? readUint(had.data) : undefined;
  const allowance = allowed.kind === 'returned' ? readUint(allowed.data) : undefined;
  if (balance === undefined || allowance === undefined) return { kind: 'unreadable' };
  const problem = amountProblem(amount, balance, 'has');
  if (problem !== undefined) return refusal(problem);
  const what = shown(amount, tokens.staking);
  const stake = { to, data: calls.stake(amount), description: `Stake ${what} in ${name}` };
  if (allowance >= amount) return planned(stake);
  const approve = (value: bigint, description: string) => ({ to: token, data: calls.approve(to, value), description });
  const approval = approve(amount, `Allow ${name} (${checksumAddress(to)}) to take ${what} from the wallet, once`);
  const reset = approve(0n, `Take back what ${name} (${checksumAddress(to)}) was allowed to take before`);
  return {
    kind: 'planned',
    transactions: [approval, stake],
    ...(allowance === 0n ? {} : { withReset: [reset, approval, stake] }),
  };
}

function amountProblem(amount: bigint, most: bigint, has: string): string | undefined {
  if (amount === 0n) return `amount must be above zero; the wallet ${has} ${most}`;
  return amount > most ? `amount is more than the wallet ${has}: ${most}` : undefined;
}

const unasked: CallOutcome = { kind: 'unasked' };
