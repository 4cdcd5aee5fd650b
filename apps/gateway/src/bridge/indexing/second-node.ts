/** The logs that another node returns for the blocks of the first one. Only this or the receipts reveal that a node omits some of a block's logs (docs/decisions/0104). */

import { settledWithin } from '@flowgate/async/bounded-waits';
import type { BlockHeader } from '@flowgate/chain/blocks/block-header';
import { readHeader } from '@flowgate/chain/blocks/block-header';
import type { BridgeLog } from '@flowgate/chain/blocks/bridge-log';
import type { ChainNode } from '../chain/chain-node.ts';
import { headerQuestion, isOfBlocks, logsIn, logsQuestion } from './read-range.ts';
import { logsByHash } from './single-block-logs.ts';
import type { StreamFilter } from './stream-filter.ts';

export type SecondNode = { readonly node: ChainNode; readonly logs: readonly BridgeLog[] };

/** The number of blocks to request next from a node that refuses ranges, by its id: each provider has its own limits. */
export type NodeSpans = Map<string, number>;

/** Requests for one range; a node that needs more does not count. */
const maxQuestions = 24;
/** How long to wait for a healthy node, and for any other. After that the node does not count. */
const defaultPatience = { wellMs: 10_000, unwellMs: 1_000 } as const;

/** The first of `others` that has these blocks, with its wanted logs of them. Undefined when none has, or none answers soon. */
export async function askSecondNode(
  others: readonly ChainNode[],
  filter: StreamFilter,
  headers: readonly BlockHeader[],
  spans: NodeSpans,
  { wellMs, unwellMs }: { readonly wellMs: number; readonly unwellMs: number } = defaultPatience,
): Promise<SecondNode | undefined> {
  for (const node of others) {
    const logs = await settledWithin(node.isWell() ? wellMs : unwellMs, reportedBy(node, filter, headers, spans));
    if (logs !== undefined) return { node, logs };
  }
  return undefined;
}

async function reportedBy(
  node: ChainNode,
  filter: StreamFilter,
  headers: readonly BlockHeader[],
  spans: NodeSpans,
): Promise<readonly BridgeLog[] | undefined> {
  const logs: BridgeLog[] = [];
  let span = Math.min(headers.length, spans.get(node.nodeId) ?? headers.length);
  let at = 0;
  for (let questions = 0; at < headers.length; questions++) {
    if (questions === maxQuestions) {
      spans.set(node.nodeId, 2 * span);
      return undefined;
    }
    const piece = headers.slice(at, at + span);
    const reported = await pieceOf(node, filter, piece);
    if (reported === 'refused') {
      span = Math.ceil(piece.length / 2);
      spans.set(node.nodeId, span);
      continue;
    }
    if (reported === undefined) {
      spans.delete(node.nodeId);
      return undefined;
    }
    logs.push(...reported);
    at += piece.length;
  }
  // The refused range may have been full of logs.
  if (span < headers.length) spans.set(node.nodeId, 2 * span);
  return logs;
}

/** Undefined unless the node has the last of these blocks, and so all of them. */
async function pieceOf(
  node: ChainNode,
  filter: StreamFilter,
  headers: readonly BlockHeader[],
): Promise<readonly BridgeLog[] | 'refused' | undefined> {
  const [first] = headers;
  const last = headers.at(-1);
  if (first === undefined || last === undefined) return [];
  // The header is first in the batch: a node that does not have the last block yet silently returns the logs of the blocks that it has.
  const [head, said] = await node.ask([headerQuestion(last.number), logsQuestion(filter, first.number, last.number)]);
  if (head?.kind !== 'result' || readHeader(head.value)?.hash !== last.hash) return undefined;
  if (said?.kind === 'refused') {
    if (headers.length > 1) return 'refused';
    const [byHash] = await logsByHash(node, filter, [last]);
    return byHash;
  }
  const logs = said?.kind === 'result' ? logsIn(said.value, filter) : undefined;
  return logs !== undefined && isOfBlocks(logs, headers) ? logs.filter(filter.isWanted) : undefined;
}
