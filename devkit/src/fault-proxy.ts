/** A TCP proxy with network faults for tests and drills: latency, stalls, resets and half-open connections. */

import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export type Fault =
  /** Forwards everything. */
  | { readonly kind: 'none' }
  /** Each piece arrives this much later, in each direction. */
  | { readonly kind: 'latency'; readonly ms: number }
  /** Accepts connections and drops all bytes, in both directions. */
  | { readonly kind: 'blackhole' }
  /** Requests reach the server; its answers are dropped. */
  | { readonly kind: 'drop-replies' }
  /** New connections are reset at once. */
  | { readonly kind: 'reset' };

export type FaultProxy = {
  readonly port: number;
  /** Applies to open connections and to new ones. */
  readonly set: (fault: Fault) => void;
  /** Resets each open connection. */
  readonly resetAll: () => void;
  /** Closes the server side of each open connection without notice to the client (half-open). */
  readonly halfOpen: () => void;
  /** Number of connections accepted so far. */
  readonly accepted: () => number;
  /** All bytes that clients have sent so far, as Latin-1 text, forwarded or not. */
  readonly requests: () => string;
  readonly close: () => void;
};

type Pair = { readonly client: Socket; readonly server: Socket; mute: boolean };

/** Listens on a free port of 127.0.0.1 and forwards to `targetPort` there. `keep` records the bytes for `requests`. */
export async function startFaultProxy(targetPort: number, { keep = false } = {}): Promise<FaultProxy> {
  let fault: Fault = { kind: 'none' };
  let accepted = 0;
  let requests = '';
  const pairs = new Set<Pair>();
  const lastDueAtMs = new WeakMap<Socket, number>();

  const listener = createServer((client) => {
    accepted += 1;
    client.on('error', () => client.destroy());
    if (fault.kind === 'reset') {
      client.resetAndDestroy();
      return;
    }
    const pair: Pair = { client, server: connect(targetPort, '127.0.0.1'), mute: false };
    pairs.add(pair);
    client.setNoDelay(true);
    pair.server.setNoDelay(true);
    client.on('data', (piece: Buffer) => {
      if (keep) requests += piece.toString('latin1');
      if (fault.kind !== 'blackhole') pass(piece, client, pair.server);
    });
    pair.server.on('data', (piece: Buffer) => {
      if (fault.kind !== 'blackhole' && fault.kind !== 'drop-replies') pass(piece, pair.server, client);
    });
    pair.server.on('error', () => pair.server.destroy());
    client.on('close', () => {
      pair.server.destroy();
      pairs.delete(pair);
    });
    pair.server.on('close', () => {
      if (!pair.mute) client.destroy();
    });
  });

  /** Chunks stay in order even when the latency changes while some are in flight. */
  function pass(piece: Buffer, from: Socket, to: Socket): void {
    const write = () => {
      if (to.destroyed || to.write(piece)) return;
      from.pause();
      to.once('drain', () => from.resume());
    };
    const now = performance.now();
    const dueAtMs = Math.max(now + (fault.kind === 'latency' ? fault.ms : 0), lastDueAtMs.get(to) ?? 0);
    if (dueAtMs <= now) {
      write();
      return;
    }
    lastDueAtMs.set(to, dueAtMs);
    setTimeout(write, dueAtMs - now);
  }

  const listening = Promise.withResolvers<void>();
  listener.once('error', listening.reject);
  listener.listen(0, '127.0.0.1', listening.resolve);
  await listening.promise;
  return {
    port: portOf(listener.address()),
    set: (next) => {
      fault = next;
    },
    resetAll: () => {
      for (const { client } of pairs) client.resetAndDestroy();
    },
    halfOpen: () => {
      for (const pair of pairs) {
        pair.mute = true;
        pair.server.destroy();
      }
    },
    accepted: () => accepted,
    requests: () => requests,
    close: () => {
      listener.close();
      for (const { client } of pairs) client.destroy();
    },
  };
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('not a TCP listener');
  return address.port;
}
