/** The largest fee of a transaction, with the fees that wallets sign: a node accepts a transaction only when its sender can pay it (contract/transfers#deposits-and-withdrawals). */

import { rangeOf } from '@flowgate/bytes/byte-range';
import type { ChainView } from '../../prepared/view-chain.ts';
import type { UnsignedTransaction } from './bridge-calls.ts';

/** Wallets sign twice the base fee and the tip (ethers), or less (viem: 1.2 times). Until they sign, the base fee may rise by an eighth in each of two blocks. */
const [baseFeeTimes, ofTenths] = [25n, 10n];
/** The fee for data follows L1's base fee: one and a half times the current one. */
const [dataFeeTimes, dataFeeOf] = [3n, 2n];

const gasPriceOracle = '0x420000000000000000000000000000000000000f';

/** Undefined when a node does not answer. `isRollup`: the transaction also pays for its data on L1. */
export async function signedFee(
  view: ChainView,
  { isRollup, ...transaction }: UnsignedTransaction & { readonly isRollup: boolean },
): Promise<bigint | undefined> {
  const [price, tip, baseFee, onL1] = await Promise.all([
    quantityOf(view, 'eth_gasPrice', []),
    quantityOf(view, 'eth_maxPriorityFeePerGas', []),
    nextBaseFee(view),
    isRollup ? rollupFee(view, transaction) : 0n,
  ]);
  if (price === undefined || onL1 === undefined) return undefined;
  const signed = baseFee === undefined ? price : (baseFee * baseFeeTimes) / ofTenths + (tip ?? tipIn(price, baseFee));
  return transaction.gas * signed + onL1;
}

/** For a node that does not suggest a tip. */
function tipIn(price: bigint, baseFee: bigint): bigint {
  return price > baseFee ? price - baseFee : 0n;
}

/** Zero on a chain without the oracle, or whose oracle has no such fee yet. */
async function rollupFee(view: ChainView, transaction: UnsignedTransaction): Promise<bigint | undefined> {
  const [{ rollupFeeCalls }, { readUint }] = await Promise.all([
    import('./bridge-calls.ts'),
    import('../../prepared/token-abi.ts'),
  ]);
  const outcomes = await view.call(rollupFeeCalls(transaction).map((data) => ({ to: gasPriceOracle, data })));
  if (outcomes.some(({ kind }) => kind === 'unavailable')) return undefined;
  const fees = outcomes.map((outcome) => (outcome.kind === 'returned' ? readUint(outcome.data) : undefined) ?? 0n);
  return (fees.reduce((sum, fee) => sum + fee, 0n) * dataFeeTimes) / dataFeeOf;
}

/** The base fee of the next block; undefined where blocks have none. */
async function nextBaseFee(view: ChainView): Promise<bigint | undefined> {
  const text = await answerTo(view, 'eth_feeHistory', ['0x1', 'latest', []]);
  const fees = text === undefined ? undefined : /"baseFeePerGas":\s*\[([^\]]{0,200})\]/.exec(text)?.[1];
  const next = fees === undefined ? undefined : /"(0x[0-9a-f]{1,64})"\s*$/i.exec(fees)?.[1];
  return next === undefined ? undefined : BigInt(next);
}

/** Undefined when it is unknown. */
export async function quantityOf(
  view: ChainView,
  method: string,
  params: readonly unknown[],
): Promise<bigint | undefined> {
  const text = await answerTo(view, method, params);
  const quantity = text === undefined ? undefined : /^"(0x[0-9a-f]{1,64})"$/i.exec(text)?.[1];
  return quantity === undefined ? undefined : BigInt(quantity);
}

async function answerTo(view: ChainView, method: string, params: readonly unknown[]): Promise<string | undefined> {
  const answer = await view.ask({ method, params: rangeOf(JSON.stringify(params)) });
  if (answer?.kind === 'buffered') answer.release();
  return answer?.kind === 'result' ? answer.raw.text() : undefined;
}
