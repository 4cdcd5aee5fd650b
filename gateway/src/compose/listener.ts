/** The listening socket, and the address by which the gateway is reached. */

import type { Config } from '../config/config.ts';
import { type GatewayServer, openServer } from '../http/server.ts';
import { createRequestIds } from '../platform/request-id.ts';
import { type Part, part } from './part.ts';
import type { Surroundings } from './surroundings.ts';

export type Listener = {
  readonly server: GatewayServer;
  /** Where callers reach this gateway: as configured, otherwise where it listens. */
  readonly url: string;
  readonly part: Part;
};

/** Throws with a message for the operator when the port is taken. */
export function openListener({ server: { host, ...configured }, log }: Config, surroundings: Surroundings): Listener {
  const server = openServer({
    hostname: host,
    port: configured.port,
    requestLogging: log.requests,
    bodyTimeoutSeconds: configured.bodyTimeoutSeconds,
    clock: surroundings.clock,
    log: surroundings.log,
    newRequestId: createRequestIds(surroundings.randomBytes),
  });
  return {
    server,
    url: configured.publicUrl ?? `http://${host.includes(':') ? `[${host}]` : host}:${server.port}`,
    part: part({
      drain: () => server.drain(configured.drainSeconds * 1000),
      close: server.close,
    }),
  };
}
