/** The idle connections of `safe-fetch`: one client for each tenant, origin and vetted address, within a bound. */

import type { TimerWheel } from '@flowgate/async/timer-wheel';
import type { TurnBudget } from '@flowgate/async/turn-budget';
import { Tally } from '@flowgate/base/tally';
import type { Http1Reply } from '../client/http1-call.ts';
import { createHttp1Client, type Http1Client } from '../client/http1-client.ts';
import type { WholeRequest } from '../client/http1-request.ts';

/** An address of an origin, for one tenant. Other tenants that name the same origin have their own connections. */
export type SafeFetchTarget = { readonly url: URL; readonly address: string; readonly tenant: string };

export type SafeFetchPools = {
  /** Whether there is an open connection to this target. */
  readonly knows: (target: SafeFetchTarget) => boolean;
  readonly send: (target: SafeFetchTarget, request: WholeRequest) => Promise<Http1Reply>;
  readonly close: () => void;
  readonly stats: () => { origins: number; open: number };
};

type TargetPool = { readonly tenant: string; readonly client: Http1Client; inUse: number };

export type SafeFetchPoolOptions = {
  readonly timerWheel: TimerWheel;
  readonly turns: TurnBudget;
  /** PEM; replaces the well-known authorities. */
  readonly ca?: string;
  /**
   * The maximum number of idle pools whose connections stay open. One tenant has at most an eighth of them, so that a
   * tenant with many origins closes no connections of others.
   */
  readonly maxOrigins: number;
  readonly maxConnectionsPerOrigin: number;
};

const connectTimeoutMs = 3_000;
/** Long enough for the next step of a user who is reading, short enough to notice address changes. */
const idleTimeoutMs = 20_000;
/** Never used: every request sets its own. */
const unusedTimeoutMs = 10_000;

export function createSafeFetchPools(options: SafeFetchPoolOptions): SafeFetchPools {
  /** Ordered by last use. */
  const poolOfTarget = new Map<string, TargetPool>();
  const pools = new Tally();
  const maxOfTenant = Math.max(1, Math.floor(options.maxOrigins / 8));
  // Only the last part may contain blanks.
  const keyOf = ({ url, address, tenant }: SafeFetchTarget) => `${url.origin} ${address} ${tenant}`;

  function take(target: SafeFetchTarget): TargetPool {
    const key = keyOf(target);
    const found = poolOfTarget.get(key) ?? opened(target);
    poolOfTarget.delete(key);
    poolOfTarget.set(key, found);
    found.inUse++;
    return found;
  }

  function opened(target: SafeFetchTarget): TargetPool {
    const { tenant } = target;
    const client = open(target);
    pools.add(tenant);
    return { tenant, client, inUse: 0 };
  }

  function open({ url, address }: SafeFetchTarget): Http1Client {
    return createHttp1Client({
      url: url.origin,
      address,
      timerWheel: options.timerWheel,
      turns: options.turns,
      connectTimeoutMs: connectTimeoutMs,
      idleTimeoutMs: idleTimeoutMs,
      timeoutMs: unusedTimeoutMs,
      maxConnections: options.maxConnectionsPerOrigin,
      ...(options.ca === undefined ? {} : { tls: { ca: options.ca } }),
    });
  }

  /** Least recently used first. Pools in use stay open, so there may be more of them than `maxOrigins`. */
  function forgetSome(tenant: string): void {
    const tooManyOwn = pools.of(tenant) - maxOfTenant;
    if (tooManyOwn > 0) forget(tooManyOwn, (each) => each.tenant === tenant);
    forget(poolOfTarget.size - options.maxOrigins, () => true);
  }

  function forget(tooMany: number, isMeant: (each: TargetPool) => boolean): void {
    let left = tooMany;
    for (const [key, each] of poolOfTarget) {
      if (left <= 0) return;
      if (each.inUse > 0 || !isMeant(each)) continue;
      poolOfTarget.delete(key);
      pools.remove(each.tenant);
      each.client.close();
      left--;
    }
  }

  return {
    knows: (target) => (poolOfTarget.get(keyOf(target))?.client.stats().open ?? 0) > 0,
    async send(target, request) {
      const taken = take(target);
      try {
        return await taken.client.send(request);
      } finally {
        taken.inUse--;
        forgetSome(target.tenant);
      }
    },
    close() {
      for (const { client, tenant } of poolOfTarget.values()) {
        client.close();
        pools.remove(tenant);
      }
      poolOfTarget.clear();
    },
    stats() {
      let open = 0;
      for (const { client } of poolOfTarget.values()) open += client.stats().open;
      return { origins: poolOfTarget.size, open };
    },
  };
}
