/** Listens: takes connections within their bounds, gives each its reader, ends what lasts too long, and stops without losing an answer. */

import type { Socket, SocketHandler, TCPSocketListener, TCPSocketListenOptions } from 'bun';
import type { Clock } from '../../platform/clock.ts';
import { listenFailure } from '../../platform/listen-failure.ts';
import type { RequestHandler } from './request-handler.ts';
import { type ConnectionTimeouts, ServerConnection, type ServerSocket } from './server-connection.ts';
import { dateLine } from './status-line.ts';

/** What TLS needs, as PEM and as OpenSSL calls it. */
export type ServerTls = {
  readonly cert: string;
  readonly key: string;
  readonly ciphers: string;
  readonly secureOptions: number;
};

export type HttpServerOptions = {
  readonly hostname: string;
  /** 0: any that is free. */
  readonly port: number;
  /** Other processes of this user listen at the same port: each connection comes to one of them (SO_REUSEPORT). */
  readonly sharesPort?: boolean;
  readonly handler: RequestHandler;
  /** Asked for each connection, so that a new certificate is shown from the next one on. Without it plain HTTP is spoken. */
  readonly tls?: (() => ServerTls) | undefined;
  readonly timeouts: ConnectionTimeouts;
  /** Connections at once; more are closed as soon as they are there. */
  readonly maxConnections: number;
  readonly maxConnectionsPerAddress: number;
  /** Proxies bring everybody's connections: their addresses are not bounded. */
  readonly isTrusted: (address: string) => boolean;
  /** Which addresses are one; each for itself unless told. */
  readonly ownerOf?: (address: string) => string;
  readonly clock: Clock;
  /** A handler failed, which is a bug. */
  readonly failed: (cause: unknown) => void;
};

export type HttpServer = {
  readonly port: number;
  readonly connections: () => number;
  /** From now on each connection closes as soon as nothing is under way on it; new ones are still taken. */
  readonly drain: () => void;
  /** Takes no new connections, closes idle ones, waits until the others have ended or `timeoutMs` are over, then ends those and answers how many were answering. */
  readonly stop: (timeoutMs: number) => Promise<number>;
};

/** How often it is looked for what lasts too long, and at the clock: no request asks for the time. */
const checkEveryMs = 500;

type Attached = { connection: ServerConnection | undefined };

/** Throws when the port is taken. */
export function startHttpServer(options: HttpServerOptions): HttpServer {
  const { handler, timeouts, clock, maxConnections, maxConnectionsPerAddress, isTrusted, failed } = options;
  const ownerOf = options.ownerOf ?? ((address: string) => address);
  const open = new Set<ServerConnection>();
  const ofAddress = new Map<string, number>();
  let isDraining = false;
  let onEmpty: () => void = () => {};
  let nowMs = clock.monotonic();
  let date = dateLine(clock.now());
  const parts = {
    handler,
    timeouts,
    failed,
    nowMs: () => nowMs,
    dateLine: () => date,
    isDraining: () => isDraining,
  };

  function admits(address: string): boolean {
    if (open.size >= maxConnections) return false;
    return (ofAddress.get(ownerOf(address)) ?? 0) < maxConnectionsPerAddress || isTrusted(address);
  }

  function leave(connection: ServerConnection, address: string): void {
    if (!open.delete(connection)) return;
    const owner = ownerOf(address);
    const left = (ofAddress.get(owner) ?? 1) - 1;
    if (left > 0) ofAddress.set(owner, left);
    else ofAddress.delete(owner);
    if (open.size === 0) onEmpty();
  }

  const traffic: SocketHandler<Attached> = {
    data: (socket, piece) => socket.data.connection?.data(piece),
    drain: (socket) => socket.data.connection?.drain(),
    end: (socket) => socket.data.connection?.end(),
    close(socket) {
      const { connection } = socket.data;
      if (connection === undefined) return;
      connection.closed();
      leave(connection, connection.peer);
    },
    error: (socket) => socket.data.connection?.terminate(),
  };

  /** Settings that TLS does not take are a bug: nobody else's connection suffers, and this one is not left open without anybody to count it. */
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
    reusePort: options.sharesPort === true,
    allowHalfOpen: true,
    data: { connection: undefined },
    socket: {
      open(socket) {
        socket.data = { connection: undefined };
        // There is none of a socket that was reset while it waited to be taken.
        const address: string | undefined = socket.remoteAddress;
        if (address === undefined || !admits(address)) {
          socket.terminate();
          return;
        }
        // From here on it counts, and its time runs: who never ends the handshake has sent no head either.
        const carrying = options.tls === undefined ? socket : trySecure(socket, options.tls);
        if (carrying === undefined) return;
        const connection = new ServerConnection(serverSocket(carrying, address), parts);
        carrying.data.connection = connection;
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
  }, checkEveryMs);
  timer.unref();

  const drain = () => {
    isDraining = true;
    for (const connection of open) connection.drainAndClose();
  };

  return {
    port: listener.port,
    connections: () => open.size,
    drain,
    async stop(timeoutMs) {
      listener.stop(false);
      drain();
      if (open.size > 0) {
        const empty = new Promise<void>((resolve) => {
          onEmpty = resolve;
        });
        await Promise.race([empty, Bun.sleep(timeoutMs)]);
      }
      let cutOff = 0;
      for (const connection of [...open]) {
        if (connection.isAnswering) cutOff += 1;
        connection.terminate();
      }
      clearInterval(timer);
      return cutOff;
    },
  };
}

function listen(
  options: TCPSocketListenOptions<Attached> & { readonly reusePort: boolean },
): TCPSocketListener<Attached> {
  try {
    return Bun.listen(options);
  } catch (cause) {
    throw listenFailure(options.hostname, options.port, cause);
  }
}

/** RFC 7301 3.1: names with their lengths before them. */
const onlyHttp1 = '\x08http/1.1';

/** The runtime's types know of clients only; `isServer` is what its own `node:tls` says. Each connection has its own settings, which its listener could not change. */
function secured(socket: Socket<Attached>, tls: ServerTls, handlers: SocketHandler<Attached>): Socket<Attached> {
  const data: Attached = { connection: undefined };
  const upgrade = { isServer: true, data, tls: { ...tls, ALPNProtocols: onlyHttp1 }, socket: handlers };
  const [, carrying] = socket.upgradeTLS(upgrade);
  return carrying;
}

/** The address is asked once: of a socket that is gone there is none. */
function serverSocket(socket: Socket<Attached>, remoteAddress: string): ServerSocket {
  return {
    remoteAddress,
    write: (bytes) => socket.write(bytes),
    writeRange: (bytes, from, length) => socket.write(bytes, from, length),
    end: () => void socket.end(),
    shutdown: () => socket.shutdown(),
    terminate: () => socket.terminate(),
    pause: () => void socket.pause(),
    resume: () => void socket.resume(),
  };
}
