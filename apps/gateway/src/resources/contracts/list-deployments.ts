/** Lists the contracts that a user deployed through this gateway, newest first. */

import { identifierForm } from '@flowgate/base/identifier';
import { isTypeId } from '@flowgate/base/ids';
import { pageOf, parsePage } from '@flowgate/base/page';
import { ok, type Result, refused } from '@flowgate/base/result';
import type { BodyOf } from '@flowgate/body-schema/body-schema';
import { onceIn } from '../../api/once-in.ts';
import { deploymentStatuses } from './deployment.ts';
import type { DeploymentFilter, DeploymentStore } from './deployment-store.ts';
import { type deployedContractPage, deployedContractView } from './deployment-wire.ts';

/** `?dlt=`, `?networkId=`, `?status=`, `?limit=`, `?cursor=` (contract/conventions#lists). Throws `Unavailable`. */
export async function listDeployments(
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
