/** Logs that a node left out: what it told is held against the blocks' blooms and against another node, and what is doubted is asked for in other ways before it is believed (docs/decisions/0104, 0124). */

import type { TimeSlices } from '../../platform/time-slices.ts';
import type { BlockHeader } from '../chain/block-header.ts';
import type { ChainNode } from '../chain/chain-node.ts';
import type { BridgeLog } from '../decoding/bridge-log.ts';
import type { ReadRange } from './read-range.ts';
import { askSecondNode, type NodeSpans } from './second-node.ts';
import { logsByHash, provenLogs } from './single-block-logs.ts';
import type { StreamFilter } from './stream-filter.ts';

export type CompletedRange =
  | { readonly kind: 'complete'; readonly logs: readonly BridgeLog[]; readonly holes: readonly Hole[] }
  /** Nobody told the logs of a block, or two nodes told what cannot both be. */
  | { readonly kind: 'unsure'; readonly reason: string };

/** In so many blocks a node left logs out. */
export type Hole = { readonly nodeId: string; readonly blocks: number };

export type MissingLogsParts = {
  readonly filter: StreamFilter;
  /** Whether the blooms of blocks are right. */
  readonly usesBlooms: boolean;
  readonly slices: TimeSlices;
  readonly known: KnownOfNodes;
};

/** From one range to the next. */
export type KnownOfNodes = {
  readonly spans: NodeSpans;
  /** Blocks in a row of which a bloom told, and whose receipts then had no wanted log. */
  falseAlarms: number;
};

type Teller = { readonly node: ChainNode; readonly told: ReadonlyMap<number, readonly BridgeLog[]> };

/** Up to so many doubtful blocks are asked of two nodes by their hash; of more, where blooms are nearly full, one of both. */
const askedOfBoth = 32;
/** Blocks of a range whose receipts are asked for, and how many at the same time: those of a full block have some hundred kilobytes. */
const mostProven = 16;
const provenAtOnce = 4;
/** After so many, blooms are taken to be nearly full: blocks without a told log are asked for by hash only. */
const mostFalseAlarms = 8;

/** `others`: nodes that may be asked as well, best first. */
export async function withMissingLogs(
  parts: MissingLogsParts,
  { headers, logs }: ReadRange,
  node: ChainNode,
  others: readonly ChainNode[],
): Promise<CompletedRange> {
  const { filter, usesBlooms, known } = parts;
  const first: Teller = { node, told: byBlock(logs) };
  const possible = headers.filter(
    ({ number, bloom }) => !usesBlooms || bloom === undefined || first.told.has(number) || filter.mayHave(bloom),
  );
  const [from, to] = [possible[0], possible.at(-1)];
  if (from === undefined || to === undefined) return { kind: 'complete', logs, holes: [] };
  const asked = headers.slice(headers.indexOf(from), headers.indexOf(to) + 1);
  const answer = await askSecondNode(others, filter, asked, known.spans);
  const second: Teller | undefined = answer && { node: answer.node, told: byBlock(answer.logs) };
  const tellers = second === undefined ? [first] : [first, second];
  const settled = new Map<number, readonly BridgeLog[]>();

  const isDoubtful = ({ number, bloom }: BlockHeader) =>
    usesBlooms && bloom !== undefined && filter.mayHaveMore(bloom, union(tellers, number));
  const differing = possible.filter(({ number }) => second !== undefined && !isSame(first, second, number));
  const alone = (header: BlockHeader) =>
    first.told.has(header.number) || (known.falseAlarms < mostFalseAlarms && isDoubtful(header));
  const unheld = second === undefined ? possible.filter(alone) : differing;
  // With no other node each block is proven that has logs, where they are few: at the head, and where little happens.
  if (second !== undefined || unheld.length <= mostProven)
    for (let at = 0; at < Math.min(unheld.length, mostProven); at += provenAtOnce) {
      const some = unheld.slice(at, Math.min(at + provenAtOnce, mostProven));
      const proofs = await Promise.all(some.map((header) => provenBy(parts, tellers, header)));
      for (const [nth, { number }] of some.entries()) {
        const proven = proofs[nth];
        if (proven === undefined) continue;
        settled.set(number, proven);
        if (second === undefined && !first.told.has(number))
          known.falseAlarms = proven.length > 0 ? 0 : known.falseAlarms + 1;
      }
      // Where receipts prove nothing, they are not asked for block by block.
      if (second === undefined && proofs.every((proven) => proven === undefined)) break;
    }

  const doubtful = possible.filter(
    (header) => !settled.has(header.number) && (differing.includes(header) || isDoubtful(header)),
  );
  // Where blooms are nearly full, two nodes that agree are enough.
  const open =
    second !== undefined && doubtful.length > askedOfBoth
      ? differing.filter((each) => !settled.has(each.number))
      : doubtful;
  const byHash = await askByHash(filter, open, node, second?.node ?? others[0]);
  for (const [at, { number }] of open.entries()) {
    const told = byHash.map((each) => each[at]).filter((each) => each !== undefined);
    if (told.length === 0 && !differing.some((each) => each.number === number))
      return { kind: 'unsure', reason: `block ${number} may have logs that no node tells` };
    const all = joined([...tellers.map((each) => each.told.get(number) ?? []), ...told]);
    if (all === undefined) return { kind: 'unsure', reason: `nodes disagree about the logs of block ${number}` };
    settled.set(number, all);
  }
  return {
    kind: 'complete',
    logs: headers.flatMap(({ number }) => settled.get(number) ?? first.told.get(number) ?? []),
    holes: tellers.map((teller) => holeOf(teller, settled)).filter(({ blocks }) => blocks > 0),
  };
}

