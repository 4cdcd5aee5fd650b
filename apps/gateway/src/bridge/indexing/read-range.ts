/** Reads a range of blocks from one node, and accepts it only when its blocks and logs are consistent (docs/decisions/0104). */

import type { BlockHeader } from '@flowgate/chain/blocks/block-header';
import { readHeader } from '@flowgate/chain/blocks/block-header';
import type { BridgeLog } from '@flowgate/chain/blocks/bridge-log';
import { readLog } from '@flowgate/chain/blocks/read-log';
import type { ChainNode, NodeSays } from '../chain/chain-node.ts';
import type { StreamFilter } from './stream-filter.ts';

/** Consecutive blocks, and all their wanted logs, in order. */
export type ReadRange = {
  readonly kind: 'read';
  readonly headers: readonly BlockHeader[];
  readonly logs: readonly BridgeLog[];
  /** The size of the answer with the logs. */
  readonly bytes: number;
};

export type RangeAnswer =
  | ReadRange
  /** Because of its size, or for an unknown reason. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** The node does not have the first block (yet). */
  | { readonly kind: 'absent' }
  | { readonly kind: 'away'; readonly reason: string }
  /** The answers contradict each other: the chain changed meanwhile, or the node is faulty. */
  | { readonly kind: 'wrong'; readonly reason: string };

/** Up to this many blocks, headers and logs are requested in one batch. */
const inOneBatch = 40;
/** Headers in one batch, and the number of them that is in memory in the node's form. */
const headersAtOnce = 50;

export async function readRange(node: ChainNode, filter: StreamFilter, from: number, to: number): Promise<RangeAnswer> {
  const wanted = logsQuestion(filter, from, to);
  const asksLogs = filter.question !== undefined;
  let saidOfLogs: Promise<NodeSays | undefined> = Promise.resolve(undefined);
  const headers: BlockHeader[] = [];
  for (let at = from; at <= to; at += headersAtOnce) {
    const numbers = numbersIn(at, Math.min(to, at + headersAtOnce - 1));
    const isTogether = asksLogs && to - from < inOneBatch;
    // Requested at the same time as the headers: when the chain changes in between, the hashes differ.
    if (at === from && asksLogs && !isTogether) saidOfLogs = node.ask([wanted]).then(([said]) => said);
    const says = await node.ask([...numbers.map(headerQuestion), ...(isTogether ? [wanted] : [])]);
    if (isTogether) saidOfLogs = Promise.resolve(says[numbers.length]);
    const problem = takeHeaders(headers, numbers, says);
    if (problem === 'end') break;
    if (problem !== undefined) return problem;
  }
  const last = headers.at(-1);
  if (last === undefined) return { kind: 'absent' };
  if (!asksLogs) return { kind: 'read', headers, logs: [], bytes: 0 };
  const said = await saidOfLogs;
  if (said === undefined) return { kind: 'away', reason: 'no answer' };
  if (said.kind !== 'result') return said;
  const logs = logsIn(said.value, filter);
  if (logs === undefined) return { kind: 'wrong', reason: 'not the requested logs' };
  const shown = logs.filter(({ blockNumber }) => blockNumber <= last.number);
  return isOfBlocks(shown, headers)
    ? { kind: 'read', headers, logs: shown.filter(filter.isWanted), bytes: said.bytes }
    : { kind: 'wrong', reason: 'logs of other blocks' };
}

/** `end`: the node has no more blocks. */
function takeHeaders(
  headers: BlockHeader[],
  numbers: readonly number[],
  says: readonly NodeSays[],
): RangeAnswer | 'end' | undefined {
  for (const [at, number] of numbers.entries()) {
    const said = says[at];
    if (said === undefined) return { kind: 'away', reason: 'no answer' };
    if (said.kind === 'absent' || (said.kind === 'result' && said.value === null)) return 'end';
    if (said.kind !== 'result') return said;
    const header = readHeader(said.value);
    if (header?.number !== number) return { kind: 'wrong', reason: `not block ${number}` };
    const before = headers.at(-1);
    if (before !== undefined && before.hash !== header.parentHash)
      return { kind: 'wrong', reason: `block ${number} does not follow the one before it` };
    headers.push(header);
  }
  return undefined;
}

/** In the order of the chain. Undefined when an entry is not a requested log, or comes twice or out of order. */
export function logsIn(value: unknown, filter: StreamFilter): readonly BridgeLog[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const logs: BridgeLog[] = [];
  for (const each of value) {
    const log = readLog(each);
    const before = logs.at(-1);
    if (log === undefined || !filter.isAsked(log)) return undefined;
    if (before !== undefined && !isAfter(before, log)) return undefined;
    logs.push(log);
  }
  return logs;
}

export function isAfter(before: BridgeLog, log: BridgeLog): boolean {
  return (
    log.blockNumber > before.blockNumber || (log.blockNumber === before.blockNumber && log.logIndex > before.logIndex)
  );
}

/** `headers`: consecutive blocks. */
export function isOfBlocks(logs: readonly BridgeLog[], headers: readonly BlockHeader[]): boolean {
  const first = headers[0]?.number ?? 0;
  return logs.every(({ blockNumber, blockHash }) => headers[blockNumber - first]?.hash === blockHash);
}

export function logsQuestion({ question }: StreamFilter, from: number, to: number) {
  return { method: 'eth_getLogs', params: [{ fromBlock: hex(from), toBlock: hex(to), ...question }] };
}

export function headerQuestion(number: number) {
  return { method: 'eth_getBlockByNumber', params: [hex(number), false] };
}

export function hex(number: number): string {
  return `0x${number.toString(16)}`;
}

function numbersIn(from: number, to: number): readonly number[] {
  return Array.from({ length: to - from + 1 }, (_, at) => from + at);
}
