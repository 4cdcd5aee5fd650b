/** The runtime's own HTTP server as an engine of the gateway. */

import http from 'node:http';
import { FetchRequest } from './fetch-request.ts';
import { toResponse } from './fetch-response.ts';
import type { HttpEngine } from './gateway-server.ts';
import type { OutgoingReply } from './incoming-request.ts';
import { smallBodyBytes } from './request-body.ts';
import type { RequestHandler } from './server/request-handler.ts';

export type RuntimeServerOptions = {
  readonly hostname: string;
  readonly port: number;
  /** Seconds within which a body must have arrived. */
  readonly bodyTimeoutSeconds: number;
  readonly handler: RequestHandler;
  readonly failed: (cause: unknown) => void;
};

/** Longer than any call to a node may take, so that the runtime never closes a connection that waits for one. */
const idleTimeoutSeconds = 255;
/** For the end of an answer that went on; a caller who reads has it at once. */
const fetchingTheRestSeconds = 4;
/**
 * For the rest of a large body whose request was refused meanwhile: it is thrown away, because a connection that is reset under a caller who still sends loses the answer
 * (RFC 9112, 9.6), and after this long the connection is closed.
 */
const discardingSeconds = 4;
/** The runtime's longest. */
const longestTimeoutSeconds = 255;
/** Bodies are limited by the edge, whose 413 has an envelope; the runtime's own has none. */
const maxRequestBodySize = Number.MAX_SAFE_INTEGER;

/**
 * Of a request's head, for the whole process: four times the runtime's own limit, so that whatever header this gateway reads is refused with a reason where it is too long. What is larger
 * still is answered by the runtime, with an empty 431.
 */
export const maxHeadBytes = 65_536;

/** Throws when the port is taken. */
export function startRuntimeServer(options: RuntimeServerOptions): HttpEngine {
  const { hostname, port, bodyTimeoutSeconds, handler, failed } = options;
  // Holds for the rest of this body only: with the next request on the connection the runtime goes back to its idle time-out.
  const discardRest = (request: Request, announced: number): void => {
    const seconds = announced > smallBodyBytes ? discardingSeconds : Math.ceil(bodyTimeoutSeconds);
    server.timeout(request, Math.min(seconds, longestTimeoutSeconds));
  };
  const respond = (incoming: FetchRequest, reply: OutgoingReply): Response => {
    const { announced } = incoming.body;
    // What nobody has read to its end may still be coming.
    if (reply.status >= 400 && announced > 0 && !incoming.body.isRead) discardRest(incoming.request, announced);
    return toResponse(reply);
  };

  Object.assign(http, { maxHeaderSize: maxHeadBytes });
  const server = Bun.serve({
    hostname,
    port,
    idleTimeout: idleTimeoutSeconds,
    maxRequestBodySize,
    fetch(request) {
      // The runtime counts what the caller sends only: its time-out would end every stream.
      const incoming = new FetchRequest(request, () => server.requestIP(request)?.address ?? '', {
        keepOpen: () => server.timeout(request, 0),
        letGo: () => server.timeout(request, fetchingTheRestSeconds),
        rest: () => server.timeout(request, idleTimeoutSeconds),
      });
      const reply = handler.handle(incoming);
      return reply instanceof Promise ? reply.then((told) => respond(incoming, told)) : respond(incoming, reply);
    },
    error(cause) {
      failed(cause);
      return new Response(null, { status: 500 });
    },
  });
  return {
    port: server.port ?? port,
    async stop(timeoutMs) {
      await Promise.race([server.stop(timeoutMs === 0), Bun.sleep(timeoutMs)]);
      const cutOff = server.pendingRequests;
      if (cutOff > 0) await server.stop(true);
      return cutOff;
    },
  };
}
