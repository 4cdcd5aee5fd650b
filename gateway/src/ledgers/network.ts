/** The networks that calls can be sent to, and the nodes behind them. */

import type { NodePort } from './node-port.ts';

export type Node = {
  readonly nodeId: string;
  readonly dlt: string;
  readonly networkId: string;
  /** This node alone: what is addressed to it goes nowhere else. */
  readonly pool: NodePort;
};

export type Network = {
  readonly dlt: string;
  readonly networkId: string;
  readonly name: string;
  /** EIP-155. */
  readonly chainId: number;
  readonly isDefault: boolean;
  /** Heavy method families opened here, as patterns. */
  readonly enabledMethods: readonly string[];
  readonly nodes: readonly Node[];
  /** All of the network's nodes. */
  readonly pool: NodePort;
  /** Takes the nodes' addresses, keys and headers out of a text that came from one of them. */
  readonly hideSecrets: (text: string) => string;
};

export type NetworkDirectory = {
  readonly all: readonly Network[];
  /** What un-scoped `/rpc` reaches: the network marked so, or the only one. */
  readonly defaultNetwork: Network | undefined;
  readonly network: (dlt: string, networkId: string) => Network | undefined;
  readonly node: (dlt: string, nodeId: string) => { readonly node: Node; readonly network: Network } | undefined;
};

export function createNetworkDirectory(networks: readonly Network[]): NetworkDirectory {
  // A blank can stand in no identifier, so joined names cannot meet.
  const byName = new Map(networks.map((network) => [`${network.dlt} ${network.networkId}`, network]));
  const byNode = new Map(
    networks.flatMap((network) =>
      network.nodes.map((node) => [`${node.dlt} ${node.nodeId}`, { node, network }] as const),
    ),
  );
  return {
    all: networks,
    defaultNetwork: networks.find((network) => network.isDefault) ?? (networks.length === 1 ? networks[0] : undefined),
    network: (dlt, networkId) => byName.get(`${dlt} ${networkId}`),
    node: (dlt, nodeId) => byNode.get(`${dlt} ${nodeId}`),
  };
}
