/** The configured features that decide which pages the menu shows. */
import { useQuery } from '@tanstack/react-query';
import { useGateway } from './gateway-context.tsx';
import { useBridges } from './use-bridges.ts';

export type Surface = 'bridges' | 'staking';

const maxContracts = 100;

export const contractsQuery = ['contracts', 'all'];

export function useContracts() {
  const client = useGateway();
  return useQuery({
    queryKey: contractsQuery,
    queryFn: async ({ signal }) => (await client.contracts.page({ signal, limit: maxContracts })).data,
    staleTime: 60_000,
  }).data;
}

/** Values are undefined while loading. */
export function useSurfaces(): Readonly<Record<Surface, boolean | undefined>> {
  const { bridges } = useBridges();
  const contracts = useContracts();
  return {
    bridges: bridges && bridges.length > 0,
    staking: contracts?.some(({ role }) => role === 'staking'),
  };
}
