/** Finds the transaction that used a nonce, and whether it does what was prepared. */
import type { Address, PublicClient, Transaction } from 'viem';
import { isRefusalOfChain, type PreparedTransaction } from './prepared-transaction.ts';

export type NonceUse =
  | { readonly kind: 'unused' }
  /** By a transaction that no block contains yet. */
  | { readonly kind: 'waiting' }
  | { readonly kind: 'used'; readonly transaction: Transaction }
  /** The node has pruned the states that would answer this, or a reorganization happened meanwhile. */
  | { readonly kind: 'unknown' };

export async function useOfNonce(chain: PublicClient, from: Address, nonce: number): Promise<NonceUse> {
  const count = (at: { blockNumber: bigint } | { blockTag: 'pending' }) =>
    chain.getTransactionCount({ address: from, ...at });
  const head = await chain.getBlockNumber();
  if ((await count({ blockNumber: head })) <= nonce)
    return { kind: (await count({ blockTag: 'pending' })) > nonce ? 'waiting' : 'unused' };
  try {
    const isUsedAt = async (blockNumber: bigint) => (await count({ blockNumber })) > nonce;
    const blockNumber = await firstBlock(head, isUsedAt);
    const { transactions } = await chain.getBlock({ blockNumber, includeTransactions: true });
    const found = transactions.find((each) => each.from.toLowerCase() === from.toLowerCase() && each.nonce === nonce);
    return found === undefined ? { kind: 'unknown' } : { kind: 'used', transaction: found };
  } catch (error) {
    if (isRefusalOfChain(error)) return { kind: 'unknown' };
    throw error;
  }
}

/** The first block at which `holds` is true; `holds` is true at `head`. Looks near the head first, because nodes retain recent states longest. */
async function firstBlock(head: bigint, holds: (block: bigint) => Promise<boolean>): Promise<bigint> {
  let high = head;
  let low = -1n;
  for (let step = 1n; high > 0n; step *= 2n) {
    const earlier = high > step ? high - step : 0n;
    if (!(await holds(earlier))) {
      low = earlier;
      break;
    }
    high = earlier;
  }
  while (high - low > 1n) {
    const middle = (low + high) / 2n;
    if (await holds(middle)) high = middle;
    else low = middle;
  }
  return high;
}

/** Whether the transaction does what was prepared. Wallets choose gas and fees themselves. */
export function doesTheSame(
  { to, input, value }: Transaction,
  prepared: Pick<PreparedTransaction, 'to' | 'data' | 'value'>,
): boolean {
  return (
    to?.toLowerCase() === prepared.to?.toLowerCase() &&
    input.toLowerCase() === prepared.data.toLowerCase() &&
    String(value) === prepared.value
  );
}
