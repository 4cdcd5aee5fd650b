/** The wanted logs of single blocks, requested by hash or from receipts: for blocks that are refused as a range, and for blocks whose bloom indicates logs that were not returned. */

import { runInSlices, type TimeSlices } from '@flowgate/async/time-slices';
import type { BlockHeader } from '@flowgate/chain/blocks/block-header';
import type { BridgeLog } from '@flowgate/chain/blocks/bridge-log';
import { hashIn, membersOf, quantityIn } from '@flowgate/chain/blocks/json-rpc-values';
import { readLog } from '@flowgate/chain/blocks/read-log';
import { receiptsRoot } from '@flowgate/chain/blocks/receipts-root';
import type { ChainNode, NodeSays } from '../chain/chain-node.ts';
import { hex, logsIn } from './read-range.ts';
import type { StreamFilter } from './stream-filter.ts';

type Place = Pick<BlockHeader, 'number' | 'hash'>;

/** For each block, requested by its hash, in the order of the blocks; undefined where the node does not return them. */
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
  const [said] = await node.ask([receiptsQuestion(block)]);
  const logs = allLogsIn(said, block);
  return logs?.filter(filter.isWanted);
}

export type ReceiptLogs = {
  /** True when their root equals that of the header, so that they are complete. Some chains return receipts that are not under the root, or have roots of an unknown kind. */
  readonly isProven: boolean;
  readonly logs: readonly BridgeLog[];
};

/** From the block's receipts. `wrong`: receipts or logs are missing. Undefined where a node returns no receipts. */
export async function provenLogs(
  node: ChainNode,
  filter: StreamFilter,
  header: BlockHeader,
  slices: TimeSlices,
): Promise<ReceiptLogs | 'wrong' | undefined> {
  if (header.receiptsRoot === undefined) return undefined;
  const [said] = await node.ask([receiptsQuestion(header)]);
  if (said?.kind !== 'result' || !Array.isArray(said.value)) return undefined;
  const logs = allLogsIn(said, header);
  if (logs === undefined) return 'wrong';
  const root = await runInSlices(slices, receiptsRoot(said.value));
  return { isProven: root === header.receiptsRoot, logs: logs.filter(filter.isWanted) };
}

function receiptsQuestion({ number }: Place) {
  return { method: 'eth_getBlockReceipts', params: [hex(number)] };
}

/** From all receipts of the block; undefined when a receipt or a log is missing. */
function allLogsIn(said: NodeSays | undefined, block: Place): readonly BridgeLog[] | undefined {
  if (said?.kind !== 'result' || !Array.isArray(said.value)) return undefined;
  const found: BridgeLog[] = [];
  for (const [place, receipt] of said.value.entries()) {
    const { logs, blockHash, transactionIndex } = membersOf(receipt);
    if (!Array.isArray(logs) || hashIn(blockHash) !== block.hash) return undefined;
    if (quantityIn(transactionIndex) !== place) return undefined;
    for (const each of logs) {
      const log = readLog(each);
      // A gap in the indexes is an omitted log.
      if (log === undefined || !isIn(log, block) || log.logIndex !== found.length) return undefined;
      found.push(log);
    }
  }
  return found;
}

function isIn({ blockNumber, blockHash }: BridgeLog, { number, hash }: Place): boolean {
  return blockNumber === number && blockHash === hash;
}
