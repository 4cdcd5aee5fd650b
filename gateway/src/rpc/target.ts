/** What a JSON-RPC path leads to: a method policy and the nodes behind it. This file is the rpc room's one door into ledgers. */

import type { NetworkDirectory } from '../ledgers/network.ts';
import type { NodePool } from '../ledgers/node-pool.ts';
import type { TimeSlices } from '../platform/time-slices.ts';
import { evmMethods } from './evm-methods.ts';
import { createMethodPolicy, type MethodPolicy } from './method-policy.ts';

export type RpcTarget = {
  readonly policy: MethodPolicy;
  readonly pool: NodePool;
  /** In which large answers are read. */
  readonly slices: TimeSlices;
  /** For what a node says in an error: its own address, and the provider's key in it, is nobody's to read (contract/conventions). */
  readonly hideSecrets: (text: string) => string;
  /**
   * The first of `count` ids in a row that the next calls go to the node under. Never the callers', which a node might mangle, and never
   * those before: an answer that a broken node sends too late must not be taken for the next caller's.
   */
  readonly takeIds: (count: number) => number;
};

export type RpcTargets = {
  /** Undefined where there is no such network or node (or no default network). */
  readonly find: (params: Readonly<Record<string, string>>) => RpcTarget | undefined;
};

/** Fits every node's integer. */
const largestId = 2_147_483_647;

/** Targets are made once: a request allocates nothing to find its own. */
export function createRpcTargets(directory: NetworkDirectory, slices: TimeSlices): RpcTargets {
  const networks = new Map<unknown, RpcTarget>();
  const nodes = new Map<unknown, RpcTarget>();
  let nextId = 1;
  const takeIds = (count: number) => {
    const firstId = nextId + count > largestId ? 1 : nextId;
    nextId = firstId + count;
    return firstId;
  };
  for (const network of directory.all) {
    const policy = createMethodPolicy(evmMethods, network.enabledMethods);
    const common = { policy, takeIds, slices, hideSecrets: network.hideSecrets };
    networks.set(network, { ...common, pool: network.pool });
    for (const node of network.nodes) nodes.set(node, { ...common, pool: node.pool });
  }
  const unscoped = networks.get(directory.defaultNetwork);
  return {
    find(params) {
      const { dlt, networkId, nodeId } = params;
      if (dlt === undefined) return unscoped;
      if (networkId !== undefined) return networks.get(directory.network(dlt, networkId));
      return nodeId === undefined ? undefined : nodes.get(directory.node(dlt, nodeId)?.node);
    },
  };
}
