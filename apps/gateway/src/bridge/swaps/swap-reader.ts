/** Reads the swaps of a network's pools from their logs, with the tokens of each pool and the sender of each transaction. */

import type { BridgeLog } from '@flowgate/chain/blocks/bridge-log';
import { encodeFunctionData, type Hex, toEventSelector } from 'viem';
import type { SwapPool } from '../bridges/bridge.ts';
import { ChainAway, type ChainReader } from '../chain/chain-reader.ts';
import type { LogPlace } from '../chain/log-place.ts';
import { transactionSenders } from '../chain/transaction-senders.ts';
import { poolAbi, v2SwapAbi, v3SwapAbi } from '../decoding/bridge-abi.ts';
import { readSwapLog } from '../decoding/swap-log.ts';
import type { LogRange, LogReader } from '../facts/log-stream.ts';
import type { SwapFact } from '../facts/swap-facts.ts';

type Found = { readonly pool: SwapPool; readonly log: BridgeLog; readonly nth: number };

/** Addresses in lower case. */
type PoolTokens = { readonly token0: string; readonly token1: string };

/** By the address of the pool. Throws `ChainAway` while a pool does not return its tokens: a swap cannot be recorded without them. */
type TokensOfPools = (chain: ChainReader, pools: readonly SwapPool[]) => Promise<ReadonlyMap<string, PoolTokens>>;

const calls = (['token0', 'token1'] as const).map((functionName) => encodeFunctionData({ abi: poolAbi, functionName }));

/** The two tokens of each pool. They never change, so they are requested once and cached. */
function createPoolTokens(): TokensOfPools {
  const cached = new Map<string, PoolTokens>();
  return async (chain, pools) => {
    const unknown = pools.filter(({ address }) => !cached.has(address));
    const answers = await chain.ask(
      unknown.flatMap(({ address }) =>
        calls.map((data) => ({ method: 'eth_call', params: [{ to: address, data }, 'latest'] })),
      ),
    );
    for (const [at, { poolId, address }] of unknown.entries()) {
      const [token0, token1] = [addressIn(answers[2 * at]), addressIn(answers[2 * at + 1])];
      if (token0 === undefined || token1 === undefined || token0 === token1)
        throw new ChainAway(`pool ${poolId} does not return its tokens: token0() and token1() of ${address}`);
      cached.set(address, { token0, token1 });
    }
    return cached;
  };
}

/** A word that contains an address other than zero. */
function addressIn(answer: unknown): string | undefined {
  if (typeof answer !== 'string' || !/^0x0{24}[0-9a-f]{40}$/i.test(answer)) return undefined;
  const address = `0x${answer.slice(-40).toLowerCase()}`;
  return /^0x0+$/.test(address) ? undefined : address;
}

/** `pools`: of one network. The tokens of a pool are requested with its first swap, and cached. */
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
      const senders = await transactionSenders(
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

/** With the index of each among its pool's logs in the transaction. Unreadable logs count, so that the indexes of the others do not depend on them. */
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
