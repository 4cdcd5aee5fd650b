/** Sends many calls to a chain, a few batches at a time. */

import { inChunks } from '@flowgate/base/in-chunks';
import type { ChainReader } from './chain-reader.ts';

type Question = Parameters<ChainReader['ask']>[0][number];

/** Batches in flight at once, and calls in each: below what providers accept. */
const lanes = 4;
const batchSize = 50;

/** The results, in the order of the calls. Throws `ChainAway`, as the chain's reader does. */
export async function askInLanes(chain: ChainReader, questions: readonly Question[]): Promise<readonly unknown[]> {
  const results: (readonly unknown[])[] = [];
  for (const batches of inChunks(inChunks(questions, batchSize), lanes))
    results.push(...(await Promise.all(batches.map((batch) => chain.ask(batch)))));
  return results.flat();
}
