/** Options of the policy form: the user's keys, and the networks, nodes, contracts and apps visible to the user. */
import type { Page } from '@flowgate/client';
import { useQuery } from '@tanstack/react-query';
import { useGateway } from '../../gateway/gateway-context.tsx';
import { networkPath, useNetworks } from '../../gateway/use-networks.ts';
import type { Draft } from './policy-draft.ts';
import type { NameOf } from './policy-words.ts';

export type Choice = readonly [id: string, title: string];

/** Further entries can be typed. */
const limit = 100;

export function useOwnKeys(isWanted = true): readonly Choice[] | undefined {
  const client = useGateway();
  const { data } = useQuery({
    queryKey: ['policy-choices', 'keys'],
    queryFn: ({ signal }) => client.apiKeys.page({ limit, signal }),
    enabled: isWanted,
  });
  return data?.data
    .filter(({ revokedAt }) => revokedAt === undefined)
    .map(({ keyId, label }) => [keyId, label] as const);
}

/** Names of keys and nodes, for policy sentences. */
export function useNames(isWanted: boolean): NameOf {
  const keys = useOwnKeys(isWanted);
  const nodes = useResourceChoices('node', isWanted);
  return (kind, id) => (kind === 'key' ? keys : nodes)?.find(([each]) => each === id)?.[1];
}

/** Undefined while loading. */
export function useResourceChoices(kind: Draft['kind'], isWanted = true): readonly Choice[] | undefined {
  const client = useGateway();
  const { data: networks } = useNetworks();
  const { data } = useQuery({
    queryKey: ['policy-choices', kind],
    queryFn: async ({ signal }): Promise<readonly Choice[]> => {
      const options = { limit, signal };
      const named = async <T>(page: Promise<Page<T>>, choice: (entry: T) => Choice) => (await page).data.map(choice);
      if (kind === 'node')
        return named(client.nodes.page(options), ({ nodeId, label, dlt, networkId }) => [
          nodeId,
          `${label ?? nodeId} (${dlt}/${networkId})`,
        ]);
      if (kind === 'app')
        return named(client.flow.apps.page(options), ({ appId, name }) => [appId, `${name} (${appId})`]);
      if (kind !== 'contract') return [];
      const contracts = await Promise.all([
        named(client.contracts.page(options), ({ dlt, networkId, address, name, contractId }) => [
          `${dlt}/${networkId}/${address}`,
          `${name ?? contractId} (${dlt}/${networkId})`,
        ]),
        named(client.deployedContracts.page({ ...options, filter: {} }), ({ dlt, networkId, address }) => [
          `${dlt}/${networkId}/${address}`,
          `${address} (${dlt}/${networkId}), deployed by you`,
        ]),
      ]);
      return contracts.flat();
    },
    enabled: isWanted && kind !== 'network',
  });
  const onNetworks = networks?.map((network) => [networkPath(network), network.name] as const);
  if (kind === 'network') return onNetworks?.map(([path, name]) => [path, `${name} (${path})`] as const);
  if (kind !== 'contract' || data === undefined) return data;
  return [
    ...data,
    ...(onNetworks ?? []).map(([path, name]) => [`${path}/create`, `New contracts on ${name}`] as const),
  ];
}
