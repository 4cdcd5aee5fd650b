/** The newest block of a stream that is known to be part of the chain. */

import type { StreamState } from './index-store.ts';

/** At most the head, which a single node may merely claim, and at most the last block that was read, where each block follows the one before. Undefined before the head was read. */
export function newestRead({ head, nextBlock }: Pick<StreamState, 'head' | 'nextBlock'>): number | undefined {
  return head === undefined ? undefined : Math.min(head.number, nextBlock - 1);
}
