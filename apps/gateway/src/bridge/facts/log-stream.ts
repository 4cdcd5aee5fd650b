/** A stream: the logs of one network that a bridge, or the pools of a network, are followed by, and who reads them. */

import type { BridgeLog } from '@flowgate/chain/blocks/bridge-log';
import type { Address, Hex } from 'viem';
import type { BridgeSide } from '../bridges/bridge.ts';
import type { ChainReader } from '../chain/chain-reader.ts';
import type { RangeFacts } from './range-facts.ts';

/** Which logs: those of any of the addresses whose first topic is one of the topics. In lower case. */
export type LogFilter = { readonly addresses: readonly Address[]; readonly topics: readonly Hex[] };

/** Of a block that has logs of the stream. */
export type LogBlock = { readonly number: number; readonly hash: Hex; readonly timestampMs: number };

/** Logs of a range of blocks, in the order of the chain; every log's block is among `blocks`, and its hash is that of the block. */
export type LogRange = {
  readonly logs: readonly BridgeLog[];
  readonly blocks: ReadonlyMap<number, LogBlock>;
  readonly chain: ChainReader;
};

/** Makes facts of logs. A log that is not of the expected form is left out, never thrown about: anybody can emit anything. */
export type LogReader = {
  readonly wanted: LogFilter;
  /** Gets the logs that it wants, and no others. May ask the chain for what the logs do not hold, in bounded batches; throws `ChainAway` as the chain's reader does: the range is then read again. */
  readonly read: (range: LogRange) => Promise<Partial<RangeFacts>>;
};

export type LogStream = {
  /** `main/l1`, `main/l2`, or `swaps/ethereum/l2`: of which bridge or network, and what is stored under it. */
  readonly streamId: string;
  readonly side: BridgeSide;
  /** The first block that is read. */
  readonly startBlock: number;
  readonly readers: readonly LogReader[];
};
