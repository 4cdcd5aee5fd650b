/** Opens subscriptions: for each network and each single node, how its head is followed. */

import type { Config } from '../config/config.ts';
import { createSubscriptions } from '../rpc/subscriptions/create-subscriptions.ts';
import type { ChainView, SubscriptionSettings } from '../rpc/subscriptions/feed.ts';
import { createNamedPort } from '../rpc/subscriptions/named-port.ts';
import type { Subscriptions } from '../rpc/subscriptions/subscriptions.ts';
import { createNetworkHeads } from '../upstream/heads/create-network-heads.ts';
import type { Network } from '../upstream/networks/network.ts';
import type { Node } from '../upstream/networks/network-nodes.ts';
import type { NodeCaller } from '../upstream/port/node-port.ts';
import { type ModuleHooks, moduleHooks } from './open-modules.ts';
import type { Runtime } from './runtime.ts';

export type OpenSubscriptions = { readonly subscriptions: Subscriptions; readonly hooks: ModuleHooks };

type Needs = Pick<Runtime, 'clock' | 'timerWheel' | 'timeSlices' | 'randomBytes'>;
type NetworkSettings = Config['networks'][number];

export function openSubscriptions({ networks }: Pick<Config, 'networks'>, runtime: Needs): OpenSubscriptions {
  const { clock, timerWheel, timeSlices: slices, randomBytes } = runtime;
  const configured = new Map(networks.map((each) => [nameOf(each), each]));

  function wholeNetwork(network: Network, settings: SubscriptionSettings): ChainView | undefined {
    const { heads, pool } = network;
    if (heads === undefined) return undefined;
    const feeds = () =>
      network.nodes.flatMap(({ nodeId, feed }) => (feed === undefined || network.isCordoned(nodeId) ? [] : [feed]));
    return { name: nameOf(network), heads, nodes: pool, feeds, settings, close: () => {} };
  }

  /** The head of this node alone, by polling and, if the node supports it, by notifications. */
  function oneNode(
    network: Network,
    node: Node,
    { confirmations, subscriptions }: NetworkSettings,
    inNameOf: InNameOf,
  ): ChainView {
    const { nodeId, feed } = node;
    const pool = node.ownerId === undefined ? node.pool : createNamedPort(node.pool, inNameOf);
    const heights = new Map<string, number>();
    const heads = createNetworkHeads({
      nodes: () => [{ nodeId, pool, feed }],
      heightOf: (id) => heights.get(id),
      noteHead: (id, height) => void heights.set(id, height),
      confirmations,
      clock,
      timerWheel,
    });
    const feeds = () => (feed === undefined ? [] : [feed]);
    return {
      name: `${nameOf(network)} ${nodeId}`,
      heads,
      nodes: pool,
      feeds,
      settings: subscriptions,
      close: heads.close,
    };
  }

  const subscriptions = createSubscriptions({
    viewOf({ network, node }, inNameOf) {
      const settings = configured.get(nameOf(network));
      if (settings === undefined || network.heads === undefined) return undefined;
      return node === undefined
        ? wholeNetwork(network, settings.subscriptions)
        : oneNode(network, node, settings, inNameOf);
    },
    ...{ clock, timerWheel, slices, randomBytes },
  });
  return { subscriptions, hooks: moduleHooks({ close: subscriptions.close }) };
}

type InNameOf = () => NodeCaller | undefined;

function nameOf({ dlt, networkId }: { readonly dlt: string; readonly networkId: string }): string {
  return `${dlt}/${networkId}`;
}
