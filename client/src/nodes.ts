/** Nodes: users register, change and delete their own; administrators share and cordon any node (contract/nodes). */

import { ask } from './ask.ts';
import type { NetworkName } from './catalog.ts';
import * as shapes from './generated/shapes.ts';
import { createPaged, type Paged } from './paged.ts';
import type { CallOptions, Send } from './transport.ts';
import type { AdministeredNode, AdministeredNodePatch, NodeInput, NodePatch, NodeRecord } from './wire.ts';

export type NodeFilter = Partial<NetworkName>;

/** The nodes that the caller may call: own ones, newest first, then shared ones and the operator's. */
export type Nodes = Paged<NodeRecord, NodeFilter> & {
  /**
   * Registers a node. 400 with the rule that the URL violates, or for a node of another chain; 409 for a registered address, and above the user's maximum; 502
   * when the node gives no valid answer. Never retried: after a failure of kind `no-answer`, check the list, because the node may be registered.
   */
  register(input: NodeInput, options?: CallOptions): Promise<NodeRecord>;
  /** 404 for a node that the caller may not call. */
  get(nodeId: string, options?: CallOptions): Promise<NodeRecord>;
  /** Changes an own node. `shared` needs an administrator's token. */
  change(nodeId: string, patch: NodePatch, options?: CallOptions): Promise<NodeRecord>;
  /** Deletes an own node. It gets no new calls, on each gateway within five seconds. */
  remove(nodeId: string, options?: CallOptions): Promise<void>;
  /** Nodes of all users; for administrators, with a token only. */
  readonly everybodys: Paged<AdministeredNode, NodeFilter> & {
    change(nodeId: string, patch: AdministeredNodePatch, options?: CallOptions): Promise<AdministeredNode>;
  };
};

export function createNodes(send: Send): Nodes {
  const node = '/nodes/{nodeId}';
  return {
    ...createPaged(send, 'GET /nodes', shapes.nodeRecord, []),
    register: (body, options) => ask(send, 'POST /nodes', shapes.nodeRecord, [], { body, repeatable: false, options }),
    get: (nodeId, options) => ask(send, `GET ${node}`, shapes.nodeRecord, [nodeId], { options }),
    change: (nodeId, body, options) => ask(send, `PATCH ${node}`, shapes.nodeRecord, [nodeId], { body, options }),
    // A retry after a successful deletion would be 404.
    remove: (nodeId, options) => ask(send, `DELETE ${node}`, undefined, [nodeId], { repeatable: false, options }),
    everybodys: {
      ...createPaged(send, 'GET /admin/nodes', shapes.administeredNode, []),
      change: (nodeId, body, options) =>
        ask(send, `PATCH /admin${node}`, shapes.administeredNode, [nodeId], { body, options }),
    },
  };
}
