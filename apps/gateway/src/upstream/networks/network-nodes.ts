/** The current nodes of one network: those of the configuration that are not cordoned, and the shared nodes of users. */

import { createRedactor } from '@flowgate/telemetry/redaction/redactor';
import type { NodeFeed } from '../port/node-feed.ts';
import type { NodePort } from '../port/node-port.ts';
import type { NodeStatus } from '../port/node-status.ts';
import type { PooledNode } from '../routing/candidates.ts';
import { createLagWatch } from '../routing/lag-watch.ts';
import type { NodeFigures } from '../routing/node-figures.ts';
import { createChangingPool, type NodePoolDeps, type PoolRouting } from '../routing/node-pool.ts';
import { defaultRouting } from '../routing/routing-settings.ts';
import type { OpenedNode } from './node-opener.ts';
import { type NodeAddress, nodeSecrets } from './node-secrets.ts';

export type Node = {
  readonly nodeId: string;
  readonly dlt: string;
  readonly networkId: string;
  /** The user who registered it; absent for a node of the configuration. */
  readonly ownerId?: string;
  /** A pool of this node only: calls addressed to the node go to no other. */
  readonly pool: NodePort;
  /** The result of its health checks. */
  readonly status: () => NodeStatus;
  readonly figures: () => NodeFigures;
  /** Subscriptions of the gateway; absent if the node has no WebSocket. */
  readonly feed?: NodeFeed | undefined;
};

/** A user's node that all users may call. */
export type SharedNode = PooledNode &
  Node & {
    /** Its address, the provider's key and their parts, including earlier ones that errors of calls in flight may still contain. */
    readonly secrets: () => readonly string[];
  };

export type NetworkNodes = {
  /** The nodes of the configuration, each with a pool of its own. */
  readonly nodes: readonly Node[];
  /** The nodes of the configuration and the shared ones. */
  readonly everyNode: () => readonly Node[];
  /** The nodes of the configuration in their order, then the shared ones. */
  readonly pool: NodePort;
  readonly hideSecrets: (text: string) => string;
  /** Whether a node of the configuration is cordoned: it receives no calls. */
  readonly isCordoned: (nodeId: string) => boolean;
  /** Records a height that a node's answer showed. Only nodes of the configuration count. */
  readonly noteHead: (nodeId: string, height: number) => void;
  /** The newest block that a node of the configuration is known to have. */
  readonly headOf: (nodeId: string) => number | undefined;
  /** The nodes of the configuration that are not cordoned. */
  readonly ownNodes: () => readonly Node[];
  readonly hasSharedNodes: () => boolean;
  /** Replaces shared and cordoned nodes. Calls in flight finish at their nodes. */
  readonly follow: (now: { readonly shared: readonly SharedNode[]; readonly cordoned: ReadonlySet<string> }) => void;
};

/** Upper bound of the delay between a call's timeout and its answer in a busy process. */
const shownWithinMs = 60_000;

type OwnPlace = { readonly dlt: string; readonly networkId: string };

export function createNetworkNodes(
  { dlt, networkId }: OwnPlace,
  opened: readonly OpenedNode[],
  addresses: readonly NodeAddress[],
  poolDeps: NodePoolDeps,
  routing?: PoolRouting,
): NetworkNodes {
  const watched = opened.map((each) => each.watched);
  const members: { nodes: readonly PooledNode[] } = { nodes: watched };
  const own = opened.map(({ watched: node, feed }) => {
    const alone: { nodes: readonly PooledNode[] } = { nodes: [node] };
    const { nodeId, status, figures } = node;
    const pool = createChangingPool(alone, poolDeps);
    return {
      alone,
      watched: node,
      node: { nodeId, dlt, networkId, status, figures, pool, ...(feed && { feed }) },
    };
  });
  const nodes = own.map(({ node }) => node);
  const byId = new Map(watched.map((node) => [node.nodeId, node]));
  const { maxLagBlocks } = routing?.settings ?? defaultRouting;
  const lag = createLagWatch(poolDeps.clock, maxLagBlocks);
  for (const node of watched) node.followHead(lag.add(node.setBehind));
  const ownSecrets = addresses.flatMap(nodeSecrets);
  let secrets: readonly string[] = ownSecrets;
  let hide = createRedactor(ownSecrets);
  let shared: readonly SharedNode[] = [];
  /** Nodes that were shared, with the time until which a call in flight may return their errors. */
  const formerUntilMs = new Map<SharedNode, number>();
  let cordoned: ReadonlySet<string> = new Set();
  let everyNode: readonly Node[] = nodes;
  let ownNodes: readonly Node[] = nodes;
  return {
    nodes,
    everyNode: () => everyNode,
    pool: createChangingPool(members, poolDeps, routing),
    // An error does not name its node. One search covers all nodes, because callers can make nodes repeat long texts.
    hideSecrets: (text) => hide(text),
    isCordoned: (nodeId) => cordoned.has(nodeId),
    noteHead: (nodeId, height) => byId.get(nodeId)?.noteHead(height),
    headOf: (nodeId) => byId.get(nodeId)?.head(),
    ownNodes: () => ownNodes,
    hasSharedNodes: () => shared.length > 0,
    follow(now) {
      const nowMs = poolDeps.clock.monotonic();
      const present = new Set(now.shared);
      for (const node of shared)
        if (!present.has(node)) formerUntilMs.set(node, nowMs + poolDeps.timeoutMs + shownWithinMs);
      for (const [node, untilMs] of formerUntilMs) if (untilMs < nowMs || present.has(node)) formerUntilMs.delete(node);
      ({ shared, cordoned } = now);
      const wanted = [...ownSecrets, ...[...shared, ...formerUntilMs.keys()].flatMap((node) => node.secrets())];
      if (wanted.length !== secrets.length || wanted.some((each, at) => each !== secrets[at])) {
        secrets = wanted;
        hide = createRedactor(wanted);
      }
      for (const { alone, watched: node } of own) alone.nodes = cordoned.has(node.nodeId) ? [] : [node];
      members.nodes = [...own.flatMap(({ alone }) => alone.nodes), ...shared];
      everyNode = [...nodes, ...shared];
      ownNodes = nodes.filter(({ nodeId }) => !cordoned.has(nodeId));
    },
  };
}
