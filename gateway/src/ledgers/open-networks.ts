/** Opens the configured networks: a transport for each node, a pool for each node alone and for each network. */

import type { Clock } from '../platform/clock.ts';
import type { Deadlines } from '../platform/deadlines.ts';
import type { Log } from '../platform/log.ts';
import { openHttpNode } from './http-node.ts';
import { createNetworkDirectory, type NetworkDirectory } from './network.ts';
import { createNodePool } from './node-pool.ts';

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
  }[];
  readonly methods: { readonly enable: readonly string[] };
};

export type CallLimits = {
  readonly nodeTimeoutSeconds: number;
  readonly maxResponseBytes: number;
  readonly maxConnectionsPerNode: number;
};

export type OpenNetworks = { readonly directory: NetworkDirectory; readonly close: () => void };

type Parts = { readonly clock: Clock; readonly log: Log; readonly deadlines: Deadlines };

export function openNetworks(
  configured: readonly ConfiguredNetwork[],
  limits: CallLimits,
  { clock, log, deadlines }: Parts,
): OpenNetworks {
  const opened: { readonly close: () => void }[] = [];
  const networks = configured.map(({ dlt, networkId, name, chainId, nodes, methods, default: isDefault }) => {
    const transports = nodes.map(({ nodeId, url, headers }) =>
      openHttpNode({
        nodeId,
        url,
        headers,
        timeoutMs: limits.nodeTimeoutSeconds * 1000,
        maxResponseBytes: limits.maxResponseBytes,
        maxConnections: limits.maxConnectionsPerNode,
        deadlines,
      }),
    );
    opened.push(...transports);
    return {
      dlt,
      networkId,
      name: name ?? networkId,
      chainId,
      isDefault: isDefault || configured.length === 1,
      enabledMethods: methods.enable,
      nodes: transports.map((transport) => ({
        nodeId: transport.nodeId,
        dlt,
        networkId,
        pool: createNodePool([transport], clock, log),
      })),
      pool: createNodePool(transports, clock, log),
    };
  });
  return {
    directory: createNetworkDirectory(networks),
    close: () => {
      for (const transport of opened) transport.close();
    },
  };
}
