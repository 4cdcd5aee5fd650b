/** The operator's nodes of a network that an indexer asks, best first. */

import type { Network } from '../../upstream/networks/network.ts';

type Nodes = ReturnType<Network['ownNodes']>;

const mostNodes = 3;
const ranks = ['healthy', 'pending', 'unhealthy'];

/** `preferred` comes first, and `torn` last: ids of nodes. */
export function nodesInOrder(
  nodes: Nodes,
  { preferred, torn }: { readonly preferred: string; readonly torn: string | undefined },
): Nodes {
  const rankOf = ({ nodeId, status }: Nodes[number]) => {
    if (nodeId === torn) return ranks.length;
    return nodeId === preferred ? -1 : ranks.indexOf(status().status);
  };
  return nodes.toSorted((one, other) => rankOf(one) - rankOf(other)).slice(0, mostNodes);
}
