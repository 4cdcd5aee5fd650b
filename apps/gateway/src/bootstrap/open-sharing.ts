/** Opens the state that gateways share at run time: one state for all with Redis, otherwise one for each. */

import type { PubSub } from '@flowgate/async/pub-sub';
import { createRedisPubSub } from '@flowgate/redis/redis-pub-sub';
import type { RateLimiter } from '../api/rate-limiter.ts';
import type { Config } from '../config/config.ts';
import { createClusterRateLimiter } from '../limits/cluster-rate-limit.ts';
import { meteredAdmissionStore } from '../limits/metered-admission-store.ts';
import { createRateLimiter } from '../limits/rate-limit.ts';
import { createRedisAdmissionStore } from '../limits/redis-admission-store.ts';
import type { LimitOverrides } from '../limits/user-limits.ts';
import { type ModuleHooks, moduleHooks } from './open-modules.ts';
import type { Runtime } from './runtime.ts';

export type Sharing = {
  readonly limiter: RateLimiter;
  /** Absent without Redis. */
  readonly pubSub?: PubSub;
  readonly hooks: ModuleHooks;
};

/** Resolves after the first attempt to connect to Redis, which may fail. */
export async function openSharing(
  { storage, limits }: Pick<Config, 'storage' | 'limits'>,
  { clock, log, nodeId, instruments }: Runtime,
  overrides: LimitOverrides,
): Promise<Sharing> {
  const node = createRateLimiter({ ...limits, overrides, clock });
  if (storage.redis === undefined) return { limiter: node, hooks: moduleHooks() };
  const redis = {
    url: storage.redis,
    callTimeoutMs: storage.redisTimeoutMs,
    namespace: storage.redisNamespace,
    clock,
    log,
  };
  await using opening = new AsyncDisposableStack();
  const store = opening.adopt(createRedisAdmissionStore({ ...redis, ...limits, overrides }), (each) => each.close());
  const pubSub = opening.adopt(createRedisPubSub({ ...redis, nodeId }), (each) => each.close());
  await Promise.all([store.tried, pubSub.tried]);
  const opened = opening.move();
  return {
    limiter: createClusterRateLimiter({
      store: meteredAdmissionStore(store, instruments?.storeSeconds.with('redis', 'admit'), clock),
      node,
      clock,
    }),
    pubSub,
    hooks: moduleHooks({ close: () => opened.disposeAsync() }),
  };
}
