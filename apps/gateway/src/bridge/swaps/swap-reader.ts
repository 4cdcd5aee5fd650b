/** Reads the swaps of a network's pools from their logs, with the tokens of each pool and who sent each transaction. */

import type { BridgeLog } from '@flowgate/chain/blocks/bridge-log';
import { type Hex, toEventSelector } from 'viem';
import type { SwapPool } from '../bridges/bridge.ts';
import type { LogPlace } from '../chain/log-place.ts';
import { sendersOf } from '../chain/transaction-senders.ts';
import { v2SwapAbi, v3SwapAbi } from '../decoding/bridge-abi.ts';
import { readSwapLog } from '../decoding/swap-log.ts';
import type { LogRange, LogReader } from '../facts/log-stream.ts';
import type { SwapFact } from '../facts/swap-facts.ts';
import { createPoolTokens } from './pool-tokens.ts';

type Found = { readonly pool: SwapPool; readonly log: BridgeLog; readonly nth: number };

/** `pools`: of one network. Tokens of a pool are asked for with its first swap, and kept. */
export function createSwapReader(pools: readonly SwapPool[]): LogReader {
  const byAddress = new Map(pools.map((pool) => [pool.address, pool]));
  const tokensOf = createPoolTokens();
  return {
    wanted: {
      addresses: [...byAddress.keys()].map((address): Hex => `0x${address.slice(2)}`),
      topics: [toEventSelector(v2SwapAbi[0]), toEventSelector(v3SwapAbi[0])],
    },
    async read(range) {
      const found = inOrder(range.logs, byAddress);
      const swapped = found.flatMap((each) => {
        const swap = readSwapLog(each.log, each.pool.form);
        return swap === undefined ? [] : [{ ...each, swap }];
      });
      if (swapped.length === 0) return {};
      const used = [...new Set(swapped.map(({ pool }) => pool))];
      const tokens = await tokensOf(range.chain, used);
      const senders = await sendersOf(
        range.chain,
        swapped.map(({ log }) => log),
      );
      const swaps = swapped.flatMap(({ pool, log, nth, swap }): SwapFact[] => {
        const pair = tokens.get(pool.address);
        const transaction = senders.get(log.transactionHash);
        const place = placeOf(range, log, nth);
        if (pair === undefined || transaction === undefined || place === undefined) return [];
        const [tokenIn, tokenOut] = swap.isZeroIn ? [pair.token0, pair.token1] : [pair.token1, pair.token0];
        return [{ ...place, pool: pool.address, swap, tokenIn, tokenOut, transaction }];
      });
      return { swaps };
    },
  };
}

/** With the place of each among its pool's logs in the transaction: what cannot be read counts, so that the places of the others do not depend on what can. */
function inOrder(logs: readonly BridgeLog[], pools: ReadonlyMap<string, SwapPool>): readonly Found[] {
  const counts = new Map<string, number>();
  return logs.flatMap((log): Found[] => {
    const pool = pools.get(log.address.toLowerCase());
    if (pool === undefined || log.blockNumber < pool.startBlock) return [];
    const key = `${log.transactionHash} ${pool.address}`;
    const nth = counts.get(key) ?? 0;
    counts.set(key, nth + 1);
    return [{ pool, log, nth }];
  });
}

function placeOf({ blocks }: LogRange, log: BridgeLog, nth: number): LogPlace | undefined {
  const { transactionHash, blockNumber, blockHash, logIndex } = log;
  const block = blocks.get(blockNumber);
  if (block === undefined) return undefined;
  return { transactionHash, nth, blockNumber, blockHash, logIndex, blockTimeMs: block.timestampMs };
}
