/** The staking contracts of the configuration, and the wallets whose positions in them are read. */

import type { Network } from '../../upstream/networks/network.ts';

export type StakingContract = {
  readonly contractId: string;
  /** A name for display. */
  readonly name: string;
  /** `0x` and 40 hexadecimal digits in lower case. */
  readonly address: string;
  readonly network: Network;
  /** The network's. */
  readonly chainId: number;
};

/** A wallet that the caller has proved to own. */
export type StakingWallet = {
  /** In lower case. */
  readonly address: string;
  /** A contract wallet belongs to its owner on its own chain only: on another chain its address may belong to another user. */
  readonly kind: 'account' | 'contract';
  readonly chainId: number;
  /** When it was linked. */
  readonly createdAtMs: number;
};

/** All of a user's wallets. Throws `Unavailable` when they cannot be read. */
export type WalletsOf = (userId: string) => Promise<readonly StakingWallet[]>;

type ConfiguredStaking = {
  readonly dlt: string;
  readonly networkId: string;
  readonly staking: readonly {
    readonly contractId: string;
    readonly name?: string | undefined;
    readonly address: string;
  }[];
};

/** In the order of the configuration; only networks with an EIP-155 chain id have any. */
export function stakingContracts(
  configured: readonly ConfiguredStaking[],
  networkOf: (dlt: string, networkId: string) => Network | undefined,
): readonly StakingContract[] {
  return configured.flatMap(({ dlt, networkId, staking }) => {
    const network = networkOf(dlt, networkId);
    const chainId = network?.chainId;
    if (network === undefined || chainId === undefined) return [];
    return staking.map(({ contractId, name = contractId, address }) => ({
      contractId,
      name,
      address: address.toLowerCase(),
      network,
      chainId,
    }));
  });
}

export function mayStake(wallet: StakingWallet, { chainId }: StakingContract): boolean {
  return wallet.kind === 'account' || wallet.chainId === chainId;
}
