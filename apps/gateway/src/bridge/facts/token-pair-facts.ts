/** Facts about tokens that are read from logs. */

import type { LogPlace } from '../chain/log-place.ts';

/** `OptimismMintableERC20Created` of the token factory on L2: addresses in lower case. */
export type TokenPairFact = LogPlace & { readonly l1: string; readonly l2: string };
