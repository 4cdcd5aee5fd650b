/** Who may see and call a registered node (contract/nodes#calling). */

import type { Caller } from '../../api/caller.ts';
import type { Firewall, GuardedResource } from '../../api/firewall.ts';
import type { NodeRecord } from './node-store.ts';

export type OwnedNode = Pick<NodeRecord, 'nodeId' | 'ownerId' | 'dlt' | 'networkId' | 'shared'>;

/** The caller who asks for a node, or in whose name a call is made. */
export type NodeUser = Pick<Caller, 'userId' | 'keyId' | 'roles'>;

/** Decided from memory: it is asked for each call. */
export type MayCall = (caller: NodeUser, node: OwnedNode) => boolean;

/** Its owner, everybody when it is shared, and whom an allow of its owner names (contract/firewall#sharing). */
export function createMayCall({ namesNow }: Pick<Firewall, 'namesNow'>): MayCall {
  return (caller, node) => node.shared || node.ownerId === caller.userId || namesNow(caller, resourceOf(node));
}

/** The node as policies name it. */
export function resourceOf({ nodeId, ownerId }: Pick<OwnedNode, 'nodeId' | 'ownerId'>): GuardedResource {
  return { kind: 'node', key: nodeId, ownerId };
}
