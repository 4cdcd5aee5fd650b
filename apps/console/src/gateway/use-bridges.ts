/** The gateway's bridges. */
import type { BridgeRecord } from '@flowgate/client';
import { useQuery } from '@tanstack/react-query';
import { useGateway } from './gateway-context.tsx';

const max = 100;

export type Bridges = {
  /** Undefined while loading. */
  readonly bridges: readonly BridgeRecord[] | undefined;
  readonly nameOf: (bridgeId: string) => string;
};

export function useBridges(): Bridges {
  const client = useGateway();
  const { data: bridges } = useQuery({
    queryKey: ['bridges'],
    queryFn: async ({ signal }) => (await client.bridges.page({ signal, limit: max })).data,
    staleTime: 60_000,
  });
  return { bridges, nameOf: (bridgeId) => bridges?.find((each) => each.bridgeId === bridgeId)?.name ?? bridgeId };
}
