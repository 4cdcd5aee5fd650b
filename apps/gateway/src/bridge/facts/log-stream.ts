/** A stream: the logs of one network that belong to a bridge, or to the pools of the network, and the readers of those logs. */

import type { BridgeLog } from '@flowgate/chain/blocks/bridge-log';
import type { Address, Hex } from 'viem';
import type { BridgeSide } from '../bridges/bridge.ts';
import type { ChainReader } from '../chain/chain-reader.ts';
import type { RangeFacts } from './range-facts.ts';

/** Selects logs of any of the addresses whose first topic is one of the topics. In lower case. */
export type LogFilter = { readonly addresses: readonly Address[]; readonly topics: readonly Hex[] };

/** A block with logs of the stream. */
export type LogBlock = { readonly number: number; readonly hash: Hex; readonly timestampMs: number };

/** Logs of a range of blocks, in the order of the chain. Each log's block is among `blocks`, with the same hash. */
export type LogRange = {
  readonly logs: readonly BridgeLog[];
  readonly blocks: ReadonlyMap<number, LogBlock>;
  readonly chain: ChainReader;
};

/** Derives facts from logs. A log of an unexpected form is skipped and never causes an error: anyone can emit any log. */
export type LogReader = {
  readonly wanted: LogFilter;
  /** Receives only logs that match `wanted`. May call the chain for data that the logs lack, in bounded batches. Throws `ChainAway` as the chain's reader does: the range is then read again. */
  readonly read: (range: LogRange) => Promise<Partial<RangeFacts>>;
};

export type LogStream = {
  /** `main/l1`, `main/l2` or `swaps/ethereum/l2`: names the bridge or network, and is the key in the storage. */
  readonly streamId: string;
  readonly side: BridgeSide;
  /** The first block to read. */
  readonly startBlock: number;
  readonly readers: readonly LogReader[];
};
