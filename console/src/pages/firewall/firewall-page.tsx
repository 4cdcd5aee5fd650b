/** The firewall: what one's own keys may do, and with whom nodes and apps are shared. */
import { PageHead } from '../../components/card.tsx';
import { useGateway } from '../../gateway/gateway-context.tsx';
import { ExplainCard } from './explain-card.tsx';
import { PolicyList } from './policy-list.tsx';

export function FirewallPage() {
  const { policies } = useGateway();
  return (
    <div>
      <PageHead
        title="Firewall"
        lead="What your keys may do, and who may use your nodes and apps. Without a policy, everything is allowed."
      />
      <div className="grid gap-4">
        <PolicyList
          title="Your policies"
          scope="own"
          policies={policies}
          empty="Deny a key the methods that send transactions, for example, or let a colleague use your node."
        />
        <ExplainCard explain={(question) => policies.explain(question)} />
      </div>
    </div>
  );
}
