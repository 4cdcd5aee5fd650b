/** The routes of registered nodes: each parses, calls one function, and shapes the reply (contract/nodes). */

import { isTypeId } from '@flowgate/base/ids';
import { ok, type Result } from '@flowgate/base/result';
import { identifier } from '@flowgate/body-schema/body-members';
import { pageQuery } from '../../api/page-query.ts';
import { emptyReply, okReply } from '../../api/reply-of.ts';
import type { CallerRoute, RouteAnswer, RouteQueryDoc } from '../../api/route.ts';
import { type Actor, actorOf } from '../../audit/audit-note.ts';
import { type ChangeNodeDeps, changeAnyNode, changeOwnNode } from './change-node.ts';
import {
  administeredOperatorView,
  administeredView,
  findNode,
  type ListNodesDeps,
  listEveryNode,
  listNodes,
  noSuchNode,
  viewOf,
} from './list-nodes.ts';
import { administeredNodePatch, nodeInput, nodePatch } from './node-input.ts';
import type { NodeStore } from './node-store.ts';
import { administeredNode, administeredNodePage, node, nodePage, nodePath } from './node-wire.ts';
import { type RegisterNodeDeps, registerNode } from './register-node.ts';

export type NodeRouteDeps = RegisterNodeDeps & ChangeNodeDeps & RemoveNodeDeps & ListNodesDeps;

const tag = 'Nodes';
const onePath = '/nodes/{nodeId}';
const noStore = { 'Cache-Control': 'no-store' };
const cacheHeader = ['Cache-Control'];

const filters: readonly RouteQueryDoc[] = [
  { name: 'dlt', description: 'Only nodes of this ledger.', schema: () => identifier() },
  { name: 'networkId', description: 'Only nodes of networks with this id.', schema: () => identifier() },
];

export function nodeRoutes(deps: NodeRouteDeps): readonly CallerRoute[] {
  return [
    {
      method: 'POST',
      path: '/nodes',
      accessLevel: 'caller',
      doc: {
        summary: 'Register a node',
        description:
          "A public node is at an approved provider (`GET /providers`), over https, with the provider's key in its path. The gateway asks it for its chain before it stores it. Its URL is stored encrypted and never shown whole. A private node, at any address, needs an administrator's access token.",
        tag,
        body: nodeInput,
        responses: [{ status: 201, description: 'Registered.', schema: node, headers: cacheHeader }],
        refusals: ['bad-request', 'not-permitted', 'conflict', 'bad-gateway'],
      },
      handle: async (request): Promise<RouteAnswer> => {
        const made = await registerNode(deps, request.caller, actorOf(request), request.body);
        if (!made.ok) return made;
        return { status: 201, body: made.value, headers: { ...noStore, Location: `/nodes/${made.value.nodeId}` } };
      },
    },
    {
      method: 'GET',
      path: '/nodes',
      accessLevel: 'caller',
      doc: {
        summary: 'List nodes',
        description:
          'The nodes that the caller may call: own ones, newest first, then shared ones and those of the operator.',
        tag,
        query: [...pageQuery(20), ...filters],
        responses: [{ status: 200, description: 'A page of nodes.', schema: nodePage, headers: cacheHeader }],
        refusals: ['bad-request', 'unavailable'],
      },
      handle: async ({ caller, query }) => okReply(await listNodes(deps, caller, query), noStore),
    },
    {
      method: 'GET',
      path: onePath,
      accessLevel: 'caller',
      doc: {
        summary: 'Show a node',
        description: 'A node that the caller may call.',
        tag,
        path: nodePath,
        responses: [{ status: 200, description: 'The node.', schema: node, headers: cacheHeader }],
        refusals: ['denied', 'not-found', 'unavailable'],
      },
      handle: async ({ caller, params }) => okReply(await findNode(deps, caller, params['nodeId'] ?? ''), noStore),
    },
    {
      method: 'PATCH',
      path: onePath,
      accessLevel: 'caller',
      doc: {
        summary: 'Change a node',
        description:
          'Changes a node of the caller. The gateway checks a new `url` as at registration, and uses the old one until then. Within 5 seconds every gateway calls the new one.',
        tag,
        path: nodePath,
        body: nodePatch,
        responses: [{ status: 200, description: 'Changed.', schema: node, headers: cacheHeader }],
        refusals: ['bad-request', 'not-permitted', 'not-found', 'conflict', 'bad-gateway'],
      },
      handle: async (request) => {
        const { caller, params, body } = request;
        const changed = await changeOwnNode(deps, caller, actorOf(request), params['nodeId'] ?? '', body);
        return okReply(changed.ok ? ok(viewOf(deps, caller, changed.value)) : changed, noStore);
      },
    },
    {
      method: 'DELETE',
      path: onePath,
      accessLevel: 'caller',
      doc: {
        summary: 'Delete a node',
        description:
          'Deletes a node of the caller. Calls in flight finish; within 5 seconds no gateway sends new ones. Its address can be registered again at once.',
        tag,
        path: nodePath,
        responses: [{ status: 204, description: 'Deleted.' }],
        refusals: ['not-found'],
      },
      handle: async (request) =>
        emptyReply(await removeNode(deps, request.caller.userId, actorOf(request), request.params['nodeId'] ?? '')),
    },
    ...administrationRoutes(deps),
  ];
}

function administrationRoutes(deps: NodeRouteDeps): readonly CallerRoute[] {
  return [
    {
      method: 'GET',
      path: '/admin/nodes',
      accessLevel: 'admin',
      doc: {
        summary: 'List the nodes of all users',
        description: 'Newest first, then those of the operator. URLs are masked for administrators, too.',
        tag: 'Administration',
        query: [...pageQuery(20), ...filters],
        responses: [
          { status: 200, description: 'A page of nodes.', schema: administeredNodePage, headers: cacheHeader },
        ],
        refusals: ['bad-request'],
      },
      handle: async ({ query }) => okReply(await listEveryNode(deps, query), noStore),
    },
    {
      method: 'PATCH',
      path: '/admin/nodes/{nodeId}',
      accessLevel: 'admin',
      doc: {
        summary: 'Share or cordon a node',
        description:
          "A shared node serves all users and belongs to the pool of its network. A cordoned node, a user's or the operator's, gets no new calls. Every gateway applies the change within 5 seconds; calls in flight finish.",
        tag: 'Administration',
        path: nodePath,
        body: administeredNodePatch,
        responses: [{ status: 200, description: 'Changed.', schema: administeredNode, headers: cacheHeader }],
        refusals: ['bad-request', 'not-found'],
      },
      handle: async (request) => {
        const nodeId = request.params['nodeId'] ?? '';
        const changed = await changeAnyNode(deps, actorOf(request), nodeId, request.body);
        if (!changed.ok) return changed;
        if (changed.value !== undefined) return okReply(ok(administeredView(deps, changed.value)), noStore);
        const operator = deps.operatorNodes.find((each) => each.nodeId === nodeId);
        return operator === undefined ? noSuchNode : okReply(ok(administeredOperatorView(deps, operator)), noStore);
      },
    },
  ];
}

type RemoveNodeDeps = {
  readonly store: Pick<NodeStore, 'remove'>;
  readonly changed: () => Promise<void>;
};

/**
 * Removes a node: its address is free at once, calls in flight finish, and it gets no new ones (contract/nodes#deleting). Throws `Unavailable` when the store
 * is unavailable: the node may be removed or not.
 */
async function removeNode(
  { store, changed }: RemoveNodeDeps,
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
