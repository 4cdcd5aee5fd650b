/** Shown when there is no network: a policy denies all of them, or none is configured. */
import type { Flowgate, PolicyExplanation } from '@flowgate/client';
import { useQuery } from '@tanstack/react-query';
import { ButtonLink } from '../components/button.tsx';
import { EmptyState } from '../components/empty-state.tsx';
import { Network, ShieldBan } from '../components/icons.tsx';
import { Skeleton } from '../components/skeleton.tsx';
import { useGateway } from './gateway-context.tsx';

/** The maximum per user. */
const maxPolicies = 100;
const maxAsked = 10;

/** Null when no policy denies networks. The gateway does not list denied networks, so this asks about the networks that policies name, and about one that no policy names. */
async function findDenial(client: Flowgate, signal: AbortSignal): Promise<PolicyExplanation | null> {
  const { data } = await client.policies.page({ limit: maxPolicies, signal });
  const ids = data.flatMap(({ resource: { kind, id } }) => (kind === 'network' && id !== '*' ? [id] : []));
  for (const id of ['any/network', ...new Set(ids)].slice(0, maxAsked)) {
    const explained = await client.policies.explain({ resource: { kind: 'network', id } }, { signal });
    if (!explained.allowed) return explained;
  }
  return null;
}

export function NoNetworks() {
  const client = useGateway();
  const { data: denial, isPending } = useQuery({
    queryKey: ['denied-networks'],
    queryFn: ({ signal }) => findDenial(client, signal),
  });
  if (isPending) return <Skeleton className="m-5 h-24" />;
  if (denial == null)
    return (
      <EmptyState icon={Network} title="No networks yet">
        The operator adds networks in the gateway’s configuration.
      </EmptyState>
    );
  const own = denial.decidedBy?.scope === 'own' ? denial.decidedBy.policyId : undefined;
  return (
    <EmptyState
      icon={ShieldBan}
      title="A policy denies every network"
      action={
        own !== undefined && (
          <ButtonLink href={`/firewall/${own}`} size="sm" tone="primary">
            Open policy
          </ButtonLink>
        )
      }
    >
      {own === undefined
        ? 'The operator set this policy. Ask an administrator to change it.'
        : 'It is one of your own firewall policies. Edit or remove it to see networks again.'}
    </EmptyState>
  );
}
