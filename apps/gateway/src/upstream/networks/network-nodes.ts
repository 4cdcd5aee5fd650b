/** The nodes of one network as they are now: those of the configuration, less those that are cordoned, and those of users that are shared. */

import { createRedactor } from '@flowgate/telemetry/redaction/redact';
import type { NodeFeed } from '../port/node-feed.ts';
import type { NodePort } from '../port/node-port.ts';
import type { NodeStatus } from '../port/node-status.ts';
import type { PooledNode } from '../routing/candidates.ts';
import { createLagWatch } from '../routing/lag.ts';
import type { NodeFigures } from '../routing/node-figures.ts';
import { createChangingPool, type NodePoolDeps, type PoolRouting } from '../routing/node-pool.ts';
import { defaultRouting } from '../routing/routing-settings.ts';
import { type NodeAddress, nodeSecrets } from './node-secrets.ts';
import type { OpenedNode } from './open-node.ts';

export type Node = {
  readonly nodeId: string;
  readonly dlt: string;
  readonly networkId: string;
  /** Who registered it; absent for a node of the configuration. */
  readonly ownerId?: string;
  /** A pool of this node alone: calls addressed to the node go to no other. */
  readonly pool: NodePort;
  /** What its health checks have found. */
  readonly status: () => NodeStatus;
  readonly figures: () => NodeFigures;
  /** What it tells by itself; absent for nodes that speak no WebSocket. */
  readonly feed?: NodeFeed | undefined;
};

/** A user's node that everybody may call. */
export type SharedNode = PooledNode &
  Node & {
    /** Its address, the provider's key and their parts, and those that errors of calls in flight may still hold. */
    readonly secrets: () => readonly string[];
  };

export type NetworkNodes = {
  /** Those of the configuration, each with a pool of it alone. */
  readonly nodes: readonly Node[];
  /** Those and the shared ones. */
  readonly everyNode: () => readonly Node[];
  /** Those of the configuration in their order, then the shared ones. */
  readonly pool: NodePort;
  readonly hideSecrets: (text: string) => string;
  /** Whether a node of the configuration gets no calls. */
  readonly isCordoned: (nodeId: string) => boolean;
  /** Notes a height that a node told in an answer; only the word of the configuration's nodes counts. */
  readonly noteHead: (nodeId: string, height: number) => void;
  /** The newest block that a node of the configuration is known to have. */
  readonly headOf: (nodeId: string) => number | undefined;
  /** Those of the configuration that are not cordoned. */
  readonly ownNodes: () => readonly Node[];
  readonly hasSharedNodes: () => boolean;
  /** From now on; calls in flight finish where they are. */
  readonly follow: (now: { readonly shared: readonly SharedNode[]; readonly cordoned: ReadonlySet<string> }) => void;
};

/** How long after its call's own time an answer may be shown, when the process is busy. */
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
  /** Those that were shared: until when a call in flight may bring an error of theirs. */
  const formerUntilMs = new Map<SharedNode, number>();
  let cordoned: ReadonlySet<string> = new Set();
  let everyNode: readonly Node[] = nodes;
  let ownNodes: readonly Node[] = nodes;
  return {
    nodes,
    everyNode: () => everyNode,
    pool: createChangingPool(members, poolDeps, routing),
    // An error does not tell from which node it came. It is searched once for all nodes: callers can make nodes repeat long texts.
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
