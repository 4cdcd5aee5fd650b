/** Where a log stands, and by what a record of it is known again when the chain was reorganised. */

import type { Hex } from 'viem';

export type LogPlace = {
  readonly transactionHash: Hex;
  /** The place among its transaction's own logs of the kind, from 0: the same wherever the transaction is mined. */
  readonly nth: number;
  readonly blockNumber: number;
  readonly blockHash: Hex;
  /** In its block. */
  readonly logIndex: number;
  /** Of the block, in milliseconds since the Unix epoch. */
  readonly blockTimeMs: number;
};
