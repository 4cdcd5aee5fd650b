/** The target of a JSON-RPC path: a method policy and the nodes behind it. The only file of rpc that imports ledgers. */

import { namedMethods } from '@flowgate/chain/families/named-methods';
import type { Caller } from '../api/caller.ts';
import type { Firewall } from '../api/firewall.ts';
import type { Network, NetworkDirectory } from '../upstream/networks/network.ts';
import type { Node } from '../upstream/networks/network-nodes.ts';
import type { CallPort, NodePort, TextAnswer } from '../upstream/port/node-port.ts';
import type { GuardedPlace } from './call-guard.ts';
import { createMethodPolicy, type MethodPolicy } from './method-policy.ts';
import { subscribesElsewhere } from './websocket-address.ts';

export type RpcTarget = {
  readonly policy: MethodPolicy;
  /** The methods whose calls may be repeated. Calls of other methods are sent once (contract/retries#reads). */
  readonly reads: ReadonlySet<string>;
  /** The methods that are counted by name; by default the reads. */
  readonly named?: ReadonlySet<string>;
  /** Whether messages of JSON-RPC 1.0 are calls, too; by default false. */
  readonly takesVersion1?: boolean;
  readonly port: CallPort;
  /** The network or node that subscriptions follow. */
  readonly ledger?: LedgerPlace;
  /** The error for subscriptions over HTTP. It contains the address of this target's WebSocket. */
  readonly subscribesElsewhere?: TextAnswer;
  /** The destination with the names that policies use. */
  readonly place: GuardedPlace;
  /**
   * Removes secrets from nodes' errors: callers must not see a node's address or a provider's key
   * (contract/conventions).
   */
  readonly hideSecrets: (text: string) => string;
};

/** A network, or one node of it. All paths to the same network or node share one object. */
export type LedgerPlace = { readonly network: Network; readonly node?: Node };

export type RpcTargets = {
  /**
   * Undefined when the network or node does not exist (or there is no default network), or when this caller may not
   * call it.
   */
  readonly find: (params: Readonly<Record<string, string>>, caller: Caller) => RpcTarget | undefined;
  /**
   * Called when `find` returned undefined. Returns a promise when the policies of a node's owner are not in memory yet;
   * it resolves when they are.
   */
  readonly learn: (params: Readonly<Record<string, string>>, caller: Caller) => Promise<unknown> | undefined;
};

/** A node that a user registered. */
export type UserNode = Node & { readonly network: Network; readonly hideSecrets: (text: string) => string };

/** The nodes that users registered. */
export type UserNodes = {
  /** Undefined when the node does not exist, or when this caller may not call it. */
  readonly callable: (dlt: string, nodeId: string, caller: Caller) => UserNode | undefined;
  /** The user who registered the node, even when this caller may not call it. */
  readonly ownerOf: (dlt: string, nodeId: string) => string | undefined;
};

export type WrapPort = (pool: NodePort, network: Network, scope: 'whole' | 'one') => CallPort;

/**
 * Targets are created once: `find` allocates nothing for configured networks and nodes, nor for a registered node that
 * was found before. `wrap` adds the layers that only callers' calls need: `whole` for a network with all its nodes,
 * `one` for a single node. `publicUrl`: the address where callers reach this gateway.
 */
export function createRpcTargets(
  directory: NetworkDirectory,
  wrap: WrapPort = (pool) => pool,
  registered: UserNodes = { callable: () => undefined, ownerOf: () => undefined },
  firewall?: Pick<Firewall, 'isIdle' | 'rulesFor'>,
  publicUrl = '',
): RpcTargets {
  const elsewhere = (path: string) => ({ subscribesElsewhere: subscribesElsewhere(publicUrl, path) });
  const networks = new Map<unknown, RpcTarget>();
  const nodes = new Map<unknown, RpcTarget>();
  for (const network of directory.all) {
    const { methods, reads, takesVersion1 } = network.chain.family;
    const policy = createMethodPolicy(methods, network.enabledMethods);
    const named = namedMethods(network.chain.family);
    const common = { policy, reads, named, takesVersion1, hideSecrets: network.hideSecrets };
    const place = {
      network: `${network.dlt}/${network.networkId}`,
      nodes: () => network.everyNode(),
      hasContracts: network.chain.family.name === 'evm',
    };
    const ofNetwork = { ...common, port: wrap(network.pool, network, 'whole'), place, ledger: { network } };
    networks.set(network, { ...ofNetwork, ...elsewhere(networkPath(network)) });
    for (const node of network.nodes) {
      const port = wrap(node.pool, network, 'one');
      const ledger = { network, node };
      nodes.set(node, { ...common, port, ledger, place: { ...place, node }, ...elsewhere(nodePath(node)) });
    }
  }
  const ofUsers = new WeakMap<UserNode, RpcTarget>();
  function targetOf(node: UserNode): RpcTarget | undefined {
    const known = ofUsers.get(node);
    const ofNetwork = networks.get(node.network);
    if (known !== undefined || ofNetwork === undefined) return known;
    const hideSecrets = (text: string) => node.hideSecrets(text);
    const port = wrap(node.pool, node.network, 'one');
    const target = {
      ...ofNetwork,
      port,
      ledger: { network: node.network, node },
      hideSecrets,
      place: { ...ofNetwork.place, node },
      ...elsewhere(nodePath(node)),
    };
    ofUsers.set(node, target);
    return target;
  }
  const ofDefault = networks.get(directory.defaultNetwork);
  const unscoped = ofDefault && { ...ofDefault, ...elsewhere('/rpc') };
  return {
    find(params, caller) {
      const { dlt, networkId, nodeId } = params;
      if (dlt === undefined) return unscoped;
      if (networkId !== undefined) return networks.get(directory.network(dlt, networkId));
      if (nodeId === undefined) return undefined;
      const configured = directory.node(dlt, nodeId);
      if (configured !== undefined) return nodes.get(configured.node);
      const node = registered.callable(dlt, nodeId, caller);
      return node === undefined ? undefined : targetOf(node);
    },
    learn({ dlt, nodeId }, caller) {
      if (dlt === undefined || nodeId === undefined || firewall === undefined || firewall.isIdle) return undefined;
      const ownerId = registered.ownerOf(dlt, nodeId);
      const rules = ownerId === undefined ? undefined : firewall.rulesFor(caller, [ownerId]);
      return rules instanceof Promise ? rules : undefined;
    },
  };
}

function networkPath({ dlt, networkId }: Network): string {
  return `/dlts/${dlt}/networks/${networkId}/rpc`;
}

function nodePath({ dlt, nodeId }: { readonly dlt: string; readonly nodeId: string }): string {
  return `/dlts/${dlt}/nodes/${nodeId}/rpc`;
}
