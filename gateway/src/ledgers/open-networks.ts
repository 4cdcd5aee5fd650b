/** Opens the configured networks: a transport for each node, a pool for each node alone and for each network. */

import type { Deadlines } from '../platform/deadlines.ts';
import type { Log } from '../platform/log.ts';
import { createRedactor } from '../platform/redact.ts';
import { openHttpNode } from './http-node.ts';
import { createNetworkDirectory, type NetworkDirectory } from './network.ts';
import { watchNode } from './node-health.ts';
import { createNodePool } from './node-pool.ts';
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
  }[];
  readonly methods: { readonly enable: readonly string[] };
};

export type CallLimits = {
  readonly nodeTimeoutSeconds: number;
  readonly maxResponseBytes: number;
  readonly maxConnectionsPerNode: number;
};

export type OpenNetworks = { readonly directory: NetworkDirectory; readonly close: () => void };

type Parts = { readonly log: Log; readonly deadlines: Deadlines };

export function openNetworks(
  configured: readonly ConfiguredNetwork[],
  limits: CallLimits,
  { log, deadlines }: Parts,
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
    const watched = transports.map((transport) => watchNode(transport, { log, deadlines }));
    opened.push(...watched, ...transports);
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
        pool: createNodePool([node]),
      })),
      pool: createNodePool(watched),
      hideSecrets: createRedactor(nodes.flatMap(nodeSecrets)),
    };
  });
  return {
    directory: createNetworkDirectory(networks),
    close: () => {
      for (const transport of opened) transport.close();
    },
  };
}
