/** The routes that list this gateway's ledgers, networks and providers (contract/networks#providers). */

import type { BodyOf, BodySchema } from '../api/body-schema.ts';
import { networkPath } from '../api/network-path.ts';
import { pageQuery } from '../api/page-query.ts';
import type { CallerRoute } from '../api/route.ts';
import { refused } from '../platform/result.ts';
import { configuredPage } from './configured-list.ts';
import {
  ledgerPage,
  ledgerView,
  networkPage,
  networkRecord,
  networkView,
  providerPage,
  type providerRecord,
} from './ledger-wire.ts';
import type { Network, NetworkDirectory } from './network.ts';
import type { Provider } from './provider.ts';

export type LedgerParts = { readonly directory: NetworkDirectory; readonly providers: readonly Provider[] };

const tag = 'Ledgers';
const page = (schema: BodySchema) => ({
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
        ...page(ledgerPage),
        refusals: ['bad-request'],
      },
      handle: ({ query }) =>
        configuredPage(
          ledgers,
          ([dlt]) => dlt,
          query,
          ([dlt, networks]) => ledgerView(dlt, networks),
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
        ...page(networkPage),
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
        path: { dlt: networkPath.dlt },
        ...page(networkPage),
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
        path: { dlt: networkPath.dlt, networkId: networkPath.networkId },
        responses: [{ status: 200, description: 'The network.', schema: networkRecord }],
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
        ...page(providerPage),
        refusals: ['bad-request'],
      },
      handle: ({ query }) =>
        configuredPage(
          providers,
          (provider) => provider.providerId,
          query,
          (provider): BodyOf<typeof providerRecord> => provider,
        ),
    },
  ];
}

function networkName(network: Network): string {
  return `${network.dlt} ${network.networkId}`;
}
