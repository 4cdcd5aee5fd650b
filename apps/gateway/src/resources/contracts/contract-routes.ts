/** The routes that list the contracts of the configuration, including those of bridges (contract/contracts#named-contracts). */

import { refused } from '@flowgate/base/result';
import type { BodyOf } from '@flowgate/body-schema/body-schema';
import { configuredPage } from '../../api/configured-list.ts';
import type { Firewall, GuardedResource } from '../../api/firewall.ts';
import { pageQuery } from '../../api/page-query.ts';
import { permittedReads, readRefusal } from '../../api/permitted-reads.ts';
import type { CallerRoute } from '../../api/route.ts';
import type { NamedContract } from './configured-contracts.ts';
import { contractId, contractPage, contractRecord } from './contract-wire.ts';

const tag = 'Contracts';

export type ContractDeps = { readonly contracts: readonly NamedContract[]; readonly firewall: Firewall };

export function contractRoutes({ contracts, firewall }: ContractDeps): readonly CallerRoute[] {
  const byId = new Map(contracts.map((contract) => [contract.contractId, contract]));
  return [
    {
      method: 'GET',
      path: '/contracts',
      accessLevel: 'caller',
      doc: {
        summary: 'List contracts',
        description:
          'Contracts of the configuration, including those of staking and bridges, on every network that policies do not deny to the caller.',
        tag,
        query: pageQuery(20),
        responses: [{ status: 200, description: 'A page, in the order of the configuration.', schema: contractPage }],
        refusals: ['bad-request'],
      },
      handle: async ({ caller, query }) => {
        const permitted = await permittedReads(firewall, caller, contracts, networkOf);
        if ('reason' in permitted) return permitted;
        return configuredPage(permitted, ({ contractId }) => contractId, query, contractView);
      },
    },
    {
      method: 'GET',
      path: '/contracts/{contractId}',
      accessLevel: 'caller',
      doc: {
        summary: 'Show a contract',
        description: 'One contract of the configuration.',
        tag,
        path: {
          contractId: {
            description: 'The contract, as in `GET /contracts`.',
            schema: contractId,
            example: 'dev-staking',
          },
        },
        responses: [{ status: 200, description: 'The contract.', schema: contractRecord }],
        refusals: ['not-found', 'denied'],
      },
      handle: async ({ caller, params }) => {
        const contract = byId.get(params['contractId'] ?? '');
        if (contract === undefined)
          return refused('not-found', 'This gateway has no such contract: GET /contracts lists them.');
        const refusal = await readRefusal(firewall, caller, networkOf(contract));
        return refusal ?? { status: 200, body: contractView(contract) };
      },
    },
  ];
}

/** A policy that denies a network also denies its contracts. */
function networkOf({ dlt, networkId }: NamedContract): readonly GuardedResource[] {
  return [{ kind: 'network', key: `${dlt}/${networkId}` }];
}

function contractView(contract: NamedContract): BodyOf<typeof contractRecord> {
  return contract;
}
