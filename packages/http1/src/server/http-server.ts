/**
 * Listens: accepts connections within their bounds, creates a `ServerConnection` for each, ends connections that exceed
 * their time-outs, and stops without losing an answer. Longer than other files, because accepting, handing over and
 * ending share the state of one listener.
 */

import { settledWithin } from '@flowgate/async/bounded-waits';
import type { TurnBudget } from '@flowgate/async/turn-budget';
import type { Clock } from '@flowgate/base/clock';
import type { Socket, SocketHandler, TCPSocketListener, TCPSocketListenOptions } from 'bun';
import type { ConnectionTimeouts, ServerSocket } from './connection-owner.ts';
import { listenFailure } from './listen-failure.ts';
import type { RequestHandler } from './request-handler.ts';
import { ServerConnection } from './server-connection.ts';
import { dateLine } from './status-line.ts';
import type { TakenConnection } from './taken-connection.ts';
import type { WaitingBytes } from './waiting-bytes.ts';

/** TLS settings: certificate chain and key as PEM, ciphers and options as OpenSSL names them. */
export type ServerTls = {
  readonly cert: string;
  readonly key: string;
  readonly ciphers: string;
  readonly secureOptions: number;
};

export type HttpServerOptions = {
  readonly hostname: string;
  /** 0 means any free port. */
  readonly port: number;
  /** A listening socket that this process inherited from the process that started it. The socket has the port. */
  readonly fd?: number | undefined;
  readonly handler: RequestHandler;
  /** Called for each connection, so that a new certificate applies from the next connection on. Without it the server speaks plain HTTP. */
  readonly tls?: (() => ServerTls) | undefined;
  readonly timeouts: ConnectionTimeouts;
  /** The maximum number of concurrent connections; further ones are closed as soon as they are accepted. */
  readonly maxConnections: number;
  readonly maxConnectionsPerAddress: number;
  /** Trusted proxies carry the connections of all callers, so connections from their addresses are not limited. */
  readonly isTrusted: (address: string) => boolean;
  /**
   * Charged for waiting bytes of all connections: each address has its share, and each connection of a trusted proxy a
   * share of its own.
   */
  readonly waitingBytes: WaitingBytes;
  /** Maps an address to the owner that its connections count for; by default the address itself. */
  readonly ownerOf?: (address: string) => string;
  readonly clock: Clock;
  /** Requests are read within this budget of the event loop. */
  readonly turns: TurnBudget;
  /** Called when a handler or the TLS settings fail, which is a bug. */
  readonly failed: (cause: unknown) => void;
};

export type HttpServer = {
  readonly port: number;
  readonly connections: () => number;
  /** From now on each connection closes as soon as no request is in flight on it; new ones are still accepted. */
  readonly drain: () => void;
  /**
   * Accepts no new connections and loses no call: each connection closes after its next answer, or after five seconds
   * without a request. Resolves when all are closed, or after `timeoutMs`.
   */
  readonly handOver: (timeoutMs: number) => Promise<void>;
  /** Accepts no new connections, closes idle ones, and waits for the others for up to `timeoutMs`. Then it terminates those that are left, and returns how many of them were answering. */
  readonly stop: (timeoutMs: number) => Promise<number>;
};

/** The interval at which time-outs are checked and the clock is read, so that no request reads the clock. */
const checkEveryMs = 500;

/**
 * How long a connection without a request stays open while another process takes over: callers expect idle keep-alive
 * connections to be closed after such a time.
 */
const handOverIdleMs = 5_000;

type Attached = { connection: ServerConnection | TakenConnection | undefined; address: string };

