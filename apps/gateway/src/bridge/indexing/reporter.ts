/** The wanted logs that a node returned, and how those of several nodes are compared and merged. */

import type { BridgeLog } from '@flowgate/chain/blocks/bridge-log';
import type { ChainNode } from '../chain/chain-node.ts';

export type Reporter = {
  readonly node: ChainNode;
  /** By block number. */
  readonly reported: ReadonlyMap<number, readonly BridgeLog[]>;
};

/** The number of blocks of which a node omitted logs. */
export type Hole = { readonly nodeId: string; readonly blocks: number };

export function reporterOf(node: ChainNode, logs: readonly BridgeLog[]): Reporter {
  return { node, reported: Map.groupBy(logs, ({ blockNumber }) => blockNumber) };
}

export function reportsSame(one: Reporter, other: Reporter, number: number): boolean {
  return areSameLogs(one.reported.get(number) ?? [], other.reported.get(number) ?? []);
}

export function areSameLogs(left: readonly BridgeLog[], right: readonly BridgeLog[]): boolean {
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

/** All returned logs of one block, in order; undefined when two different logs have the same index. */
export function joinedLogs(reported: readonly (readonly BridgeLog[])[]): readonly BridgeLog[] | undefined {
  const all = new Map<number, BridgeLog>();
  for (const log of reported.flat()) {
    const known = all.get(log.logIndex);
    if (known !== undefined && !isSameLog(known, log)) return undefined;
    all.set(log.logIndex, log);
  }
  return [...all.values()].sort((one, other) => one.logIndex - other.logIndex);
}

/** `settled`: the actual logs of the blocks. */
export function holeOf({ node, reported }: Reporter, settled: ReadonlyMap<number, readonly BridgeLog[]>): Hole {
  const left = [...settled].filter(([number, logs]) => {
    const own = reported.get(number) ?? [];
    return logs.some((log) => own.every(({ logIndex }) => logIndex !== log.logIndex));
  });
  return { nodeId: node.nodeId, blocks: left.length };
}
