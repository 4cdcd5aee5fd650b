/** All registered nodes in this process: found by id, shared with the pools of their networks, and open only while they are called (docs/decisions/0073). */

import type { TimerWheel } from '@flowgate/async/timer-wheel';
import type { Clock } from '@flowgate/base/clock';
import type { Network, NetworkDirectory } from '../../upstream/networks/network.ts';
import type { NodeFigures } from '../../upstream/routing/node-figures.ts';
import { windowMs } from '../../upstream/routing/recent-calls.ts';
import { LiveNode, type LiveNodeDeps } from './live-node.ts';
import type { NodeUser } from './may-call.ts';
import type { NodeRecord, NodesLoaded } from './node-store.ts';

export type RegisteredNodes = {
  /** The node, when the caller may call it. */
  readonly callable: (dlt: string, nodeId: string, caller: NodeUser) => LiveNode | undefined;
  /** The owner of the node, regardless of who may call it. */
  readonly ownerOf: (dlt: string, nodeId: string) => string | undefined;
  /** The figures of this gateway's calls; undefined for an unknown node. */
  readonly figuresOf: (nodeId: string) => NodeFigures | undefined;
  /** In no order. Nodes of networks that are not configured are omitted. */
  readonly all: () => Iterable<LiveNode>;
  /** Operator nodes that are cordoned. */
  readonly cordoned: () => ReadonlySet<string>;
  /** Changes when the nodes do. */
  readonly revision: () => number;
  /** Applies loaded nodes synchronously. `isWhole`: nodes that are not in the load are removed. */
  readonly follow: (loaded: NodesLoaded, isWhole: boolean) => void;
  readonly close: () => void;
};

export type RegisteredNodesDeps = Omit<LiveNodeDeps, 'opened'> & {
  readonly directory: NetworkDirectory;
  readonly timerWheel: TimerWheel;
  readonly clock: Pick<Clock, 'monotonic'>;
};

/** Milliseconds without a call after which a node's connections are closed. */
const idleMs = 60_000;
/** The maximum number of nodes with an open transport, unless more are in use: the least recently used one is closed. */
const maxOpen = 1_024;

export function createRegisteredNodes(deps: RegisteredNodesDeps): RegisteredNodes {
  const { directory, timerWheel, clock, mayCall } = deps;
  const nodes = new Map<string, LiveNode>();
  const open = new Set<LiveNode>();
  /** Nodes with calls within the window of their figures, or a little before. */
  const measured = new Set<LiveNode>();
  /** Nodes that get calls by the pools of their networks. */
  const shared = new Map<Network, Set<LiveNode>>();
  let cordoned: ReadonlySet<string> = new Set();
  let revision = -1;
  let closed = false;
  let sweeping = false;

  const liveParts = { ...deps, opened: noteOpened };

  function noteOpened(node: LiveNode): void {
    open.add(node);
    measured.add(node);
    if (open.size > maxOpen) restLongestUnused();
    if (!sweeping && !closed) sweepLater();
  }

  function restLongestUnused(): void {
    let oldest: LiveNode | undefined;
    for (const node of open)
      if (node.isIdle && (oldest === undefined || node.usedAtMs < oldest.usedAtMs)) oldest = node;
    if (oldest === undefined) return;
    oldest.rest();
    open.delete(oldest);
  }

  function sweepLater(): void {
    sweeping = true;
    timerWheel.arm(idleMs / 4, () => {
      sweeping = false;
      sweep();
    });
  }

  function sweep(): void {
    const nowMs = clock.monotonic();
    const unusedSinceMs = nowMs - idleMs;
    for (const node of open) {
      if (node.isIdle && node.usedAtMs <= unusedSinceMs) node.rest();
      if (!node.isOpen) open.delete(node);
    }
    for (const node of measured) {
      if (node.isOpen || node.usedAtMs > nowMs - windowMs) continue;
      node.load.recent.clear();
      measured.delete(node);
    }
    if (open.size + measured.size > 0 && !closed) sweepLater();
  }

  function put(record: NodeRecord): void {
    const network = directory.network(record.dlt, record.networkId);
    if (network === undefined) return;
    const node = nodes.get(record.nodeId) ?? new LiveNode(record, network, liveParts);
    nodes.set(record.nodeId, node);
    node.follow(record);
    const others = shared.get(network) ?? new Set();
    shared.set(network, others);
    if (record.shared && !record.cordoned) others.add(node);
    else others.delete(node);
  }

  function drop(nodeId: string): void {
    const node = nodes.get(nodeId);
    if (node === undefined) return;
    node.remove();
    nodes.delete(nodeId);
    measured.delete(node);
    shared.get(node.network)?.delete(node);
  }

  return {
    callable(dlt, nodeId, caller) {
      const node = nodes.get(nodeId);
      return node !== undefined && node.dlt === dlt && mayCall(caller, node.record) ? node : undefined;
    },
    ownerOf(dlt, nodeId) {
      const node = nodes.get(nodeId);
      return node?.dlt === dlt ? node.ownerId : undefined;
    },
    figuresOf: (nodeId) => nodes.get(nodeId)?.figures(),
    all: () => nodes.values(),
    cordoned: () => cordoned,
    revision: () => revision,
    follow(loaded, isWhole) {
      for (const record of loaded.changed) put(record);
      for (const nodeId of loaded.removed) drop(nodeId);
      if (isWhole) {
        const there = new Set(loaded.changed.map(({ nodeId }) => nodeId));
        for (const nodeId of nodes.keys()) if (!there.has(nodeId)) drop(nodeId);
      }
      cordoned = new Set(loaded.cordonedOperatorNodes);
      revision = loaded.revision;
      for (const network of directory.all)
        network.follow({ shared: inOrder(shared.get(network) ?? new Set()), cordoned });
    },
    close() {
      closed = true;
      for (const node of open) node.close();
      open.clear();
    },
  };
}

/** In the order of registration, which is the order of ids. */
function inOrder(nodes: ReadonlySet<LiveNode>): readonly LiveNode[] {
  return [...nodes].sort((a, b) => (a.nodeId < b.nodeId ? -1 : 1));
}
