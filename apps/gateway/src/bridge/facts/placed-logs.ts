/** Logs with the positions that identify their records. */

import type { BridgeLog } from '@flowgate/chain/blocks/bridge-log';
import type { LogPlace } from '../chain/log-place.ts';
import type { LogRange } from './log-stream.ts';

export type PlacedLog = { readonly log: BridgeLog; readonly place: LogPlace };

/** Each log with its index among the transaction's logs of its kind. Unreadable logs count, so the index is the same in whichever block the transaction is mined. */
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
