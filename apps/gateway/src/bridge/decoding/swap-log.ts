/** Reads a swap from a pool's log, in either common form: the tokens and amounts in and out. */

import { type BridgeLog, topicsOf } from '@flowgate/chain/blocks/bridge-log';
import { type Address, decodeEventLog } from 'viem';
import { v2SwapAbi, v3SwapAbi } from './bridge-abi.ts';
import { decoded } from './bridge-message.ts';

export type PoolForm = 'v2' | 'v3';

export type ReadSwap = {
  /** Whether token0 went in; then token1 came out. */
  readonly isZeroIn: boolean;
  readonly amountIn: bigint;
  readonly amountOut: bigint;
  /** The caller of the pool: usually a router. */
  readonly sender: Address;
  /** The receiver of the amount out. */
  readonly recipient: Address;
};

/** Undefined for a log that is not a swap of this form, or that exchanges nothing. */
export function readSwapLog(log: BridgeLog, form: PoolForm): ReadSwap | undefined {
  return form === 'v2' ? readV2(log) : readV3(log);
}

/** A pool of version 2 can take and give both tokens at once: amounts that a flash swap returns are netted. */
function readV2(log: BridgeLog): ReadSwap | undefined {
  const event = decoded(() => decodeEventLog({ abi: v2SwapAbi, topics: topicsOf(log), data: log.data }));
  if (event === undefined) return undefined;
  const { sender, to, amount0In, amount1In, amount0Out, amount1Out } = event.args;
  return swapOf(amount0In - amount0Out, amount1In - amount1Out, sender, to);
}

function readV3(log: BridgeLog): ReadSwap | undefined {
  const event = decoded(() => decodeEventLog({ abi: v3SwapAbi, topics: topicsOf(log), data: log.data }));
  if (event === undefined) return undefined;
  const { sender, recipient, amount0, amount1 } = event.args;
  return swapOf(amount0, amount1, sender, recipient);
}

/** The change of the pool's balance of each token; negative for what it paid out. */
function swapOf(got0: bigint, got1: bigint, sender: Address, recipient: Address): ReadSwap | undefined {
  const isZeroIn = got0 > 0n;
  const [got, given] = isZeroIn ? [got0, got1] : [got1, got0];
  if (got <= 0n || given >= 0n) return undefined;
  return { isZeroIn, amountIn: got, amountOut: -given, sender, recipient };
}
