/** Replaces the last blocks of a chain by others. */
import type { Hex } from 'viem';
import type { RollupChain } from './rollup-chain.ts';

/** Deposits, which the sequencer derives again. anvil 1.7.1 panics and exits when it is asked for the bytes of one. */
const depositType = '0x7e';

/** `keep`: their transactions are mined again in the new blocks; otherwise they are dropped. */
export async function reorganize(chain: RollupChain, blocks: number, keep: boolean): Promise<void> {
  await chain.ask('anvil_reorg', [blocks, keep ? await transactionsOf(chain, blocks) : []]);
}

/** Each transaction with the index of its block among the new ones. */
async function transactionsOf(chain: RollupChain, blocks: number): Promise<readonly (readonly [unknown, number])[]> {
  const head = await chain.reader.getBlockNumber();
  const pairs: [unknown, number][] = [];
  for (let offset = 0; offset < blocks; offset++) {
    const blockNumber = head - BigInt(blocks - 1 - offset);
    const { transactions } = await chain.reader.getBlock({ blockNumber, includeTransactions: true });
    for (const { hash, typeHex } of transactions)
      if (typeHex !== depositType) pairs.push([await rawOf(chain, hash), offset]);
  }
  return pairs;
}

async function rawOf(chain: RollupChain, hash: Hex): Promise<unknown> {
  return await chain.ask('eth_getRawTransactionByHash', [hash]);
}
