/** The route that lists a user's deployed contracts (contract/contracts#deployed). */

import { identifierForm } from '@flowgate/base/identifier';
import { isTypeId } from '@flowgate/base/ids';
import { pageOf, parsePage } from '@flowgate/base/page';
import { ok, type Result, refused } from '@flowgate/base/result';
import { identifier } from '@flowgate/body-schema/body-members';
import type { BodyOf } from '@flowgate/body-schema/body-schema';
import { z } from 'zod';
import { onceIn } from '../../api/once-in.ts';
import { pageQuery } from '../../api/page-query.ts';
import { okReply } from '../../api/reply-of.ts';
import type { CallerRoute } from '../../api/route.ts';
import { deploymentStatuses } from './deployment.ts';
import type { DeploymentFilter, DeploymentStore } from './deployment-store.ts';
import { deployedContractPage, deployedContractView } from './deployment-wire.ts';

export function deploymentRoutes(store: Pick<DeploymentStore, 'list'>): readonly CallerRoute[] {
  return [
    {
      method: 'GET',
      path: '/users/me/deployed-contracts',
      accessLevel: 'caller',
      doc: {
        summary: 'List deployed contracts',
        description:
          'Newest first: one entry for each contract creation that the caller sent through this gateway and a node accepted. The gateway follows it on its chain until 64 blocks after it is settled.',
        tag: 'Users',
        query: [
          { name: 'dlt', description: 'Only of this ledger.', schema: identifier },
          { name: 'networkId', description: 'Only of networks with this id.', schema: identifier },
          { name: 'status', description: 'Only in this status.', schema: () => z.enum(deploymentStatuses) },
          ...pageQuery(20),
        ],
        responses: [{ status: 200, description: 'A page of deployed contracts.', schema: deployedContractPage }],
        refusals: ['bad-request'],
      },
      handle: async ({ caller, query }) => okReply(await listDeployments(store, caller.userId, query)),
    },
  ];
}

/**
 * Lists the contracts that a user deployed through this gateway, newest first. `?dlt=`, `?networkId=`, `?status=`, `?limit=`, `?cursor=`
 * (contract/conventions#lists). Throws `Unavailable`.
 */
async function listDeployments(
  store: Pick<DeploymentStore, 'list'>,
  userId: string,
  query: URLSearchParams,
): Promise<Result<BodyOf<typeof deployedContractPage>, 'bad-request'>> {
  const page = parsePage(query, { defaultLimit: 20, isId: (id) => isTypeId('dep', id) });
  const filter = parseFilter(query);
  if (!page.ok || !filter.ok)
    return refused('bad-request', [page, filter].flatMap((each) => (each.ok ? [] : (each.detail ?? []))).join('; '));
  const { records, next } = await store.list(userId, filter.value, page.value);
  return ok(pageOf(records.map(deployedContractView), next));
}

function parseFilter(query: URLSearchParams): Result<DeploymentFilter, 'bad-request'> {
  const problems: string[] = [];
  const once = onceIn(query, problems);
  const [dlt, networkId, wanted] = [once('dlt'), once('networkId'), once('status')];
  const status = deploymentStatuses.find((each) => each === wanted);
  for (const [name, value] of Object.entries({ dlt, networkId }))
    if (value !== undefined && !identifierForm.test(value))
      problems.push(`${name} must be 1 to 64 letters, digits, dots, hyphens and underscores`);
  if (wanted !== undefined && status === undefined)
    problems.push(`status must be one of ${deploymentStatuses.join(', ')}`);
  if (problems.length > 0) return refused('bad-request', problems.join('; '));
  return ok({
    ...(dlt === undefined ? {} : { dlt }),
    ...(networkId === undefined ? {} : { networkId }),
    ...(status === undefined ? {} : { status }),
  });
}
