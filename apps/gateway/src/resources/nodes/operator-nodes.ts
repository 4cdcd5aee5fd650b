/** The nodes of the configuration, for the list of nodes. */

import type { NetworkDirectory } from '../../upstream/networks/network.ts';
import type { ConfiguredNetwork } from '../../upstream/networks/open-networks.ts';
import type { Provider } from '../../upstream/port/provider.ts';
import { providerOf } from './node-url.ts';
import type { OperatorNode } from './node-wire.ts';

/** In the order of the configuration. A node of an approved provider is `public`. */
export function createOperatorNodes(
  networks: readonly Pick<ConfiguredNetwork, 'dlt' | 'networkId' | 'nodes'>[],
  directory: Pick<NetworkDirectory, 'node'>,
  providers: readonly Provider[],
): readonly OperatorNode[] {
  return networks.flatMap(({ dlt, networkId, nodes }) =>
    nodes.map(({ nodeId, url }): OperatorNode => {
      const providerId = providerOf(new URL(url), providers)?.providerId;
      const health = (): ReturnType<OperatorNode['health']> =>
        directory.node(dlt, nodeId)?.node.status() ?? { status: 'pending' };
      const figures = () => directory.node(dlt, nodeId)?.node.figures();
      const kind = providerId === undefined ? 'private' : 'public';
      return {
        nodeId,
        dlt,
        networkId,
        kind,
        ...(providerId === undefined ? {} : { providerId }),
        url,
        health,
        figures,
      };
    }),
  );
}
