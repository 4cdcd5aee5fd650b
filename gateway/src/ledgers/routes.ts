/** The routes that tell which ledgers, networks and providers this gateway serves (contract/networks#providers). */

import { pageQuery } from '../api/page-query.ts';
import type { CallerRoute } from '../api/route.ts';
import { refused } from '../platform/result.ts';
import { configuredPage } from './configured-list.ts';
import type { Network, NetworkDirectory } from './network.ts';
import type { Provider } from './provider.ts';

export type LedgerParts = { readonly directory: NetworkDirectory; readonly providers: readonly Provider[] };

const tag = 'Ledgers';
const page = (schema: string) => ({
  query: pageQuery(20),
  responses: [{ status: 200, description: 'A page, in the order of the configuration.', schema }],
});

export function ledgerRoutes({ directory, providers }: LedgerParts): readonly CallerRoute[] {
  const ledgers = [...Map.groupBy(directory.all, (network) => network.dlt)];
  return [
    {
      method: 'GET',
      path: '/dlts',
      admittance: 'caller',
      doc: {
        summary: 'List ledgers',
        description: 'Ledgers that have at least one network here.',
        tag,
        ...page('LedgerPage'),
        refusals: ['bad-request'],
      },
      handle: ({ query }) =>
        configuredPage(
          ledgers,
          ([dlt]) => dlt,
          query,
          ([dlt, networks]) => ({ dlt, networks: networks.map((network) => network.networkId) }),
        ),
    },
    {
      method: 'GET',
      path: '/networks',
      admittance: 'caller',
      doc: {
        summary: 'List networks',
        description: 'Networks of every ledger.',
        tag,
        ...page('NetworkPage'),
        refusals: ['bad-request'],
      },
      handle: ({ query }) => configuredPage(directory.all, networkName, query, networkView),
    },
    {
      method: 'GET',
      path: '/dlts/{dlt}/networks',
      admittance: 'caller',
      doc: {
        summary: "List a ledger's networks",
        description: 'Networks of one ledger.',
        tag,
        ...page('NetworkPage'),
        refusals: ['bad-request', 'not-found'],
      },
      handle: ({ params, query }) => {
        const networks = directory.all.filter((network) => network.dlt === params['dlt']);
        if (networks.length === 0) return refused('not-found', 'There is no such ledger.');
        return configuredPage(networks, networkName, query, networkView);
      },
    },
    {
      method: 'GET',
      path: '/dlts/{dlt}/networks/{networkId}',
      admittance: 'caller',
      doc: {
        summary: 'Look at a network',
        description: 'One network.',
        tag,
        responses: [{ status: 200, description: 'The network.', schema: 'NetworkRecord' }],
        refusals: ['not-found'],
      },
      handle: ({ params }) => {
        const network = directory.network(params['dlt'] ?? '', params['networkId'] ?? '');
        return network === undefined
          ? refused('not-found', 'There is no such network.')
          : { status: 200, body: networkView(network) };
      },
    },
    {
      method: 'GET',
      path: '/providers',
      admittance: 'caller',
      doc: {
        summary: 'List providers',
        description: 'Approved node providers and their domains.',
        tag,
        ...page('ProviderPage'),
        refusals: ['bad-request'],
      },
      handle: ({ query }) =>
        configuredPage(
          providers,
          (provider) => provider.providerId,
          query,
          (provider) => provider,
        ),
    },
  ];
}

function networkName(network: Network): string {
  return `${network.dlt} ${network.networkId}`;
}

function networkView(network: Network): object {
  const { dlt, networkId, name, chainId } = network;
  return { dlt, networkId, name, chainId, default: network.isDefault };
}
