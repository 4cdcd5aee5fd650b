/** The gateway's networks, by the names and chain ids that records carry. */
import type { NetworkRecord } from '@flowgate/client';
import { useQuery } from '@tanstack/react-query';
import { useGateway } from './gateway-context.tsx';

const mostNetworks = 100;

export type NetworkNames = {
  /** Undefined before they were read. */
  readonly networks: readonly NetworkRecord[] | undefined;
  /** For people; `dlt/networkId` when the gateway has it no longer. */
  readonly nameOf: (place: { readonly dlt: string; readonly networkId: string }) => string;
  readonly nameOfChain: (chainId: number) => string;
};

export function useNetworkNames(): NetworkNames {
  const client = useGateway();
  const { data: networks } = useQuery({
    queryKey: ['networks'],
    queryFn: async ({ signal }) => (await client.networks.page({ signal, limit: mostNetworks })).data,
    staleTime: 60_000,
  });
  return {
    networks,
    nameOf: ({ dlt, networkId }) =>
      networks?.find((each) => each.dlt === dlt && each.networkId === networkId)?.name ?? `${dlt}/${networkId}`,
    nameOfChain: (chainId) => networks?.find((each) => each.chainId === chainId)?.name ?? `Chain ${chainId}`,
  };
}
