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

/** Who sends a transaction on a side: the one that is named; else the first of the preferred addresses that can, else any account. Undefined when the named one is not linked, a sentence where none can. */
export function senderOn(
  side: { readonly chainId: number },
  wallets: readonly BridgeWallet[],
  named: string | undefined,
  preferred: readonly (string | undefined)[],
): BridgeWallet | string | undefined {
  if (named !== undefined) {
    const known = wallets.find(({ address }) => address === named);
    return known === undefined || countsOn(known, side) ? known : 'wallet is a contract wallet of another chain';
  }
  const able = wallets.filter((wallet) => countsOn(wallet, side));
  const [first] = preferred.flatMap((each) => able.find(({ address }) => address === each) ?? []);
  return first ?? able[0] ?? 'wallet is required: none that you have linked can send there';
}

export const notLinked = 'You have not linked this wallet.';
