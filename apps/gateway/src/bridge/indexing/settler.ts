/** Brings what is stored about one bridge, or the pools of one network, up to what the chains say now. */

import type { Lease } from '@flowgate/sql/coordination/lease-store';
import type { Bridge, BridgeSide, SwapPool } from '../bridges/bridge.ts';
import type { ChainReader } from '../chain/chain-reader.ts';
import type { StreamState } from './index-store.ts';

/** One look of the leader, after what it has indexed. */
export type Round = {
  readonly bridge: Bridge;
  readonly l1: { readonly chain: ChainReader; readonly state: StreamState };
  readonly l2: { readonly chain: ChainReader; readonly state: StreamState };
  readonly lease: Lease;
  readonly signal: AbortSignal;
  readonly nowMs: number;
};

/** Under which a write of the leader holds. */
export type RoundTerms = { readonly lease: Lease; readonly epochs: readonly Pick<StreamState, 'streamId' | 'epoch'>[] };

/**
 * Runs after each range that was stored and at each head, one at a time for each bridge. Does a bounded part of what is due, and returns whether more is. Its writes are fenced by the lease, and
 * hold only in the epochs of the round. Throws `ChainAway` when a chain that it needs is away: the other settlers still run.
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
