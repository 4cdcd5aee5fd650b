/** All networks of the gateway, refreshed while a page shows them. */
import type { NetworkRecord } from '@flowgate/client';
import { useQuery } from '@tanstack/react-query';
import { useGateway } from './gateway-context.tsx';

export const networksQuery = ['networks'];

const pageSize = 100;
/** Bounds the number of requests; installations have a few dozen networks. */
const maxNetworks = 1_000;
const refreshMs = 15_000;

export function useNetworks() {
  const client = useGateway();
  return useQuery({
    queryKey: networksQuery,
    queryFn: async ({ signal }) => {
      const found: NetworkRecord[] = [];
      for await (const network of client.networks.list({ signal, limit: pageSize })) {
        found.push(network);
        if (found.length === maxNetworks) break;
      }
      return found;
    },
    refetchInterval: refreshMs,
  });
}

export const networkPath = ({ dlt, networkId }: Pick<NetworkRecord, 'dlt' | 'networkId'>): string =>
  `${dlt}/${networkId}`;
