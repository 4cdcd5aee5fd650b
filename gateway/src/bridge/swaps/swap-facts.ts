/** What is read of a pool's log about a swap. */

import type { LogPlace } from '../chain/log-place.ts';
import type { ReadSwap } from '../decoding/swap-log.ts';

/** `Swap` of a pool. */
export type SwapFact = LogPlace & {
  readonly poolId: string;
  readonly swap: ReadSwap;
  /** Tokens of the pool, in lower case. */
  readonly tokenIn: string;
  readonly tokenOut: string;
  /** Who signed the transaction, which is who swapped when a router called the pool. */
  readonly transaction: { readonly from: string; readonly nonce: number };
};
