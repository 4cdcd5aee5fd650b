/** The gateway's networks, by the names and chain ids that records carry. */
import type { NetworkRecord } from '@flowgate/client';
import { useNetworks } from './use-networks.ts';

export type NetworkNames = {
  /** Undefined before they were read. */
  readonly networks: readonly NetworkRecord[] | undefined;
  /** For people; `dlt/networkId` when the gateway has it no longer. */
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
