/** The kept connections of `safe-fetch`: one client for each tenant, origin and vetted address, as many as are worth keeping. */

import type { TimerWheel } from '@flowgate/async/timer-wheel';
import type { TurnBudget } from '@flowgate/async/turn-budget';
import { Tally } from '@flowgate/base/tally';
import type { Http1Reply } from '../client/http1-call.ts';
import { createHttp1Client, type Http1Client } from '../client/http1-client.ts';
import type { WholeRequest } from '../client/http1-request.ts';

/** An address of an origin, for one tenant: others who name the same origin cannot take its connections. */
export type SafeFetchTarget = { readonly url: URL; readonly address: string; readonly tenant: string };

export type SafeFetchPools = {
  /** Whether there is a kept connection to this target. */
  readonly knows: (target: SafeFetchTarget) => boolean;
  readonly send: (target: SafeFetchTarget, request: WholeRequest) => Promise<Http1Reply>;
  readonly close: () => void;
  readonly stats: () => { origins: number; open: number };
};

type Kept = { readonly tenant: string; readonly client: Http1Client; inUse: number };

export type SafeFetchPoolOptions = {
  readonly timerWheel: TimerWheel;
  readonly turns: TurnBudget;
  /** PEM; replaces the well-known authorities. */
  readonly ca?: string;
  /** The most idle pools whose connections are kept, an eighth of them for one tenant, so that whoever names many origins costs others no connections. */
  readonly maxOrigins: number;
  readonly maxConnectionsPerOrigin: number;
};

const connectTimeoutMs = 3_000;
/** Long enough for the next step of a user who is reading, short enough to notice address changes. */
const idleTimeoutMs = 20_000;
/** Never used: every request brings its own. */
const unusedTimeoutMs = 10_000;

export function createSafeFetchPools(options: SafeFetchPoolOptions): SafeFetchPools {
  /** In the order of their last use. */
  const kept = new Map<string, Kept>();
  const pools = new Tally();
  const maxOfTenant = Math.max(1, Math.floor(options.maxOrigins / 8));
  // Only the last part may contain blanks.
  const keyOf = ({ url, address, tenant }: SafeFetchTarget) => `${url.origin} ${address} ${tenant}`;

  function take(target: SafeFetchTarget): Kept {
    const key = keyOf(target);
    const found = kept.get(key) ?? opened(target);
    kept.delete(key);
    kept.set(key, found);
    found.inUse++;
    return found;
  }

  function opened(target: SafeFetchTarget): Kept {
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

  /** Least recently used first. Pools in use stay, so more may be in use than are kept. */
  function forgetSome(tenant: string): void {
    const tooManyOwn = pools.of(tenant) - maxOfTenant;
    if (tooManyOwn > 0) forget(tooManyOwn, (each) => each.tenant === tenant);
    forget(kept.size - options.maxOrigins, () => true);
  }

  function forget(tooMany: number, isMeant: (each: Kept) => boolean): void {
    let left = tooMany;
    for (const [key, each] of kept) {
      if (left <= 0) return;
      if (each.inUse > 0 || !isMeant(each)) continue;
      kept.delete(key);
      pools.remove(each.tenant);
      each.client.close();
      left--;
    }
  }

  return {
    knows: (target) => (kept.get(keyOf(target))?.client.stats().open ?? 0) > 0,
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
      for (const { client, tenant } of kept.values()) {
        client.close();
        pools.remove(tenant);
      }
      kept.clear();
    },
    stats() {
      let open = 0;
      for (const { client } of kept.values()) open += client.stats().open;
      return { origins: kept.size, open };
    },
  };
}
