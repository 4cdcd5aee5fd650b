/** The position of a log, and the part of it that identifies the log's record across reorganizations. */

import type { Hex } from 'viem';

export type LogPlace = {
  readonly transactionHash: Hex;
  /** The index among the logs of this kind in the same transaction, from 0. It is the same in whichever block the transaction is mined. */
  readonly nth: number;
  readonly blockNumber: number;
  readonly blockHash: Hex;
  /** The index of the log in its block. */
  readonly logIndex: number;
  /** The time of the block, in milliseconds since the Unix epoch. */
  readonly blockTimeMs: number;
};