async function provenBy(
  { filter, slices }: MissingLogsParts,
  tellers: readonly Teller[],
  header: BlockHeader,
): Promise<readonly BridgeLog[] | undefined> {
  for (const { node } of tellers) {
    const proven = await provenLogs(node, filter, header, slices);
    if (proven !== undefined) return proven;
  }
  return undefined;
}

async function askByHash(
  filter: StreamFilter,
  blocks: readonly BlockHeader[],
  node: ChainNode,
  other: ChainNode | undefined,
): Promise<readonly (readonly (readonly BridgeLog[] | undefined)[])[]> {
  if (blocks.length === 0) return [];
  const beside = other === undefined ? [] : [other];
  const asked = blocks.length <= askedOfBoth ? [node, ...beside] : [...beside, node];
  const answers: (readonly (readonly BridgeLog[] | undefined)[])[] = [];
  for (const each of asked) {
    answers.push(await logsByHash(each, filter, blocks));
    const isAnswered = blocks.every((_, at) => answers.some((answer) => answer[at] !== undefined));
    if (blocks.length > askedOfBoth && isAnswered) break;
  }
  return answers;
}

function byBlock(logs: readonly BridgeLog[]): ReadonlyMap<number, readonly BridgeLog[]> {
  return Map.groupBy(logs, ({ blockNumber }) => blockNumber);
}

function union(tellers: readonly Teller[], number: number): readonly BridgeLog[] {
  return tellers.flatMap(({ told }) => told.get(number) ?? []);
}

function isSame(one: Teller, other: Teller, number: number): boolean {
  const [left, right] = [one.told.get(number) ?? [], other.told.get(number) ?? []];
  return left.length === right.length && left.every((log, at) => isSameLog(log, right[at]));
}

function isSameLog(one: BridgeLog, other: BridgeLog | undefined): boolean {
  return (
    other !== undefined &&
    one.logIndex === other.logIndex &&
    one.transactionHash === other.transactionHash &&
    one.address === other.address &&
    one.data === other.data &&
    one.topics.join() === other.topics.join()
  );
}

/** All that were told of one block, in its order; undefined when two of them have one place. */
function joined(told: readonly (readonly BridgeLog[])[]): readonly BridgeLog[] | undefined {
  const all = new Map<number, BridgeLog>();
  for (const log of told.flat()) {
    const known = all.get(log.logIndex);
    if (known !== undefined && !isSameLog(known, log)) return undefined;
    all.set(log.logIndex, log);
  }
  return [...all.values()].sort((one, other) => one.logIndex - other.logIndex);
}

function holeOf({ node, told }: Teller, settled: ReadonlyMap<number, readonly BridgeLog[]>): Hole {
  const left = [...settled].filter(([number, logs]) => {
    const own = told.get(number) ?? [];
    return logs.some((log) => own.every(({ logIndex }) => logIndex !== log.logIndex));
  });
  return { nodeId: node.nodeId, blocks: left.length };
}
