/** Asks a chain many questions, a few batches at a time. */

import { inChunks } from '@flowgate/base/in-chunks';
import type { ChainReader } from './chain-reader.ts';

type Question = Parameters<ChainReader['ask']>[0][number];

/** Batches in progress at once, and questions in each: below what providers accept. */
const lanes = 4;
const batchSize = 50;

/** The results in the order of the questions, as of the chain's reader. Throws `ChainAway`. */
export async function askInLanes(chain: ChainReader, questions: readonly Question[]): Promise<readonly unknown[]> {
  const results: (readonly unknown[])[] = [];
  for (const batches of inChunks(inChunks(questions, batchSize), lanes))
    results.push(...(await Promise.all(batches.map((batch) => chain.ask(batch)))));
  return results.flat();
}
