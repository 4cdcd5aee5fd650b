/** The contracts of the configuration, including its staking contracts (contract/contracts#named-contracts). */

import { checksumAddress } from '@flowgate/chain/evm-address';

export type NamedContract = {
  readonly contractId: string;
  readonly dlt: string;
  readonly networkId: string;
  /** `staking` for a staking contract, `bridge` for a bridge's; otherwise the operator's text. */
  readonly role: string;
  readonly name?: string;
  /** In EIP-55's form. */
  readonly address: string;
};

type ConfiguredContract = {
  readonly contractId: string;
  readonly name?: string | undefined;
  readonly address: string;
};

type ConfiguredContracts = {
  readonly dlt: string;
  readonly networkId: string;
  readonly contracts: readonly (ConfiguredContract & { readonly role: string })[];
  readonly staking: readonly ConfiguredContract[];
};

/** In the order of the configuration. */
export function configuredContracts(networks: readonly ConfiguredContracts[]): readonly NamedContract[] {
  return networks.flatMap(({ dlt, networkId, contracts, staking }) =>
    [...contracts, ...staking.map((contract) => ({ ...contract, role: 'staking' }))].map(
      ({ contractId, role, name, address }) => ({
        ...{ contractId, dlt, networkId, role },
        ...(name !== undefined && { name }),
        address: checksumAddress(address),
      }),
    ),
  );
}
