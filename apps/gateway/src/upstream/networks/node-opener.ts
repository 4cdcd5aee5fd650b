/** Opens one node, at start or at run time: its transport, its health checks, and a pool of this node only. */

import type { TimeSlices } from '@flowgate/async/time-slices';
import type { TimerWheel } from '@flowgate/async/timer-wheel';
import type { TurnBudget } from '@flowgate/async/turn-budget';
import type { Clock } from '@flowgate/base/clock';
import type { RandomBytes } from '@flowgate/base/random';
import type { ByteBudget } from '@flowgate/bytes/byte-budget';
import type { Log } from '@flowgate/telemetry/log';
import type { Chain } from '../port/chain-proof.ts';
import type { NodeFeed } from '../port/node-feed.ts';
import type { NodePort } from '../port/node-port.ts';
import { createNodeIds } from '../port/node-request.ts';
import { isSocketUrl, type NodeScheme, nodeSchemeOf } from '../port/node-schemes.ts';
import { meteredNode, type NodeInstruments, type NodeLabels } from '../routing/metered-node.ts';
import { createNodePool } from '../routing/node-pool.ts';
import { type WatchedNode, watchNode } from '../routing/watched-node.ts';
import { openHttpNode } from '../transports/http-node.ts';
import type {
  OpenTransport,
  PipeliningReports,
  SocketOptions,
  TransportOptions,
} from '../transports/transport-options.ts';
import { type OpenFeed, openWsFeed } from '../transports/ws-feed.ts';
import { openWsNode, socketPlace } from '../transports/ws-node.ts';

export type CallLimits = {
  readonly nodeTimeoutSeconds: number;
  readonly maxResponseBytes: number;
  readonly maxConnectionsPerNode: number;
};

export type NodeDeps = {
  readonly log: Log;
  readonly timerWheel: TimerWheel;
  /** The time budget of a turn for receiving answers. */
  readonly turns: TurnBudget;
  readonly clock: Clock;
  readonly randomBytes: RandomBytes;
  readonly health: { readonly intervalSeconds: number };
  /** Large answers are charged to it if their call has a user. */
  readonly answerBudget: ByteBudget;
  /** The time slices in which large answers are read. */
  readonly slices: TimeSlices;
  /** Absent if metrics are off. */
  readonly instruments?: NodeInstruments | undefined;
};

export type NodeSettings = Pick<TransportOptions, 'nodeId' | 'url' | 'address' | 'headers'> & {
  readonly pipelining?: boolean | undefined;
  /** The address for subscriptions if it differs from `url`. Calls never use it. */
  readonly wsUrl?: string | undefined;
  readonly tier?: number | undefined;
  /** Labels in the metrics; absent for nodes of users, which share one label. */
  readonly shownAs?: NodeLabels | undefined;
};

export type OpenedNode = {
  readonly watched: WatchedNode;
  /** A pool of this node only: calls addressed to the node go to no other. */
  readonly pool: NodePort;
  /** Present if the node has a WebSocket. */
  readonly feed?: NodeFeed | undefined;
  /** Probes the node now and at intervals. Calls do not wait for a probe, because each new connection proves its chain. */
  readonly start: () => void;
  /** Fails calls in flight and closes all connections. */
  readonly close: () => void;
};

/** @throws TypeError for a scheme that the configuration refuses. The error does not contain the URL. */
export type OpenOneNode = (settings: NodeSettings, chain: Chain) => OpenedNode;

/** Used for all nodes of a gateway, so that no two calls have the same id. */
export function createNodeOpener(limits: CallLimits, deps: NodeDeps): OpenOneNode {
  const { log, timerWheel, turns, clock, health, answerBudget, slices, instruments, randomBytes } = deps;
  const takeIds = createNodeIds();
  const timeoutMs = limits.nodeTimeoutSeconds * 1000;
  const { maxResponseBytes, maxConnectionsPerNode: maxConnections } = limits;
  const ofEveryNode = {
    ...{ timeoutMs, maxResponseBytes, maxConnections, answerBudget, takeIds, slices, clock },
    ...{ timerWheel, turns, randomBytes },
  };
  return ({ pipelining, tier, shownAs, wsUrl, ...settings }, chain) => {
    const reports = pipelining === true ? pipeliningReports(settings.nodeId, log) : undefined;
    const options = { ...settings, ...ofEveryNode, chain, pipelining: reports };
    const transport = openTransport(options);
    const feed = openFeed(options, wsUrl);
    const intervalMs = health.intervalSeconds * 1000;
    const bare = watchNode(transport, { log, timerWheel, clock, identity: chain.identity, intervalMs, tier });
    const watched = meteredNode(bare, instruments, shownAs);
    return {
      watched,
      pool: createNodePool([watched], { clock, timeoutMs }),
      feed,
      start: watched.start,
      close: () => {
        watched.close();
        feed?.close();
        transport.close();
      },
    };
  };
}

/** The transport for each scheme. */
const transportOf: Readonly<Record<NodeScheme, (options: SocketOptions) => OpenTransport>> = {
  'http:': openHttpNode,
  'https:': openHttpNode,
  'ws:': openWsNode,
  'wss:': openWsNode,
};

function openTransport(options: SocketOptions): OpenTransport {
  const scheme = nodeSchemeOf(options.url);
  if (scheme === undefined) throw new TypeError('no transport serves the URL of this node');
  return transportOf[scheme](options);
}

/** Undefined for a node without a WebSocket, and for families without subscriptions. */
function openFeed(options: SocketOptions, wsUrl: string | undefined): OpenFeed | undefined {
  const url = wsUrl ?? (isSocketUrl(options.url) ? options.url : undefined);
  if (url === undefined || !options.chain.family.hasFeed) return undefined;
  return openWsFeed(socketPlace({ ...options, url }), options.takeIds);
}

function pipeliningReports(nodeId: string, log: Log): PipeliningReports {
  return {
    turnedOn: () => log.info('node.pipelining', { nodeId }),
    turnedOff: (reason, ms) => log.warn('node.pipelining-off', { nodeId, reason, seconds: ms / 1000 }),
  };
}
