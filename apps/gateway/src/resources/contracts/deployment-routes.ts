/** The route that lists a user's deployed contracts (contract/contracts#deployed). */

import { identifier } from '@flowgate/body-schema/body-members';
import { z } from 'zod';
import { pageQuery } from '../../api/page-query.ts';
import { okReply } from '../../api/reply-of.ts';
import type { CallerRoute } from '../../api/route.ts';
import { deploymentStatuses } from './deployment.ts';
import type { DeploymentStore } from './deployment-store.ts';
import { deployedContractPage } from './deployment-wire.ts';
import { listDeployments } from './list-deployments.ts';

export function deploymentRoutes(store: Pick<DeploymentStore, 'list'>): readonly CallerRoute[] {
  return [
    {
      method: 'GET',
      path: '/users/me/deployed-contracts',
      admittance: 'caller',
      doc: {
        summary: 'List deployed contracts',
        description:
          'Newest first: one entry for each transaction that creates a contract, was sent through this gateway by the caller, and accepted by a node. It is followed on its chain until it is settled, and 64 blocks beyond.',
        tag: 'Users',
        query: [
          { name: 'dlt', description: 'Of this ledger only.', schema: identifier },
          { name: 'networkId', description: 'Of the networks with this name only.', schema: identifier },
          { name: 'status', description: 'In this status only.', schema: () => z.enum(deploymentStatuses) },
          ...pageQuery(20),
        ],
        responses: [{ status: 200, description: 'A page of deployed contracts.', schema: deployedContractPage }],
        refusals: ['bad-request'],
      },
      handle: async ({ caller, query }) => okReply(await listDeployments(store, caller.userId, query)),
    },
  ];
}
