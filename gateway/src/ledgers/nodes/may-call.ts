/** Who may see and call a registered node (contract/nodes#calling). */

import type { Caller } from '../../api/caller.ts';
import type { NodeRecord } from './node-store.ts';

export type OwnedNode = Pick<NodeRecord, 'nodeId' | 'ownerId' | 'dlt' | 'networkId' | 'shared'>;

/** The caller who asks for a node, or in whose name a call is made. */
export type NodeUser = Pick<Caller, 'userId' | 'keyId' | 'roles'>;

/** Decided from memory: it is asked for each call. */
export type MayCall = (caller: NodeUser, node: OwnedNode) => boolean;

/** Its owner, and everybody when it is shared. Policies of owners widen this. */
export const ownerOrShared: MayCall = ({ userId }, { ownerId, shared }) => shared || ownerId === userId;
