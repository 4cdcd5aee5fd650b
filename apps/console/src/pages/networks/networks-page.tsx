/** Routes of networks and nodes: the list, and one network. */
import { useRoute } from 'wouter';
import { NetworkDetail } from './network-detail.tsx';
import { NetworkList } from './network-list.tsx';

export function NetworksPage() {
  const [isOne, parameters] = useRoute('/networks/:dlt/:networkId');
  return isOne ? <NetworkDetail dlt={parameters.dlt} networkId={parameters.networkId} /> : <NetworkList />;
}
