/** What is read of a pool's log about a swap. */

import type { LogPlace } from '../chain/log-place.ts';
import type { ReadSwap } from '../decoding/swap-log.ts';

/** `Swap` of a pool. Its place is that among the pool's own swaps in the transaction, so that it stays when another pool is added. */
export type SwapFact = LogPlace & {
  /** The address of the pool, in lower case. */
  readonly pool: string;
  readonly swap: ReadSwap;
  /** Tokens of the pool, in lower case. */
  readonly tokenIn: string;
  readonly tokenOut: string;
  /** Who signed the transaction, which is who swapped when a router called the pool; in lower case. */
  readonly transaction: { readonly from: string; readonly nonce: number };
};
