/** The wanted logs of single blocks, by ways other than a range of numbers: for blocks that are refused as a range, and for those whose bloom tells of logs that did not come. */

import type { BlockHeader } from '../chain/block-header.ts';
import type { ChainNode, NodeSays } from '../chain/chain-node.ts';
import { readLog } from '../chain/told-log.ts';
import { hashIn, membersOf } from '../chain/told-values.ts';
import type { BridgeLog } from '../decoding/bridge-log.ts';
import { hex, isAfter, logsIn } from './read-range.ts';
import type { StreamFilter } from './stream-filter.ts';

type Place = Pick<BlockHeader, 'number' | 'hash'>;

/** In the order of the blocks, each block's by its hash: undefined for a block of which the node does not tell them. */
export async function logsByHash(
  node: ChainNode,
  filter: StreamFilter,
  blocks: readonly Place[],
): Promise<readonly (readonly BridgeLog[] | undefined)[]> {
  const says = await node.ask(
    blocks.map(({ hash }) => ({ method: 'eth_getLogs', params: [{ blockHash: hash, ...filter.question }] })),
  );
  return blocks.map((block, at) => {
    const said = says[at];
    const logs = said?.kind === 'result' ? logsIn(said.value, filter) : undefined;
    return logs?.every((log) => isIn(log, block)) === true ? logs.filter(filter.isWanted) : undefined;
  });
}

/** From the receipts of its transactions, which name their block. */
export async function logsByReceipts(
  node: ChainNode,
  filter: StreamFilter,
  block: Place,
): Promise<readonly BridgeLog[] | undefined> {
  const [said] = await node.ask([{ method: 'eth_getBlockReceipts', params: [hex(block.number)] }]);
  return receiptsIn(said, filter, block);
}

function receiptsIn(said: NodeSays | undefined, filter: StreamFilter, block: Place): readonly BridgeLog[] | undefined {
  if (said?.kind !== 'result' || !Array.isArray(said.value)) return undefined;
  const found: BridgeLog[] = [];
  for (const receipt of said.value) {
    const { logs, blockHash } = membersOf(receipt);
    if (!Array.isArray(logs) || hashIn(blockHash) !== block.hash) return undefined;
    for (const each of logs) {
      const log = readLog(each);
      const before = found.at(-1);
      if (log === undefined || !isIn(log, block) || (before !== undefined && !isAfter(before, log))) return undefined;
      found.push(log);
    }
  }
  return found.filter(filter.isWanted);
}

function isIn({ blockNumber, blockHash }: BridgeLog, { number, hash }: Place): boolean {
  return blockNumber === number && blockHash === hash;
}
