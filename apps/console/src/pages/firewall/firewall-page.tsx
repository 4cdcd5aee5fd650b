/** Firewall: policies for the user's own keys, and for sharing nodes and apps. */
import { useQuery } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { PageHead } from '../../components/card.tsx';
import { SkeletonRows } from '../../components/skeleton.tsx';
import { useGateway } from '../../gateway/gateway-context.tsx';
import { ExplainCard } from './explain-card.tsx';
import { PolicyList } from './policy-list.tsx';

export const firewallPath = '/firewall';

/** `/firewall/{policyId}` opens this policy. */
export function FirewallPage() {
  const { policies } = useGateway();
  const [location] = useLocation();
  const [policyId = ''] = location.slice(firewallPath.length + 1).split('/');
  const { data: opened, isLoading } = useQuery({
    queryKey: ['policy', policyId],
    queryFn: ({ signal }) => policies.get(policyId, { signal }),
    enabled: policyId !== '',
  });
  return (
    <div>
      <PageHead
        title="Firewall"
        lead="Control what your keys can do and who can use your nodes and apps. Without a policy, everything is allowed."
      />
      <div className="grid gap-4">
        {isLoading ? (
          <SkeletonRows />
        ) : (
          <PolicyList
            key={policyId}
            opened={opened}
            title="Your policies"
            scope="own"
            policies={policies}
            empty="For example, stop a key from sending transactions, or let a colleague use your node."
          />
        )}
        <ExplainCard explain={(question) => policies.explain(question)} />
      </div>
    </div>
  );
}
