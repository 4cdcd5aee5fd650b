/** A configured bridge: the two networks that it connects, and its contracts. */

import type { L1BridgeContracts } from '@flowgate/chain/blocks/bridge-log';
import type { Network } from '../../upstream/networks/network.ts';

export type BridgeSide = {
  readonly dlt: string;
  readonly networkId: string;
  /** EIP-155 chain id. */
  readonly chainId: number;
  readonly network: Network;
};

/** Addresses are in lower case. */
export type TokenPair = { readonly l1: string; readonly l2: string };

export type Bridge = {
  readonly bridgeId: string;
  /** The name that people see. */
  readonly name: string;
  readonly l1: BridgeSide;
  readonly l2: BridgeSide;
  /** The contracts on L1, in lower case. Those on L2 are predeploys. */
  readonly contracts: L1BridgeContracts;
  /** Blocks on L1 until a deposit is confirmed, its own included. */
  readonly confirmations: number;
  readonly startBlocks: { readonly l1: number; readonly l2: number };
  readonly stalledAfterMs: number;
  /** The configured token pairs. Others are learned from L2. */
  readonly tokens: readonly TokenPair[];
};

/** A pool whose swaps are listed. */
export type SwapPool = {
  readonly poolId: string;
  readonly side: BridgeSide;
  /** In lower case. */
  readonly address: string;
  readonly form: 'v2' | 'v3';
  readonly startBlock: number;
};
