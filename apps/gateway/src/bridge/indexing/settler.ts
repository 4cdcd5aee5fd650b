/** Updates the stored records of one bridge, or of the pools of one network, from the current state of the chains. */

import type { Lease } from '@flowgate/sql/coordination/lease-store';
import type { Bridge, BridgeSide, SwapPool } from '../bridges/bridge.ts';
import type { ChainReader } from '../chain/chain-reader.ts';
import type { StreamState } from './index-store.ts';

/** One round of the leader, after indexing. */
export type Round = {
  readonly bridge: Bridge;
  readonly l1: { readonly chain: ChainReader; readonly state: StreamState };
  readonly l2: { readonly chain: ChainReader; readonly state: StreamState };
  readonly lease: Lease;
  readonly signal: AbortSignal;
  readonly nowMs: number;
};

/** The condition under which the leader may write. */
export type RoundTerms = { readonly lease: Lease; readonly epochs: readonly Pick<StreamState, 'streamId' | 'epoch'>[] };

/**
 * Runs after each stored range and at each head, one round at a time for each bridge. Handles a bounded number of due records, and returns whether more are due. Its
 * writes are fenced by the lease, and apply only in the epochs of the round. Throws `ChainAway` when a chain that it needs is away: the other settlers still run.
 */
export type Settler = { readonly name: string; readonly settle: (round: Round) => Promise<'done' | 'more'> };

/** The same for the pools of one network. */
export type PoolRound = {
  readonly pools: readonly SwapPool[];
  readonly side: BridgeSide;
  readonly chain: ChainReader;
  readonly state: StreamState;
  readonly lease: Lease;
  readonly signal: AbortSignal;
  readonly nowMs: number;
};

export type PoolSettler = { readonly name: string; readonly settle: (round: PoolRound) => Promise<'done' | 'more'> };
