/** The storage interface of swaps whose blocks were lost. Every engine passes `bridge/swaps/swap-store.contract.ts`. */

import type { Lease } from '@flowgate/sql/coordination/lease-store';
import type { ReadBlock, StreamState } from '../indexing/index-store.ts';
import type { SwapRecord } from './swap.ts';

export type LostSwap = Pick<SwapRecord, 'swapId' | 'transactionHash' | 'from' | 'nonce'> & {
  readonly lostAtMs: number;
};

export type LostSwaps = {
  readonly swaps: readonly LostSwap[];
  /** The newest block that the stream has read. */
  readonly tip: ReadBlock | undefined;
};

/** The result of a check of a lost swap. */
export type SwapFinding =
  | { readonly kind: 'unknown'; readonly dueAtMs: number }
  /** It is never checked again. If its transaction is mined after all, the stream stores it under its id. */
  | { readonly kind: 'dropped' }
  /** The transaction failed in this block. */
  | { readonly kind: 'failed'; readonly block: ReadBlock; readonly blockTimeMs: number };

/** Every method throws `Unavailable` when the storage does not answer in time; repeating is safe. */
export type SwapStore = {
  /** Due swaps of the stream, longest due first. */
  lost(streamId: string, nowMs: number, limit: number): Promise<LostSwaps>;

  /** Stores findings, except for swaps that were found or lost again meanwhile. Stores nothing when the lease was lost or the stream is in another epoch. */
  settle(
    findings: readonly { readonly swap: LostSwap; readonly finding: SwapFinding }[],
    stream: Pick<StreamState, 'streamId' | 'epoch'>,
    lease: Lease,
  ): Promise<void>;
};
