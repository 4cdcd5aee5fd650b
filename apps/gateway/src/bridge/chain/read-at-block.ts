/** Contract calls at one block whose hash the stream has read. What is derived from the results is reverted when the block is lost. */

import { isJsonObject } from '@flowgate/json/json-object';
import { ChainAway, type ChainReader } from './chain-reader.ts';

export type BlockRead = { readonly number: number; readonly hash: string };
export type CallAt = { readonly to: string; readonly data: string };

/** Together with the request for the block, fewer calls than one batch of the chain's reader holds: one node answers all of them. */
const callsAtOnce = 49;

/** The results, in the order of the calls; undefined for a call that failed. Throws `ChainAway` when the node has another block of that number, or none. */
export async function callAtBlock(
  chain: ChainReader,
  block: BlockRead,
  calls: readonly CallAt[],
): Promise<readonly unknown[]> {
  return askAtBlock(
    chain,
    block,
    calls.map((call) => ({ method: 'eth_call', params: [call] })),
  );
}

/** The same for any method whose last parameter is the block. */
export async function askAtBlock(
  chain: ChainReader,
  { number, hash }: BlockRead,
  questions: readonly { readonly method: string; readonly params: readonly unknown[] }[],
): Promise<readonly unknown[]> {
  const at = `0x${number.toString(16)}`;
  const results: unknown[] = [];
  for (let from = 0; from < questions.length; from += callsAtOnce) {
    const some = questions.slice(from, from + callsAtOnce);
    const [block, ...answers] = await chain.ask([
      { method: 'eth_getBlockByNumber', params: [at, false] },
      ...some.map(({ method, params }) => ({ method, params: [...params, at] })),
    ]);
    if (!isJsonObject(block) || block['hash'] !== hash)
      throw new ChainAway(`block ${number} is another one, or missing, at the node that was asked`);
    results.push(...answers);
  }
  return results;
}
