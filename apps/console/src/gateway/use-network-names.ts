/** Finds the networks that records refer to. */
import type { NetworkRecord } from '@flowgate/client';
import { useNetworks } from './use-networks.ts';

export type NetworkNames = {
  /** Undefined while loading. */
  readonly networks: readonly NetworkRecord[] | undefined;
  /** The display name, or `dlt/networkId` for a network that the gateway no longer has. */
  readonly nameOf: (place: { readonly dlt: string; readonly networkId: string }) => string;
  readonly nameOfChain: (chainId: number) => string;
};

export function useNetworkNames(): NetworkNames {
  const { data: networks } = useNetworks();
  return {
    networks,
    nameOf: ({ dlt, networkId }) =>
      networks?.find((each) => each.dlt === dlt && each.networkId === networkId)?.name ?? `${dlt}/${networkId}`,
    nameOfChain: (chainId) => networks?.find((each) => each.chainId === chainId)?.name ?? `Chain ${chainId}`,
  };
}
