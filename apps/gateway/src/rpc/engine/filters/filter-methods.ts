/** What a method does with filters that a node keeps for its caller (contract/filters#methods). */

import { memoized } from '@flowgate/async/bounded-map';

/** `creates`: its result is the node's id of a new filter. `asks`: its first parameter is such an id. */
export type FilterUse = 'creates' | 'asks';

/** Of every namespace: Kaia, Harmony and others have the same filters under names of their own. Some servers do not look at letter case. */
const creates = /^[a-z0-9]+_new[a-z]*filter$/i;
const asks = /^[a-z0-9]+_(?:getfilter[a-z]*|uninstallfilter)$/i;

/** Clients use some dozens of names. */
const mostKept = 512;

/** Undefined for all other methods. */
export const filterUseOf = memoized(mostKept, (method: string): FilterUse | undefined =>
  creates.test(method) ? 'creates' : asks.test(method) ? 'asks' : undefined,
);