/** @throws when the port is taken. */
export function startHttpServer(options: HttpServerOptions): HttpServer {
  const { handler, timeouts, clock, maxConnections, maxConnectionsPerAddress, isTrusted, failed } = options;
  const ownerOf = options.ownerOf ?? ((address: string) => address);
  let accepted = 0;
  const open = new Set<ServerConnection>();
  /** Connections after an upgrade to another protocol. They count like the others. */
  const taken = new Set<TakenConnection>();
  const ofAddress = new Map<string, number>();
  let isDraining = false;
  let isHandingOver = false;
  let onEmpty: () => void = () => {};
  let nowMs = clock.monotonic();
  let date = dateLine(clock.now());
  const parts = {
    handler,
    timeouts,
    waitingBytes: options.waitingBytes,
    failed,
    turns: options.turns,
    nowMs: () => nowMs,
    dateLine: () => date,
    isDraining: () => isDraining,
    isHandingOver: () => isHandingOver,
  };

  function admits(address: string): boolean {
    if (open.size + taken.size >= maxConnections) return false;
    return (ofAddress.get(ownerOf(address)) ?? 0) < maxConnectionsPerAddress || isTrusted(address);
  }

  function leave(connection: ServerConnection | TakenConnection, address: string): void {
    if (!(connection instanceof ServerConnection ? open.delete(connection) : taken.delete(connection))) return;
    const owner = ownerOf(address);
    const left = (ofAddress.get(owner) ?? 1) - 1;
    if (left > 0) ofAddress.set(owner, left);
    else ofAddress.delete(owner);
    if (open.size + taken.size === 0) onEmpty();
  }

  function pass(from: ServerConnection, to: TakenConnection): void {
    open.delete(from);
    taken.add(to);
  }

  const traffic: SocketHandler<Attached> = {
    data: (socket, piece) => socket.data.connection?.data(piece),
    drain: (socket) => socket.data.connection?.drain(),
    end: (socket) => socket.data.connection?.end(),
    close(socket) {
      const { connection } = socket.data;
      if (connection === undefined) return;
      connection.closed();
      leave(connection, socket.data.address);
    },
    error: (socket) => socket.data.connection?.terminate(),
  };

  /**
   * Settings that TLS cannot use are a bug. Only this connection is terminated: left open, it would exceed every bound
   * and time-out.
   */
  function trySecure(socket: Socket<Attached>, settings: () => ServerTls): Socket<Attached> | undefined {
    try {
      return secured(socket, settings(), traffic);
    } catch (cause) {
      failed(cause);
      socket.terminate();
      return undefined;
    }
  }

  const listener = listen({
    hostname: options.hostname,
    port: options.port,
    // Missing in the runtime's types (docs/decisions/0069).
    ...(options.fd === undefined ? {} : { fd: options.fd }),
    allowHalfOpen: true,
    data: { connection: undefined, address: '' },
    socket: {
      open(socket) {
        socket.data = { connection: undefined, address: '' };
        // A socket that was reset before it was accepted has no address.
        const address: string | undefined = socket.remoteAddress;
        if (address === undefined || !admits(address)) {
          socket.terminate();
          return;
        }
        // The connection counts, and its head time-out runs, from here on: a handshake is bounded like a head.
        const carrying = options.tls === undefined ? socket : trySecure(socket, options.tls);
        if (carrying === undefined) return;
        const owner = isTrusted(address) ? `proxy ${++accepted}` : ownerOf(address);
        const connection = new ServerConnection(new CarryingSocket(carrying, address, owner, pass), parts);
        carrying.data.connection = connection;
        carrying.data.address = address;
        open.add(connection);
        ofAddress.set(ownerOf(address), (ofAddress.get(ownerOf(address)) ?? 0) + 1);
      },
      ...traffic,
    },
  });
  const timer = setInterval(() => {
    nowMs = clock.monotonic();
    date = dateLine(clock.now());
    for (const connection of open) connection.check(nowMs);
    for (const connection of taken) connection.check(nowMs);
  }, checkEveryMs);
  timer.unref();

  async function empty(withinMs: number): Promise<void> {
    if (open.size + taken.size === 0) return;
    const gone = Promise.withResolvers<void>();
    onEmpty = gone.resolve;
    await settledWithin(withinMs, gone.promise);
  }

  const drain = () => {
    isDraining = true;
    for (const connection of open) connection.drainAndClose();
  };

  return {
    // The runtime does not report the port of an inherited socket.
    port: options.fd === undefined ? listener.port : options.port,
    connections: () => open.size + taken.size,
    drain,
    async handOver(timeoutMs) {
      listener.stop(false);
      isHandingOver = true;
      for (const connection of open) connection.leaveWithin(handOverIdleMs);
      await empty(timeoutMs);
    },
    async stop(timeoutMs) {
      listener.stop(false);
      drain();
      await empty(timeoutMs);
      let cutOff = 0;
      for (const connection of [...open, ...taken]) {
        if (connection.isAnswering) cutOff += 1;
        connection.terminate();
      }
      clearInterval(timer);
      return cutOff;
    },
  };
}

function listen(options: TCPSocketListenOptions<Attached> & { readonly fd?: number }): TCPSocketListener<Attached> {
  try {
    return Bun.listen(options);
  } catch (cause) {
    throw listenFailure(options.hostname, options.port, cause);
  }
}

/** The ALPN protocol list (RFC 7301 3.1): each name is preceded by its length. */
const onlyHttp1 = '\x08http/1.1';

/**
 * The runtime's types know only clients; its own `node:tls` passes `isServer` as well. Each connection has its own
 * settings, because those of a listener cannot be changed.
 */
function secured(socket: Socket<Attached>, tls: ServerTls, handlers: SocketHandler<Attached>): Socket<Attached> {
  const data: Attached = { connection: undefined, address: '' };
  const upgrade = { isServer: true, data, tls: { ...tls, ALPNProtocols: onlyHttp1 }, socket: handlers };
  const [, carrying] = socket.upgradeTLS(upgrade);
  return carrying;
}

/** A socket of the runtime. The address is read once: a closed socket has none. */
class CarryingSocket implements ServerSocket {
  constructor(
    private readonly socket: Socket<Attached>,
    readonly remoteAddress: string,
    readonly owner: string,
    private readonly passed: (from: ServerConnection, to: TakenConnection) => void,
  ) {}

  write(bytes: string | Uint8Array): number {
    return this.socket.write(bytes);
  }

  writeRange(bytes: Uint8Array, from: number, length: number): number {
    return this.socket.write(bytes, from, length);
  }

  end(): void {
    this.socket.end();
  }

  shutdown(): void {
    this.socket.shutdown();
  }

  terminate(): void {
    this.socket.terminate();
  }

  pause(): void {
    this.socket.pause();
  }

  resume(): void {
    this.socket.resume();
  }

  pass(to: TakenConnection): void {
    const from = this.socket.data.connection;
    this.socket.data.connection = to;
    if (from instanceof ServerConnection) this.passed(from, to);
  }
}
