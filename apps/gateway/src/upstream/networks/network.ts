/** The networks that calls can be sent to, and their nodes. */

import type { NetworkHeads } from '../heads/network-heads.ts';
import type { Chain } from '../port/chain-proof.ts';
import type { NetworkNodes, Node } from './network-nodes.ts';

export type Network = {
  readonly dlt: string;
  readonly networkId: string;
  readonly name: string;
  /** The family and the identity of the chain. */
  readonly chain: Chain;
  /** EIP-155 chain id, of an EVM network. */
  readonly chainId: number | undefined;
  readonly isDefault: boolean;
  /** Heavy method families that this network enables, as patterns. */
  readonly enabledMethods: readonly string[];
  /** Undefined for families whose blocks the gateway does not follow. */
  readonly heads: NetworkHeads | undefined;
} & NetworkNodes;

export type NetworkDirectory = {
  readonly all: readonly Network[];
  /** The network of `/rpc` without a network in the path: the default one, or the only one. */
  readonly defaultNetwork: Network | undefined;
  readonly network: (dlt: string, networkId: string) => Network | undefined;
  readonly node: (dlt: string, nodeId: string) => { readonly node: Node; readonly network: Network } | undefined;
};

export function createNetworkDirectory(networks: readonly Network[]): NetworkDirectory {
  // Identifiers contain no space, so joined names are unambiguous.
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
