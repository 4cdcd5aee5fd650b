/** Nodes: a user's own are registered, changed and deleted; everybody's are shared and cordoned by administrators (contract/nodes). */

import { askFor } from './ask-for.ts';
import type { NetworkName } from './catalogue.ts';
import { hasMembers, isObject } from './has-members.ts';
import { createPaged, type Paged } from './paged.ts';
import { pathSegment } from './path-segment.ts';
import type { CallOptions, Send } from './transport.ts';
import type { AdministeredNode, AdministeredNodePatch, NodeInput, NodePatch, NodeRecord } from './wire.ts';

export type NodeFilter = Partial<NetworkName>;

/** Those that the caller may call: own ones, newest first, then shared ones and the operator's. */
export type Nodes = Paged<NodeRecord, NodeFilter> & {
  /**
   * 400 with the rule that the URL breaks, or for a node of another chain; 409 for an address that is registered, and beyond the user's number; 502 when the node gives
   * no usable answer. Never repeated: after a failure of kind `no-answer`, look at the list, because the node may be registered.
   */
  register(input: NodeInput, options?: CallOptions): Promise<NodeRecord>;
  /** 404 for a node that the caller may not call. */
  get(nodeId: string, options?: CallOptions): Promise<NodeRecord>;
  /** An own node. `shared` needs an administrator's token. */
  change(nodeId: string, patch: NodePatch, options?: CallOptions): Promise<NodeRecord>;
  /** An own node. It gets no new calls, on every gateway within five seconds. */
  remove(nodeId: string, options?: CallOptions): Promise<void>;
  /** Everybody's; for administrators, by token alone. */
  readonly everybodys: Paged<AdministeredNode, NodeFilter> & {
    change(nodeId: string, patch: AdministeredNodePatch, options?: CallOptions): Promise<AdministeredNode>;
  };
};

const nodesPath = '/nodes';
const administeredPath = '/admin/nodes';

export function createNodes(send: Send): Nodes {
  const pathOf = (nodeId: string) => `${nodesPath}/${pathSegment(nodeId)}`;
  return {
    ...createPaged<NodeRecord, NodeFilter>(send, nodesPath, isNode),
    register: async (input, options = {}) =>
      askFor(send, isNode, { method: 'POST', path: nodesPath, body: input, repeatable: false, options }),
    get: async (nodeId, options = {}) =>
      askFor(send, isNode, { method: 'GET', path: pathOf(nodeId), repeatable: true, options }),
    change: async (nodeId, patch, options = {}) =>
      askFor(send, isNode, { method: 'PATCH', path: pathOf(nodeId), body: patch, repeatable: true, options }),
    async remove(nodeId, options = {}) {
      // Sent again after it was done it would be 404.
      await send({ method: 'DELETE', path: pathOf(nodeId), repeatable: false, options });
    },
    everybodys: {
      ...createPaged<AdministeredNode, NodeFilter>(send, administeredPath, isAdministered),
      change: async (nodeId, patch, options = {}) =>
        askFor(send, isAdministered, {
          ...{ method: 'PATCH', path: `${administeredPath}/${pathSegment(nodeId)}`, body: patch },
          ...{ repeatable: true, options },
        }),
    },
  };
}

const texts = { nodeId: 'string', dlt: 'string', networkId: 'string', kind: 'string', source: 'string' } as const;
const required = { ...texts, shared: 'boolean', status: 'string', createdAt: 'string' } as const;
const optional = {
  providerId: 'string',
  label: 'string',
  url: 'string',
  checkedAt: 'string',
  cordoned: 'boolean',
  blockHeight: 'number',
  latencyMs: 'number',
  circuit: 'object',
  last5Minutes: 'object',
} as const;

function isNode(value: unknown): value is NodeRecord {
  return hasMembers(value, required, optional) && hasFigures(value);
}

function isAdministered(value: unknown): value is AdministeredNode {
  const known = hasMembers(
    value,
    { ...required, cordoned: 'boolean' },
    { ...optional, ownerId: 'string', lagBlocks: 'number' },
  );
  return known && hasFigures(value);
}

function hasFigures(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { circuit, last5Minutes } = value;
  return (
    (circuit === undefined || hasMembers(circuit, { state: 'string' }, { retryAfterSeconds: 'number' })) &&
    (last5Minutes === undefined ||
      hasMembers(
        last5Minutes,
        { calls: 'number', failed: 'number' },
        { errorRate: 'number', p50Ms: 'number', p95Ms: 'number' },
      ))
  );
}
