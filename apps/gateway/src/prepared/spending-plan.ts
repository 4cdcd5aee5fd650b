/**
 * Plans the transactions after which a contract may take an amount of a token from a wallet. The plan depends on the
 * wallet's current allowance on the chain.
 */

import { checksumAddress } from '@flowgate/chain/evm-address';
import type { CallOutcome } from '../upstream/networks/contract-call.ts';
import type { TokenFacts } from './token-facts.ts';
import type { ChainView } from './view-chain.ts';

export type Planned = {
  readonly to: string;
  readonly data: string;
  /** In the smallest unit of the native coin. Default: none. */
  readonly value?: bigint;
  /** Gas in addition to the estimated limit, for a call that may need more when it is mined. Default: none. */
  readonly extraGas?: bigint;
  readonly description: string;
};

export type Plan = {
  readonly transactions: readonly Planned[];
  /** An alternative for tokens that change an allowance only from zero or to zero. */
  readonly withReset?: readonly Planned[];
};

export type Spending = { readonly balance: bigint; readonly allowance: bigint };

/** `unreadable`: the token call failed or did not return a number. Addresses are in lower case. */
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

/** Adds an approval if it is needed before `last`, which takes `amount` of the token. */
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

/** For example `1.5 STK`. */
export async function shownAmount(amount: bigint, { symbol, decimals, address }: TokenFacts): Promise<string> {
  const { decimalOf } = await import('./token-abi.ts');
  return `${decimalOf(amount, decimals)} ${symbol === '' ? `of the token ${checksumAddress(address)}` : symbol}`;
}

/** An error sentence for `amount`, with the maximum. Undefined when the amount is valid. */
export function amountProblem(amount: bigint, max: bigint, has: string): string | undefined {
  if (amount === 0n) return `amount must be above zero; the wallet ${has} ${max}`;
  return amount > max ? `amount is more than the wallet ${has}: ${max}` : undefined;
}

const unavailable: CallOutcome = { kind: 'unavailable' };
