/** A bridge of the configuration: the two networks that it joins, and its contracts. */

import type { L1BridgeContracts } from '@flowgate/chain/blocks/bridge-log';
import type { Network } from '../../upstream/networks/network.ts';

export type BridgeSide = {
  readonly dlt: string;
  readonly networkId: string;
  /** EIP-155 chain id. */
  readonly chainId: number;
  readonly network: Network;
};

/** Addresses in lower case. */
export type TokenPair = { readonly l1: string; readonly l2: string };

export type Bridge = {
  readonly bridgeId: string;
  /** For people. */
  readonly name: string;
  readonly l1: BridgeSide;
  readonly l2: BridgeSide;
  /** On L1, in lower case; on L2 they are predeploys. */
  readonly contracts: L1BridgeContracts;
  /** Blocks on L1, a deposit's own included, until it is confirmed. */
  readonly confirmations: number;
  readonly startBlocks: { readonly l1: number; readonly l2: number };
  readonly stalledAfterMs: number;
  /** Those of the configuration; others are learnt from L2. */
  readonly tokens: readonly TokenPair[];
};

/** A pool whose swaps are shown. */
export type SwapPool = {
  readonly poolId: string;
  readonly side: BridgeSide;
  /** In lower case. */
  readonly address: string;
  readonly form: 'v2' | 'v3';
  readonly startBlock: number;
};
