/** The routes that list this gateway's ledgers, networks and providers (contract/networks#providers). */

import { refused } from '@flowgate/base/result';
import type { BodyOf, BodySchema } from '@flowgate/body-schema/body-schema';
import { configuredPage } from '../../api/configured-list.ts';
import type { Firewall, GuardedResource } from '../../api/firewall.ts';
import { networkPath } from '../../api/network-path.ts';
import { pageQuery } from '../../api/page-query.ts';
import { permittedReads, readRefusal } from '../../api/permitted-reads.ts';
import type { CallerRequest, CallerRoute, RouteAnswer } from '../../api/route.ts';
import type { Network, NetworkDirectory } from '../../upstream/networks/network.ts';
import type { Provider } from '../../upstream/port/provider.ts';
import {
  ledgerPage,
  ledgerView,
  networkPage,
  networkRecord,
  networkView,
  providerPage,
  type providerRecord,
} from './ledger-wire.ts';

export type LedgerDeps = {
  readonly directory: NetworkDirectory;
  readonly providers: readonly Provider[];
  readonly firewall: Firewall;
};

const tag = 'Ledgers';
const page = (schema: BodySchema) => ({
  query: pageQuery(20),
  responses: [{ status: 200, description: 'A page, in the order of the configuration.', schema }],
});

export function ledgerRoutes({ directory, providers, firewall }: LedgerDeps): readonly CallerRoute[] {
  /** A page of the networks that the caller may read. */
  const networksPage = async ({ caller, query }: CallerRequest, all: readonly Network[]): Promise<RouteAnswer> => {
    const networks = await permittedReads(firewall, caller, all, resourcesOf);
    return 'reason' in networks ? networks : configuredPage(networks, networkName, query, networkView);
  };
  return [
    {
      method: 'GET',
      path: '/dlts',
      accessLevel: 'caller',
      doc: {
        summary: 'List ledgers',
        description: 'Ledgers with at least one network on this gateway.',
        tag,
        ...page(ledgerPage),
        refusals: ['bad-request'],
      },
      handle: async ({ caller, query }) => {
        const networks = await permittedReads(firewall, caller, directory.all, resourcesOf);
        if ('reason' in networks) return networks;
        return configuredPage(
          [...Map.groupBy(networks, (network) => network.dlt)],
          ([dlt]) => dlt,
          query,
          ([dlt, ofLedger]) => ledgerView(dlt, ofLedger),
        );
      },
    },
    {
      method: 'GET',
      path: '/networks',
      accessLevel: 'caller',
      doc: {
        summary: 'List networks',
        description: 'Networks of every ledger.',
        tag,
        ...page(networkPage),
        refusals: ['bad-request'],
      },
      handle: (request) => networksPage(request, directory.all),
    },
    {
      method: 'GET',
      path: '/dlts/{dlt}/networks',
      accessLevel: 'caller',
      doc: {
        summary: "List a ledger's networks",
        description: 'Networks of one ledger.',
        tag,
        path: { dlt: networkPath.dlt },
        ...page(networkPage),
        refusals: ['bad-request', 'not-found'],
      },
      handle: (request) => {
        const networks = directory.all.filter((network) => network.dlt === request.params['dlt']);
        if (networks.length === 0)
          return refused('not-found', 'This gateway has no such ledger: GET /dlts lists them.');
        return networksPage(request, networks);
      },
    },
    {
      method: 'GET',
      path: '/dlts/{dlt}/networks/{networkId}',
      accessLevel: 'caller',
      doc: {
        summary: 'Show a network',
        description: 'One network.',
        tag,
        path: { dlt: networkPath.dlt, networkId: networkPath.networkId },
        responses: [{ status: 200, description: 'The network.', schema: networkRecord }],
        refusals: ['denied', 'not-found'],
      },
      handle: async ({ caller, params }) => {
        const network = directory.network(params['dlt'] ?? '', params['networkId'] ?? '');
        if (network === undefined)
          return refused('not-found', 'This gateway has no such network: GET /networks lists them.');
        const denied = await readRefusal(firewall, caller, resourcesOf(network));
        return denied ?? { status: 200, body: networkView(network) };
      },
    },
    {
      method: 'GET',
      path: '/providers',
      accessLevel: 'caller',
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

function resourcesOf({ dlt, networkId }: Network): readonly GuardedResource[] {
  return [{ kind: 'network', key: `${dlt}/${networkId}` }];
}
