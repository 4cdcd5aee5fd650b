/** The HTTP/1.1 server alone, without a gateway behind it, on a free port of loopback. */

import { TurnBudget } from '@flowgate/async/turn-budget';
import { systemClock } from '@flowgate/base/clock';
import { ByteBudget } from '@flowgate/bytes/byte-budget';
import { type HttpServer, type HttpServerOptions, startHttpServer } from '@flowgate/http1/server/http-server';

/** No limit and no time-out is reached within a test unless `more` sets one; a fault of the server is thrown. */
export function startBareServer(
  handler: HttpServerOptions['handler'],
  more: Partial<HttpServerOptions> = {},
): HttpServer {
  return startHttpServer({
    hostname: '127.0.0.1',
    port: 0,
    handler,
    timeouts: {
      headMs: 60_000,
      idleMs: 60_000,
      writeMs: 60_000,
      minWriteBytesPerSecond: 8_192,
      maxWriteMs: 600_000,
      discardMs: 60_000,
    },
    maxConnections: 1_000,
    maxConnectionsPerAddress: 1_000,
    isTrusted: () => false,
    waitingBytes: new ByteBudget({ totalBytes: 1_000_000_000, ownerBytes: 1_000_000_000 }),
    clock: systemClock,
    turns: new TurnBudget(systemClock),
    failed: (cause) => {
      throw cause;
    },
    ...more,
  });
}
