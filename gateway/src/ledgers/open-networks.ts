/** Opens the configured networks: a transport for each node, and a pool for each single node and for each network. */

import type { ByteBudget } from '../platform/bytes/byte-budget.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import { createRedactor } from '../platform/redaction/redact.ts';
import type { TimeSlices } from '../platform/time-slices.ts';
import type { TimerWheel } from '../platform/timer-wheel.ts';
import { type HttpNodeOptions, type OpenNode, openHttpNode } from './http-node.ts';
import { createNetworkDirectory, type NetworkDirectory } from './network.ts';
import { type WatchedNode, watchNode } from './node-health.ts';
import { createNodePool } from './node-pool.ts';
import { createNodeIds } from './node-request.ts';
import { type NodeScheme, nodeSchemeOf } from './node-schemes.ts';
import { nodeSecrets } from './node-secrets.ts';

export type ConfiguredNetwork = {
  readonly dlt: string;
  readonly networkId: string;
  readonly name?: string | undefined;
  readonly chainId: number;
  readonly default: boolean;
  readonly nodes: readonly {
    readonly nodeId: string;
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly pipelining?: boolean | undefined;
  }[];
  readonly methods: { readonly enable: readonly string[] };
};

export type CallLimits = {
  readonly nodeTimeoutSeconds: number;
  readonly maxResponseBytes: number;
  readonly maxConnectionsPerNode: number;
};

export type OpenNetworks = {
  readonly directory: NetworkDirectory;
  /** Probes every node now and at every interval. No call waits for that: each new connection proves its chain by itself. */
  readonly start: () => void;
  readonly close: () => void;
};

type Parts = {
  readonly log: Log;
  readonly timerWheel: TimerWheel;
  readonly clock: Clock;
  readonly health: { readonly intervalSeconds: number };
  /** Large answers are charged to it, for calls that have a user. */
  readonly answerBudget: ByteBudget;
  /** The time slices in which large answers are read. */
  readonly slices: TimeSlices;
};

export function openNetworks(
  configured: readonly ConfiguredNetwork[],
  limits: CallLimits,
  { log, timerWheel, clock, health, answerBudget, slices }: Parts,
): OpenNetworks {
  const opened: { readonly close: () => void }[] = [];
  const everyNode: WatchedNode[] = [];
  const takeIds = createNodeIds();
  const poolParts = { clock, timeoutMs: limits.nodeTimeoutSeconds * 1000 };
  const networks = configured.map(({ dlt, networkId, name, chainId, nodes, methods, default: isDefault }) => {
    const transports = nodes.map(({ nodeId, url, headers, pipelining }) =>
      openNode({
        nodeId,
        chainId,
        url,
        headers,
        timeoutMs: limits.nodeTimeoutSeconds * 1000,
        maxResponseBytes: limits.maxResponseBytes,
        maxConnections: limits.maxConnectionsPerNode,
        answerBudget,
        takeIds,
        pipelining: pipelining === true ? pipeliningOf(nodeId, log) : undefined,
        slices,
        clock,
        timerWheel,
      }),
    );
    const healthParts = { log, timerWheel, chainId, intervalMs: health.intervalSeconds * 1000 };
    const watched = transports.map((transport) => watchNode(transport, healthParts));
    opened.push(...watched, ...transports);
    everyNode.push(...watched);
    return {
      dlt,
      networkId,
      name: name ?? networkId,
      chainId,
      isDefault: isDefault || configured.length === 1,
      enabledMethods: methods.enable,
      nodes: watched.map((node) => ({
        nodeId: node.nodeId,
        dlt,
        networkId,
        pool: createNodePool([node], poolParts),
      })),
      pool: createNodePool(watched, poolParts),
      hideSecrets: createRedactor(nodes.flatMap(nodeSecrets)),
    };
  });
  return {
    directory: createNetworkDirectory(networks),
    start: () => {
      for (const node of everyNode) node.start();
    },
    close: () => {
      for (const transport of opened) transport.close();
    },
  };
}

/** The transport for each scheme. */
const transportOf: Readonly<Record<NodeScheme, (options: HttpNodeOptions) => OpenNode>> = {
  'http:': openHttpNode,
  'https:': openHttpNode,
};

/** @throws TypeError, without the URL, for a scheme that the configuration refuses. */
function openNode(options: HttpNodeOptions): OpenNode {
  const scheme = nodeSchemeOf(options.url);
  if (scheme === undefined) throw new TypeError('no transport serves the URL of this node');
  return transportOf[scheme](options);
}

function pipeliningOf(nodeId: string, log: Log) {
  return {
    turnedOn: () => log.info('node.pipelining', { nodeId }),
    turnedOff: (reason: string, ms: number) => log.warn('node.pipelining-off', { nodeId, reason, seconds: ms / 1000 }),
  };
}
