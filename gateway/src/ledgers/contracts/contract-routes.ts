/** The routes that list the operator's contracts, bridges' among them (contract/contracts#named-contracts). */

import type { BodyOf } from '../../api/body-schema.ts';
import { configuredPage } from '../../api/configured-list.ts';
import { pageQuery } from '../../api/page-query.ts';
import type { CallerRoute } from '../../api/route.ts';
import { refused } from '../../platform/result.ts';
import type { NamedContract } from './configured-contracts.ts';
import { contractId, contractPage, contractRecord } from './contract-wire.ts';

const tag = 'Contracts';

export function contractRoutes(contracts: readonly NamedContract[]): readonly CallerRoute[] {
  const byId = new Map(contracts.map((contract) => [contract.contractId, contract]));
  return [
    {
      method: 'GET',
      path: '/contracts',
      admittance: 'caller',
      doc: {
        summary: 'List contracts',
        description:
          'Contracts that the operator names, on every network; those of staking and of bridges are among them.',
        tag,
        query: pageQuery(20),
        responses: [{ status: 200, description: 'A page, in the order of the configuration.', schema: contractPage }],
        refusals: ['bad-request'],
      },
      handle: ({ query }) => configuredPage(contracts, ({ contractId }) => contractId, query, contractView),
    },
    {
      method: 'GET',
      path: '/contracts/{contractId}',
      admittance: 'caller',
      doc: {
        summary: 'Look at a contract',
        description: 'One contract that the operator names.',
        tag,
        path: {
          contractId: {
            description: 'The contract, as in `GET /contracts`.',
            schema: contractId,
            example: 'dev-staking',
          },
        },
        responses: [{ status: 200, description: 'The contract.', schema: contractRecord }],
        refusals: ['not-found'],
      },
      handle: ({ params }) => {
        const contract = byId.get(params['contractId'] ?? '');
        return contract === undefined
          ? refused('not-found', 'There is no such contract.')
          : { status: 200, body: contractView(contract) };
      },
    },
  ];
}

function contractView(contract: NamedContract): BodyOf<typeof contractRecord> {
  return contract;
}
