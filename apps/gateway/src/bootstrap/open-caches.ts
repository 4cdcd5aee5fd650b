/** Opens the caches of networks: their sizes and their metrics. */

import type { Config } from '../config/config.ts';
import { type Caches, createCaches } from '../rpc/engine/cache/create-caches.ts';
import type { Ledgers } from './open-ledgers.ts';
import type { Runtime } from './runtime.ts';

export function openCaches(
  config: Config,
  { clock, randomBytes, instruments }: Runtime,
  { answerBudget }: Pick<Ledgers, 'answerBudget'>,
): Caches {
  return createCaches({
    clock,
    timeoutMs: config.outbound.nodeTimeoutSeconds * 1000,
    budget: answerBudget,
    seed: Buffer.from(randomBytes(4)).readInt32LE(),
    maxBytesOf: ({ dlt, networkId }) =>
      config.networks.find((network) => network.dlt === dlt && network.networkId === networkId)?.cache.maxBytes ?? 0,
    countsOf({ dlt, networkId }, bytes) {
      const label = `${dlt}/${networkId}`;
      instruments?.cacheBytes.add([label], bytes);
      return {
        hits: instruments?.cacheHits.with(label) ?? { value: 0 },
        misses: instruments?.cacheMisses.with(label) ?? { value: 0 },
        coalesced: instruments?.cacheCoalesced.with(label) ?? { value: 0 },
      };
    },
  });
}
