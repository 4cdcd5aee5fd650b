/** Warns the operator at start when Redis may evict counters: an identity whose log is evicted starts with a fresh limit. */

import type { Log } from '@flowgate/telemetry/log';
import type { RedisSession } from './redis-session.ts';

/** Reads INFO, because hosted Redis often forbids CONFIG. Without the privilege for either, no warning is possible. */
export async function warnOfEviction(session: RedisSession, log: Pick<Log, 'warn'>): Promise<void> {
  let policy: string | undefined;
  try {
    policy = await session.send('INFO', ['memory'], (reply) =>
      typeof reply === 'string' ? /^maxmemory_policy:(\S+)/m.exec(reply)?.[1] : undefined,
    );
  } catch {
    return;
  }
  if (policy !== undefined && policy !== 'noeviction')
    log.warn('redis.evicts', {
      policy,
      advice: 'set maxmemory-policy to noeviction: eviction of a counter resets its limit',
    });
}
