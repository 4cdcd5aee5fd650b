/**
 * PostgreSQL and Redis for a cluster, each behind a proxy that can delay it, and a check whether they are installed
 * here.
 */

import { ownPostgres, postgresMissing } from '@flowgate/testing/postgres';
import { redisMissing, startRedis, type TestRedis } from '@flowgate/testing/redis';
import { type FaultProxy, startFaultProxy } from '../../devkit/src/fault-proxy.ts';
import { haproxyMissing } from '../deploy/running-haproxy.ts';
import type { Storage } from './cluster.ts';
import type { Service } from './service.ts';

/** Undefined when a cluster can run here. With CI=true a missing program has thrown already. */
export const clusterMissing: string | undefined = postgresMissing ?? redisMissing ?? haproxyMissing;
if (clusterMissing !== undefined) console.warn(`cluster tests are skipped: ${clusterMissing}`);

export type Engines = {
  /** Shared by the tests of this process, which leave it running. */
  readonly database: Service & {
    /** At once, without a word to its clients. */ readonly shutDown: () => Promise<void>;
  };
  readonly databaseProxy: FaultProxy;
  readonly redis: TestRedis;
  readonly redisProxy: FaultProxy;
  /** Addresses for the configuration: an empty database, and Redis. */
  readonly storage: Storage;
  /** The same through the proxies, which run in the same process as the load. */
  readonly slowable: Storage;
  readonly stop: () => Promise<void>;
};

export async function startEngines(): Promise<Engines> {
  const [postgres, redis] = await Promise.all([ownPostgres(), startRedis()]);
  const [databaseProxy, redisProxy] = await Promise.all([startFaultProxy(postgres.port), startFaultProxy(redis.port)]);
  let isStopped = false;
  const gone = (end: () => Promise<void>) => async () => {
    isStopped = true;
    await end();
  };
  const start = async () => {
    await postgres.start();
    isStopped = false;
  };
  const storage = { database: await postgres.freshDatabase(), redis: redis.url };
  return {
    database: { ...postgres, kill: gone(postgres.kill), shutDown: gone(postgres.stop), start },
    databaseProxy,
    redis,
    redisProxy,
    storage,
    slowable: {
      database: throughProxy(storage.database, databaseProxy),
      redis: throughProxy(storage.redis, redisProxy),
    },
    async stop() {
      databaseProxy.close();
      redisProxy.close();
      postgres.resume();
      if (isStopped) await start();
      await redis.stop();
    },
  };
}

function throughProxy(url: string, { port }: FaultProxy): string {
  const changed = new URL(url);
  changed.port = String(port);
  return changed.href;
}
