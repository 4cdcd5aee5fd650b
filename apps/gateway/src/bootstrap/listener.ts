/** Opens the listening socket, and determines the address at which callers reach the gateway. */

import { createRequestIds } from '@flowgate/base/ids';
import { createAddressRanges } from '@flowgate/http1/safe-fetch/address-ranges';
import { type HttpServer, startHttpServer } from '@flowgate/http1/server/http-server';
import type { RequestHandler } from '@flowgate/http1/server/request-handler';
import { createWaitingBytes } from '@flowgate/http1/server/waiting-bytes';
import type { WriteLimits } from '@flowgate/http1/server/write-pace';
import type { Config } from '../config/config.ts';
import { subscriberOf } from '../edge/contexts/client-address.ts';
import { type GatewayServer, openServer } from '../edge/gateway-server.ts';
import { createRequestMeter, type RequestMeter } from '../edge/meters/request-meter.ts';
import { createUsageMeter } from '../edge/meters/usage-meter.ts';
import { type ModuleHooks, moduleHooks } from './open-modules.ts';
import type { Tls } from './open-tls.ts';
import type { Usage } from './open-usage.ts';
import type { Runtime } from './runtime.ts';

export type Listener = {
  readonly server: GatewayServer;
  /** The address at which callers reach this gateway: as configured, otherwise where it listens. */
  readonly url: string;
  readonly hooks: ModuleHooks;
};

/** @throws with a message for the operator when the port is taken. */
/** The file descriptor under which a worker finds its listening socket: the first after the standard ones. */
const inheritedListenFd = 3;

export function openListener(
  config: Config,
  runtime: Runtime,
  { tls, usage }: { readonly tls: Tls; readonly usage: Usage },
): Listener {
  const { host, ...configured } = config.server;
  const server = openServer({
    listen: (handler, failed) => listen(config, runtime, tls, handler, failed),
    requestLogging: config.log.requests,
    clock: runtime.clock,
    log: runtime.log,
    newRequestId: createRequestIds(runtime.randomBytes),
    meter: meterOf(runtime, usage),
  });
  runtime.instruments?.connections.add([], server.connections);
  return {
    server,
    url:
      configured.publicUrl ??
      `${tls.settings === undefined ? 'http' : 'https'}://${host.includes(':') ? `[${host}]` : host}:${server.port}`,
    hooks: moduleHooks({
      drain: (handsOver) => server.drain(configured.drainSeconds * 1000, handsOver),
      close: server.close,
    }),
  };
}

/** Usage is always counted; metrics only when they are exposed. */
function meterOf({ instruments, clock }: Runtime, { count }: Usage): RequestMeter {
  const countUse = createUsageMeter(count, clock);
  if (instruments === undefined) return countUse;
  const measure = createRequestMeter(instruments, clock);
  return (context) => {
    measure(context);
    countUse(context);
  };
}

export function writeLimits(server: Config['server']): WriteLimits {
  return {
    writeMs: server.writeTimeoutSeconds * 1000,
    minWriteBytesPerSecond: server.minWriteBytesPerSecond,
    maxWriteMs: server.maxWriteSeconds * 1000,
  };
}

/** Milliseconds for the rest of a body whose request was answered before the body was complete. */
const discardMs = 4_000;

function listen(
  { server }: Config,
  { clock, turns, log, worker, instruments }: Runtime,
  tls: Tls,
  handler: RequestHandler,
  failed: (cause: unknown) => void,
): HttpServer {
  const trusted = createAddressRanges(server.trustedProxies);
  const refusals = instruments && {
    address: instruments.waitingRefused.with('address'),
    process: instruments.waitingRefused.with('process'),
  };
  const waitingBytes = createWaitingBytes({ clock, log, refused: (bound) => refusals?.[bound].add() });
  instruments?.waitingBytes.add([], () => waitingBytes.reservedBytes);
  return startHttpServer({
    hostname: server.host,
    port: server.port,
    fd: worker === undefined ? undefined : inheritedListenFd,
    handler,
    failed,
    tls: tls.settings,
    clock,
    turns,
    waitingBytes,
    timeouts: {
      headMs: server.headTimeoutSeconds * 1000,
      idleMs: server.idleTimeoutSeconds * 1000,
      ...writeLimits(server),
      discardMs,
    },
    maxConnections: server.maxConnections,
    maxConnectionsPerAddress: server.maxConnectionsPerAddress,
    isTrusted: (address) => trusted.holds(address),
    ownerOf: subscriberOf,
  });
}
