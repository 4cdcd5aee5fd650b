/** A log of a bridge's contract from a node, after validation of its form. */

import type { Address, Hex } from 'viem';

export type BridgeLog = {
  readonly address: Address;
  readonly topics: readonly Hex[];
  readonly data: Hex;
  readonly blockNumber: number;
  readonly blockHash: Hex;
  readonly transactionHash: Hex;
  /** The log's index in its block. */
  readonly logIndex: number;
};

/** Contracts of a bridge on L1, in lower case. On L2 the contracts are predeploys. */
export type L1BridgeContracts = {
  readonly portal: Address;
  readonly l1StandardBridge: Address;
  readonly l1CrossDomainMessenger: Address;
  readonly disputeGameFactory: Address;
};

/** Predeploys of every OP Stack chain (specs.optimism.io, Predeploys), in lower case. */
export const l2Contracts = {
  messenger: '0x4200000000000000000000000000000000000007',
  standardBridge: '0x4200000000000000000000000000000000000010',
  tokenFactory: '0x4200000000000000000000000000000000000012',
  l1Block: '0x4200000000000000000000000000000000000015',
  messagePasser: '0x4200000000000000000000000000000000000016',
} as const satisfies Readonly<Record<string, Address>>;

export type TransferKind = 'native' | 'token' | 'message';

/** The transferred asset: ether, or a token by its addresses on both sides. */
export type BridgedToken =
  | { readonly native: true }
  | { readonly native: false; readonly l1: Address; readonly l2: Address };

export const ether: BridgedToken = { native: true };

/** The topics in the type that viem's decoders take. */
export function topicsOf({ topics }: BridgeLog): [Hex, ...Hex[]] {
  const [first, ...rest] = topics;
  return [first ?? '0x', ...rest];
}
