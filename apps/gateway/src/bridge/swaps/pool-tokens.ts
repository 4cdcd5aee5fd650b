/** The two tokens of each pool, which never change: asked of the pool once, and kept. */

import { encodeFunctionData } from 'viem';
import type { SwapPool } from '../bridges/bridge.ts';
import { ChainAway, type ChainReader } from '../chain/chain-reader.ts';
import { poolAbi } from '../decoding/bridge-abi.ts';

/** Addresses in lower case. */
export type PoolTokens = { readonly token0: string; readonly token1: string };

/** By the address of the pool. Throws `ChainAway` while one of them does not tell: without its tokens a swap cannot be told. */
export type TokensOfPools = (
  chain: ChainReader,
  pools: readonly SwapPool[],
) => Promise<ReadonlyMap<string, PoolTokens>>;

const calls = (['token0', 'token1'] as const).map((functionName) => encodeFunctionData({ abi: poolAbi, functionName }));

export function createPoolTokens(): TokensOfPools {
  const kept = new Map<string, PoolTokens>();
  return async (chain, pools) => {
    const unknown = pools.filter(({ address }) => !kept.has(address));
    const answers = await chain.ask(
      unknown.flatMap(({ address }) =>
        calls.map((data) => ({ method: 'eth_call', params: [{ to: address, data }, 'latest'] })),
      ),
    );
    for (const [at, { poolId, address }] of unknown.entries()) {
      const [token0, token1] = [addressIn(answers[2 * at]), addressIn(answers[2 * at + 1])];
      if (token0 === undefined || token1 === undefined || token0 === token1)
        throw new ChainAway(`pool ${poolId} does not tell its tokens: token0() and token1() of ${address}`);
      kept.set(address, { token0, token1 });
    }
    return kept;
  };
}

/** A word that holds an address other than zero. */
function addressIn(answer: unknown): string | undefined {
  if (typeof answer !== 'string' || !/^0x0{24}[0-9a-f]{40}$/i.test(answer)) return undefined;
  const address = `0x${answer.slice(-40).toLowerCase()}`;
  return /^0x0+$/.test(address) ? undefined : address;
}
