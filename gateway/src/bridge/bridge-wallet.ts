/** The caller's linked wallets, and on which chains each of them counts (contract/bridge#wallets). */

export type BridgeWallet = {
  /** In lower case. */
  readonly address: string;
  /** A contract is its owner's on its own chain only: what is at the address on another may be somebody else's. */
  readonly kind: 'account' | 'contract';
  /** The chain that the wallet's proof named. */
  readonly chainId: number;
};

/** All of a user's wallets, at most 20. Throws `Unavailable` when they cannot be read. */
export type WalletsOf = (userId: string) => Promise<readonly BridgeWallet[]>;

export function countsOn({ kind, chainId }: BridgeWallet, side: { readonly chainId: number }): boolean {
  return kind === 'account' || chainId === side.chainId;
}
