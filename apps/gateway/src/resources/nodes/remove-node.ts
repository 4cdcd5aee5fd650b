/** Removes a node: its address is free at once, calls in flight finish, and it gets no new ones (contract/nodes#deleting). */

import { isTypeId } from '@flowgate/base/ids';
import { ok, type Result } from '@flowgate/base/result';
import type { Actor } from '../../audit/audit-note.ts';
import { noSuchNode } from './list-nodes.ts';
import type { NodeStore } from './node-store.ts';

export type RemoveNodeParts = {
  readonly store: Pick<NodeStore, 'remove'>;
  readonly changed: () => Promise<void>;
};

/** Throws `Unavailable` when the store is unavailable: the node may be removed or not. */
export async function removeNode(
  { store, changed }: RemoveNodeParts,
  ownerId: string,
  actor: Actor,
  nodeId: string,
): Promise<Result<undefined, 'not-found'>> {
  if (!isTypeId('node', nodeId)) return noSuchNode;
  const removed = await store.remove(nodeId, ownerId, { actor, action: 'node.deleted', target: nodeId, details: {} });
  if (!removed) return noSuchNode;
  await changed();
  return ok(undefined);
}
