/** Which transactions it takes until a contract may take an amount of a token from a wallet, from what the chain says the wallet has and has allowed. */

import { checksumAddress } from '@flowgate/chain/evm-address';
import type { CallOutcome } from '../upstream/networks/contract-call.ts';
import type { TokenFacts } from './token-facts.ts';
import type { ChainView } from './view-chain.ts';

export type Planned = {
  readonly to: string;
  readonly data: string;
  /** Of the native coin; none by default. */
  readonly value?: bigint;
  /** Gas above the estimated limit, for a call that does more when its block is later than the estimate's. None by default. */
  readonly extraGas?: bigint;
  readonly description: string;
};

export type Plan = {
  readonly transactions: readonly Planned[];
  /** Instead, for tokens that change an allowance only from or to zero. */
  readonly withReset?: readonly Planned[];
};

export type Spending = { readonly balance: bigint; readonly allowance: bigint };

/** `unreadable`: the token failed, or answered with what is no number. Addresses in lower case. */
export async function readSpending(
  view: ChainView,
  token: string,
  owner: string,
  spender: string,
): Promise<Spending | 'unreadable' | 'unavailable'> {
  const { readUint, tokenCalls } = await import('./token-abi.ts');
  const [had = unavailable, allowed = unavailable] = await view.call([
    { to: token, data: tokenCalls.balanceOf(owner) },
    { to: token, data: tokenCalls.allowance(owner, spender) },
  ]);
  if (had.kind === 'unavailable' || allowed.kind === 'unavailable') return 'unavailable';
  const balance = had.kind === 'returned' ? readUint(had.data) : undefined;
  const allowance = allowed.kind === 'returned' ? readUint(allowed.data) : undefined;
  return balance === undefined || allowance === undefined ? 'unreadable' : { balance, allowance };
}

/** `last` takes `amount` of the token. */
export async function withApproval(
  { allowance }: Pick<Spending, 'allowance'>,
  token: TokenFacts,
  spender: { readonly name: string; readonly address: string },
  amount: bigint,
  last: Planned,
): Promise<Plan> {
  if (allowance >= amount) return { transactions: [last] };
  const { tokenCalls } = await import('./token-abi.ts');
  const approve = (value: bigint, description: string) => ({
    to: token.address,
    data: tokenCalls.approve(spender.address, value),
    description,
  });
  const named = `${spender.name} (${checksumAddress(spender.address)})`;
  const approval = approve(amount, `Allow ${named} to take ${await shownAmount(amount, token)} from the wallet, once`);
  const reset = approve(0n, `Take back what ${named} was allowed to take before`);
  return {
    transactions: [approval, last],
    ...(allowance === 0n ? {} : { withReset: [reset, approval, last] }),
  };
}

/** `1.5 STK`. */
export async function shownAmount(amount: bigint, { symbol, decimals, address }: TokenFacts): Promise<string> {
  const { decimalOf } = await import('./token-abi.ts');
  return `${decimalOf(amount, decimals)} ${symbol === '' ? `of the token ${checksumAddress(address)}` : symbol}`;
}

/** A sentence that names the member and says how much there is. */
export function amountProblem(amount: bigint, max: bigint, has: string): string | undefined {
  if (amount === 0n) return `amount must be above zero; the wallet ${has} ${max}`;
  return amount > max ? `amount is more than the wallet ${has}: ${max}` : undefined;
}

const unavailable: CallOutcome = { kind: 'unavailable' };
