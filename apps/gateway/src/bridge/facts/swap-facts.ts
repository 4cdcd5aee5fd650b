/** Facts about swaps that are read from a pool's logs. */

import type { LogPlace } from '../chain/log-place.ts';
import type { ReadSwap } from '../decoding/swap-log.ts';

/** `Swap` of a pool. Its index counts only this pool's swaps in the transaction, so it does not change when another pool is added. */
export type SwapFact = LogPlace & {
  /** The address of the pool, in lower case. */
  readonly pool: string;
  readonly swap: ReadSwap;
  /** The tokens of the pool, in lower case. */
  readonly tokenIn: string;
  readonly tokenOut: string;
  /** The signer of the transaction, in lower case. When a router called the pool, the signer is the user who swapped. */
  readonly transaction: { readonly from: string; readonly nonce: number };
};
