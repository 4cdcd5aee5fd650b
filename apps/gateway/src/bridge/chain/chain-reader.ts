/** Calls that the gateway itself makes to the operator's nodes of a network. Nodes that users share are not asked what happened on a chain. */

import type { TimeSlices } from '@flowgate/async/time-slices';
import { inChunks } from '@flowgate/base/in-chunks';
import { askChain, type ChainQuestion } from '../../upstream/networks/ask-chain.ts';
import type { Network } from '../../upstream/networks/network.ts';
import { ownNodesOf } from '../../upstream/networks/own-nodes.ts';

export type ChainReader = {
  /** The results, in the order of the calls; undefined for a call that returned an error. Throws `ChainAway` when no node gives a usable answer. */
  readonly ask: (questions: readonly ChainQuestion[]) => Promise<readonly unknown[]>;
};

/** No node of the network gave a usable answer. */
export class ChainAway extends Error {
  override readonly name = 'ChainAway';
}

/** Calls in one JSON-RPC batch: below what providers accept. */
const batchSize = 50;

export function createChainReader(
  { dlt, networkId, nodes }: Pick<Network, 'dlt' | 'networkId' | 'nodes'>,
  slices: TimeSlices,
): ChainReader {
  const port = ownNodesOf(nodes);
  return {
    async ask(questions) {
      const results: unknown[] = [];
      for (const batch of inChunks(questions, batchSize)) {
        const answers = await askChain(port, slices, batch);
        if (answers === undefined) throw new ChainAway(`no node of ${dlt}/${networkId} gave a usable answer`);
        results.push(...answers);
      }
      return results;
    },
  };
}
