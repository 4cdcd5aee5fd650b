/** Replaces the last blocks of a chain by others. */
import type { Hex } from 'viem';
import type { RollupChain } from './rollup-chain.ts';

/** `keep`: their transactions are mined again in the new blocks; otherwise they are gone. */
export async function reorganise(chain: RollupChain, blocks: number, keep: boolean): Promise<void> {
  await chain.ask('anvil_reorg', [blocks, keep ? await transactionsOf(chain, blocks) : []]);
}

/** Each with the place of its block among the new ones. */
async function transactionsOf(chain: RollupChain, blocks: number): Promise<readonly (readonly [unknown, number])[]> {
  const head = await chain.reader.getBlockNumber();
  const pairs: [unknown, number][] = [];
  for (let offset = 0; offset < blocks; offset++) {
    const { transactions } = await chain.reader.getBlock({ blockNumber: head - BigInt(blocks - 1 - offset) });
    for (const hash of transactions) pairs.push([await rawOf(chain, hash), offset]);
  }
  return pairs;
}

async function rawOf(chain: RollupChain, hash: Hex): Promise<unknown> {
  return await chain.ask('eth_getRawTransactionByHash', [hash]);
}
