/** Logs with the places by which records of them are known again. */

import type { BridgeLog } from '@flowgate/chain/blocks/bridge-log';
import type { LogPlace } from '../chain/log-place.ts';
import type { LogRange } from './log-stream.ts';

export type PlacedLog = { readonly log: BridgeLog; readonly place: LogPlace };

/** Each log with its place among its transaction's own, which counts those that cannot be read: it is the same wherever the transaction is mined. */
export function placedLogs(logs: readonly BridgeLog[], blocks: LogRange['blocks']): readonly PlacedLog[] {
  const inTransaction = new Map<string, number>();
  return logs.flatMap((log) => {
    const { transactionHash, blockNumber, blockHash, logIndex } = log;
    const nth = inTransaction.get(transactionHash) ?? 0;
    inTransaction.set(transactionHash, nth + 1);
    const block = blocks.get(blockNumber);
    if (block === undefined) return [];
    return [{ log, place: { transactionHash, nth, blockNumber, blockHash, logIndex, blockTimeMs: block.timestampMs } }];
  });
}
