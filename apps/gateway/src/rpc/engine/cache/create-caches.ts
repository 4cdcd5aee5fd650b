/** The caches of all networks, each with its own size. */

import type { Clock } from '@flowgate/base/clock';
import type { ByteBudget } from '@flowgate/bytes/byte-budget';
import type { Network } from '../../../upstream/networks/network.ts';
import type { CallPort } from '../../../upstream/port/node-port.ts';
import { AnswerCache, type CacheCounts } from './answer-cache.ts';
import { createCachedPort } from './cached-port.ts';

export type CachesDeps = {
  readonly clock: Pick<Clock, 'monotonic'>;
  /** Milliseconds for a whole call. */
  readonly timeoutMs: number;
  /** The budget that large answers are charged to. */
  readonly budget: ByteBudget;
  /** A random whole number of 32 bits. */
  readonly seed: number;
  /** `networks[].cache.maxBytes` of a network. */
  readonly maxBytesOf: (network: Pick<Network, 'dlt' | 'networkId'>) => number;
  /** For metrics. `bytes` is read when metrics are read. */
  readonly countsOf: (network: Pick<Network, 'dlt' | 'networkId'>, bytes: () => number) => CacheCounts;
};

export type Caches = {
  /** Wraps the port outside all other wrappers of a network. */
  readonly cached: (port: CallPort, network: Network) => CallPort;
  readonly close: () => void;
};

export function createCaches({ clock, timeoutMs, budget, seed, maxBytesOf, countsOf }: CachesDeps): Caches {
  const caches: AnswerCache[] = [];
  return {
    cached(port, network) {
      const { chain, heads, nodes } = network;
      const cache: AnswerCache = new AnswerCache({
        ...{ clock, timeoutMs, budget, seed, heads },
        family: chain.family,
        nodeIds: nodes.map(({ nodeId }) => nodeId),
        maxBytes: maxBytesOf(network),
        counts: countsOf(network, () => cache.bytes),
      });
      caches.push(cache);
      return createCachedPort(port, cache);
    },
    close() {
      for (const cache of caches) cache.close();
    },
  };
}
