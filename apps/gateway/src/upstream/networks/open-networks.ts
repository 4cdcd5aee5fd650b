/** Opens the configured networks: all nodes, and one pool for each network. */

import type { FamilyName } from '@flowgate/chain/families/family-names';
import { ledgerFamilies } from '@flowgate/chain/families/ledger-families';
import { createNetworkHeads, type OpenedHeads } from '../heads/create-network-heads.ts';
import type { Chain } from '../port/chain-proof.ts';
import { createMethodClasses } from '../routing/node-load.ts';
import type { PoolRouting } from '../routing/node-pool.ts';
import { defaultRouting, type RoutingSettings } from '../routing/routing-settings.ts';
import { createNetworkDirectory, type NetworkDirectory } from './network.ts';
import { createNetworkNodes, type NetworkNodes } from './network-nodes.ts';
import { type CallLimits, createNodeOpener, type NodeDeps, type OpenedNode, type OpenOneNode } from './node-opener.ts';

export type ConfiguredNetwork = {
  readonly dlt: string;
  readonly networkId: string;
  readonly name?: string | undefined;
  readonly family: FamilyName;
  /** EIP-155 chain id, of EVM networks. */
  readonly chainId?: number | undefined;
  /** Of networks of other families. */
  readonly genesisHash?: string | undefined;
  readonly default: boolean;
  readonly nodes: readonly {
    readonly nodeId: string;
    readonly url: string;
    readonly wsUrl?: string | undefined;
    readonly headers: Readonly<Record<string, string>>;
    readonly pipelining?: boolean | undefined;
    readonly tier?: number | undefined;
  }[];
  /** `defaultRouting` when absent. */
  readonly routing?: RoutingSettings | undefined;
  readonly methods: { readonly enable: readonly string[] };
  /** Depth at which a block counts as final if nodes do not report it; by default 12. */
  readonly confirmations?: number | undefined;
};

const defaultConfirmations = 12;

export type OpenNetworks = {
  readonly directory: NetworkDirectory;
  /** Opens another node, which the caller owns. */
  readonly openOneNode: OpenOneNode;
  /** Probes every node now and at every interval. */
  readonly start: () => void;
  readonly close: () => void;
};

export type RoutingDeps = Pick<PoolRouting, 'random' | 'timers'>;

export function openNetworks(
  configured: readonly ConfiguredNetwork[],
  limits: CallLimits,
  deps: NodeDeps & RoutingDeps,
  openOneNode: OpenOneNode = createNodeOpener(limits, deps),
): OpenNetworks {
  const poolDeps = { clock: deps.clock, timeoutMs: limits.nodeTimeoutSeconds * 1000 };
  const everyNode: OpenedNode[] = [];
  const everyHeads: OpenedHeads[] = [];
  const networks = configured.map((network) => {
    const {
      dlt,
      networkId,
      name,
      chainId,
      nodes,
      methods,
      routing: settings = defaultRouting,
      default: isDefault,
    } = network;
    const chain = chainOf(network);
    const opened = nodes.map((node) =>
      openOneNode({ ...node, shownAs: { network: `${dlt}/${networkId}`, node: node.nodeId } }, chain),
    );
    everyNode.push(...opened);
    const classes = createMethodClasses(chain.family.reads);
    const { random, timers } = deps;
    const its = createNetworkNodes(network, opened, nodes, poolDeps, { settings, classes, random, timers });
    const heads = chain.family.name === 'evm' ? openHeads(its, network.confirmations, deps) : undefined;
    if (heads !== undefined) everyHeads.push(heads);
    return {
      dlt,
      networkId,
      name: name ?? networkId,
      chain,
      chainId,
      isDefault: isDefault || configured.length === 1,
      enabledMethods: methods.enable,
      heads,
      ...its,
    };
  });
  return {
    directory: createNetworkDirectory(networks),
    openOneNode,
    start: () => {
      for (const node of everyNode) node.start();
    },
    close: () => {
      for (const heads of everyHeads) heads.close();
      for (const node of everyNode) node.close();
    },
  };
}

/** Follows the operator's nodes only: shared nodes do not decide which head callers receive. */
function openHeads(
  { ownNodes, headOf, noteHead }: NetworkNodes,
  confirmations: number | undefined,
  { clock, timerWheel }: NodeDeps,
): OpenedHeads {
  return createNetworkHeads({
    ...{ nodes: ownNodes, heightOf: headOf, noteHead, clock, timerWheel },
    confirmations: confirmations ?? defaultConfirmations,
  });
}

/** @throws TypeError without an identity of the chain, which the configuration check refuses. */
function chainOf({ family: name, chainId, genesisHash }: ConfiguredNetwork): Chain {
  const family = ledgerFamilies[name];
  const identity = family.genesisHash === undefined ? chainId?.toString() : family.genesisHash.read(genesisHash);
  if (identity === undefined) throw new TypeError('nothing identifies the chain of this network');
  return { family, identity };
}
