/** What nodes told of the wanted logs of blocks, and how their words are compared and put together. */

import type { BridgeLog } from '@flowgate/chain/blocks/bridge-log';
import type { ChainNode } from '../chain/chain-node.ts';

export type Teller = {
  readonly node: ChainNode;
  /** By the number of their block. */
  readonly told: ReadonlyMap<number, readonly BridgeLog[]>;
};

/** In so many blocks a node left logs out. */
export type Hole = { readonly nodeId: string; readonly blocks: number };

export function tellerOf(node: ChainNode, logs: readonly BridgeLog[]): Teller {
  return { node, told: Map.groupBy(logs, ({ blockNumber }) => blockNumber) };
}

export function tellsSame(one: Teller, other: Teller, number: number): boolean {
  return areSameLogs(one.told.get(number) ?? [], other.told.get(number) ?? []);
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

/** All that were told of one block, in its order; undefined when two of them have one place. */
export function joinedLogs(told: readonly (readonly BridgeLog[])[]): readonly BridgeLog[] | undefined {
  const all = new Map<number, BridgeLog>();
  for (const log of told.flat()) {
    const known = all.get(log.logIndex);
    if (known !== undefined && !isSameLog(known, log)) return undefined;
    all.set(log.logIndex, log);
  }
  return [...all.values()].sort((one, other) => one.logIndex - other.logIndex);
}

/** `settled`: what the blocks hold. */
export function holeOf({ node, told }: Teller, settled: ReadonlyMap<number, readonly BridgeLog[]>): Hole {
  const left = [...settled].filter(([number, logs]) => {
    const own = told.get(number) ?? [];
    return logs.some((log) => own.every(({ logIndex }) => logIndex !== log.logIndex));
  });
  return { nodeId: node.nodeId, blocks: left.length };
}
