/** The part of the composition root that opens what the configuration names for keeping things and for sharing them between nodes. */

import { createClusterRateLimiter } from '../access/cluster-rate-limit.ts';
import { createRateLimiter } from '../access/rate-limit.ts';
import type { RateLimiter } from '../api/rate-limiter.ts';
import type { Config } from '../config/config.ts';
import type { Clock } from '../platform/clock.ts';
import type { PubSub } from '../platform/coordination/pub-sub.ts';
import type { Log } from '../platform/log.ts';
import { createRedisAdmissionStore } from '../stores/redis/redis-admission-store.ts';
import { createRedisPubSub } from '../stores/redis/redis-pub-sub.ts';
import type { Database } from '../stores/sql/engine/database.ts';
import { openPostgresDatabase } from '../stores/sql/engine/postgres/postgres-database.ts';
import { openSqliteDatabase } from '../stores/sql/engine/sqlite/sqlite-database.ts';

const sqlitePrefix = 'sqlite:';

/** Throws with a sentence for the operator when the database cannot be opened. */
export function openDatabase(
  { database, databaseConnections }: Pick<Config['storage'], 'database' | 'databaseConnections'>,
  onTrouble: (reason: string | undefined) => void,
): Promise<Database> {
  return database.startsWith(sqlitePrefix)
    ? openSqliteDatabase({ file: database.slice(sqlitePrefix.length), onTrouble })
    : openPostgresDatabase({ url: database, maxConnections: databaseConnections, onTrouble });
}

/** What gateways share while they run: with Redis among all of them, without it each has its own. */
export type Sharing = {
  readonly limiter: RateLimiter;
  /** Absent without Redis. */
  readonly pubSub?: PubSub;
  /** Settles when Redis was tried once; it need not be there. */
  readonly tried: Promise<unknown>;
  readonly close: () => void;
};

export type SharingParts = {
  readonly clock: Clock;
  readonly log: Log /** Names this process, new with each start. */;
  readonly nodeId: string;
};

export function openSharing({ storage, limits }: Pick<Config, 'storage' | 'limits'>, parts: SharingParts): Sharing {
  const { clock, log, nodeId } = parts;
  const node = createRateLimiter({ ...limits, clock });
  if (storage.redis === undefined) return { limiter: node, tried: Promise.resolve(), close: () => {} };
  const redis = {
    url: storage.redis,
    callTimeoutMs: storage.redisTimeoutMs,
    namespace: storage.redisNamespace,
    clock,
    log,
  };
  const store = createRedisAdmissionStore({ ...redis, ...limits });
  const pubSub = createRedisPubSub({ ...redis, nodeId });
  return {
    limiter: createClusterRateLimiter({ store, node, clock }),
    pubSub,
    tried: Promise.all([store.tried, pubSub.tried]),
    close: () => {
      pubSub.close();
      store.close();
    },
  };
}
