/** The caller's linked wallets, and the chains on which each of them counts (contract/bridge#wallets). */

export type BridgeWallet = {
  /** In lower case. */
  readonly address: string;
  /** A contract wallet counts on its own chain only: another user's contract may have the same address on another chain. */
  readonly kind: 'account' | 'contract';
  /** The chain that is named in the wallet's proof. */
  readonly chainId: number;
};

/** All wallets of a user, at most 20. Throws `Unavailable` when the storage cannot be read. */
export type WalletsOf = (userId: string) => Promise<readonly BridgeWallet[]>;

export function countsOn({ kind, chainId }: BridgeWallet, side: { readonly chainId: number }): boolean {
  return kind === 'account' || chainId === side.chainId;
}

/**
 * The sender of a transaction on a side: the named wallet; else the first preferred wallet that can send there, else any account. Undefined when the named wallet is not
 * linked; a sentence when no wallet can send.
 */
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
