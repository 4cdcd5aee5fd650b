/** The kept connections of `safe-fetch`: one client for each origin and vetted address, as many as are worth keeping. */

import type { Deadlines } from './deadlines.ts';
import { createHttp1Client, type Http1Client, type Http1Reply } from './http1-client.ts';
import type { WholeRequest } from './http1-request.ts';

export type SafeFetchPools = {
  /** Whether a connection to this address of the origin is being kept. */
  readonly knows: (url: URL, address: string) => boolean;
  readonly send: (url: URL, address: string, request: WholeRequest) => Promise<Http1Reply>;
  readonly close: () => void;
  readonly stats: () => { origins: number; open: number };
};

type Kept = { readonly client: Http1Client; inUse: number };

export type SafeFetchPoolOptions = {
  readonly deadlines: Deadlines;
  /** PEM; replaces the well-known authorities. */
  readonly ca?: string;
  /** Origins whose connections are kept when nothing is under way. */
  readonly maxOrigins: number;
  readonly maxConnectionsPerOrigin: number;
};

const CONNECT_TIMEOUT_MS = 3_000;
/** Long enough for the next step of somebody who reads the last one, short enough for address changes to be seen. */
const IDLE_TIMEOUT_MS = 20_000;
/** Never used: every request brings its own. */
const UNUSED_TIMEOUT_MS = 10_000;

export function createSafeFetchPools(options: SafeFetchPoolOptions): SafeFetchPools {
  /** In the order of their last use. */
  const kept = new Map<string, Kept>();
  const keyOf = (url: URL, address: string) => `${url.origin} ${address}`;

  function take(url: URL, address: string): Kept {
    const key = keyOf(url, address);
    const found = kept.get(key) ?? { client: open(url, address), inUse: 0 };
    kept.delete(key);
    kept.set(key, found);
    found.inUse++;
    return found;
  }

  function open(url: URL, address: string): Http1Client {
    return createHttp1Client({
      url: url.origin,
      address,
      deadlines: options.deadlines,
      connectTimeoutMs: CONNECT_TIMEOUT_MS,
      idleTimeoutMs: IDLE_TIMEOUT_MS,
      timeoutMs: UNUSED_TIMEOUT_MS,
      maxConnections: options.maxConnectionsPerOrigin,
      ...(options.ca === undefined ? {} : { tls: { ca: options.ca } }),
    });
  }

  /** The longest unused go first; what is in use stays, so that under way may be more than are kept. */
  function forgetSome(): void {
    for (const [key, { client, inUse }] of kept) {
      if (kept.size <= options.maxOrigins) return;
      if (inUse > 0) continue;
      kept.delete(key);
      client.close();
    }
  }

  return {
    knows: (url, address) => (kept.get(keyOf(url, address))?.client.stats().open ?? 0) > 0,
    async send(url, address, request) {
      const taken = take(url, address);
      try {
        return await taken.client.send(request);
      } finally {
        taken.inUse--;
        forgetSome();
      }
    },
    close() {
      for (const { client } of kept.values()) client.close();
      kept.clear();
    },
    stats() {
      let open = 0;
      for (const { client } of kept.values()) open += client.stats().open;
      return { origins: kept.size, open };
    },
  };
}
