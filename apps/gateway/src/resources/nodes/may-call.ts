/** Who may see and call a registered node (contract/nodes#calling). */

import type { Caller } from '../../api/caller.ts';
import type { Firewall, GuardedResource } from '../../api/firewall.ts';
import type { NodeRecord } from './node-store.ts';

export type OwnedNode = Pick<NodeRecord, 'nodeId' | 'ownerId' | 'dlt' | 'networkId' | 'shared'>;

/** The caller who requests a node, or on whose behalf a call is made. */
export type NodeUser = Pick<Caller, 'userId' | 'keyId' | 'roles'>;

/** Decided from memory, because every call needs it. */
export type MayCall = (caller: NodeUser, node: OwnedNode) => boolean;

/** The owner, all users when it is shared, and users whom an allow policy of the owner names (contract/firewall#sharing). */
export function createMayCall({ namesNow }: Pick<Firewall, 'namesNow'>): MayCall {
  return (caller, node) => node.shared || node.ownerId === caller.userId || namesNow(caller, resourceOf(node));
}

/** The node as a resource of policies. */
export function resourceOf({ nodeId, ownerId }: Pick<OwnedNode, 'nodeId' | 'ownerId'>): GuardedResource {
  return { kind: 'node', key: nodeId, ownerId };
}
