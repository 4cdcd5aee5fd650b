/** Administration: maintenance, users with their limits and keys, nodes, operator policies, audit log and indexer. */
import { useLocation } from 'wouter';
import { PageHead } from '../../components/card.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { useGateway } from '../../gateway/gateway-context.tsx';
import { ExplainCard } from '../firewall/explain-card.tsx';
import { PolicyList } from '../firewall/policy-list.tsx';
import { AuditTab } from './audit-tab.tsx';
import { IndexersTab } from './indexers-tab.tsx';
import { MaintenanceTab } from './maintenance-tab.tsx';
import { NodesTab } from './nodes-tab.tsx';
import { UsersTab } from './users-tab.tsx';

const path = '/admin';

export function AdministrationPage() {
  const { globalPolicies } = useGateway();
  const [location, navigate] = useLocation();
  const [asked = ''] = location.slice(path.length + 1).split('/');
  const tabs = [
    { id: 'maintenance', title: 'Maintenance', content: <MaintenanceTab /> },
    { id: 'users', title: 'Users', content: <UsersTab /> },
    { id: 'nodes', title: 'Nodes', content: <NodesTab /> },
    {
      id: 'policies',
      title: 'Policies',
      content: (
        <div className="grid gap-4">
          <PolicyList
            title="Operator policies"
            scope="global"
            policies={globalPolicies}
            empty="These policies apply to every user, before the user’s own policies."
          />
          <ExplainCard asksAboutOthers explain={(question) => globalPolicies.explain(question)} />
        </div>
      ),
    },
    { id: 'audit', title: 'Audit log', content: <AuditTab /> },
    { id: 'indexers', title: 'Indexer', content: <IndexersTab /> },
  ];
  const value = tabs.some(({ id }) => id === asked) ? asked : 'maintenance';
  return (
    <div>
      <PageHead title="Administration" lead="Changes apply to every user and are recorded in the audit log." />
      <Tabs label="Administration" tabs={tabs} value={value} onChange={(id) => navigate(`${path}/${id}`)} />
    </div>
  );
}
