/** The listening process: request ids, the count of calls in flight, the one catch for bugs, the request log, and a drain that loses nothing. */

import http from 'node:http';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import { createAnswerFailure, describe } from './answer-failure.ts';
import type { Connections } from './connections.ts';
import type { Edge } from './edge.ts';
import { announcedBytes, isLargeBody } from './request-body.ts';
import type { RequestContext } from './request-context.ts';
import { isKeepableRequestId } from './shown-secret.ts';

export type RequestLogging = 'all' | 'failures' | 'none';

export type ServerOptions = {
  readonly hostname: string;
  readonly port: number;
  readonly requestLogging: RequestLogging;
  /** Seconds within which a body must have arrived. */
  readonly bodyTimeoutSeconds: number;
  readonly clock: Clock;
  readonly log: Log;
  readonly newRequestId: () => string;
};

export type GatewayServer = Connections & {
  readonly port: number;
  /** False once the drain has begun. */
  readonly accepting: () => boolean;
  /** From now on requests are answered by `edge`. What came before waits for this. */
  readonly serve: (edge: Edge) => void;
  /** Settles when the calls in flight were answered and their answers have left, or after `timeoutMs`, with how many were cut off; the edge refuses new ones meanwhile. */
  readonly drain: (timeoutMs: number) => Promise<number>;
  /** After a drain nothing is left to do; without one every connection is cut off, with whatever waits for an answer. */
  readonly close: () => Promise<void>;
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
 * A load balancer sends callers here until its probes have failed; closing the port before would reset connections that are just being made. Nobody turned away for this
 * long means that it has noticed.
 */
const quietBeforeClosingMs = 500;
/** A caller who comes again and again without a load balancer is not waited for. */
const longestQuietWaitMs = 5_000;

/**
 * Of a request's head, for the whole process: four times the runtime's own limit, so that whatever header this gateway reads is refused with a reason where it is too long. What is larger
 * still is answered by the runtime, with an empty 431.
 */
export const maxHeadBytes = 65_536;

/** Listens, so that the port is known before anything that names it is made; `serve` begins to answer. */
export function openServer({
  hostname,
  port,
  requestLogging,
  bodyTimeoutSeconds,
  clock,
  log,
  newRequestId,
}: ServerOptions): GatewayServer {
  let inFlight = 0;
  let draining = false;
  const idle = Promise.withResolvers<void>();
  let turnedAwayMs = 0;

  const settle = (context: RequestContext, response: Response, startedMs: number): Response => {
    inFlight -= 1;
    context.freeBody?.();
    // What nobody has read to its end may still be coming.
    if (!context.bodyIsRead && response.status >= 400 && announcedBytes(context) > 0) discardRest(context);
    if (draining && inFlight === 0) idle.resolve();
    // Only the refusals of a drain say so; probes go on to the end and do not count.
    if (draining && response.headers.has('connection')) turnedAwayMs = clock.monotonic();
    if (requestLogging === 'all' || (requestLogging === 'failures' && response.status >= 500))
      log.info('request', {
        requestId: context.requestId,
        method: context.method,
        path: context.shownPath,
        status: response.status,
        ms: Math.round((clock.monotonic() - startedMs) * 1000) / 1000,
      });
    return response;
  };
  const failed = createAnswerFailure(log);
  // Holds for the rest of this body only: with the next request on the connection the runtime goes back to its idle time-out.
  const discardRest = (context: RequestContext): void => {
    const seconds = isLargeBody(context) ? discardingSeconds : Math.ceil(bodyTimeoutSeconds);
    server.timeout(context.request, Math.min(seconds, longestTimeoutSeconds));
  };

  const answer = (edge: Edge, request: Request): Response | Promise<Response> => {
    const startedMs = clock.monotonic();
    const incomingId = request.headers.get('x-request-id');
    const context = edge.open(
      request,
      incomingId !== null && isKeepableRequestId(incomingId) ? incomingId : newRequestId(),
    );
    inFlight += 1;
    try {
      const answered = edge.answer(context);
      if (!(answered instanceof Promise)) return settle(context, answered, startedMs);
      return answered.then(
        (response) => settle(context, response, startedMs),
        (cause: unknown) => settle(context, failed(context, cause), startedMs),
      );
    } catch (cause) {
      return settle(context, failed(context, cause), startedMs);
    }
  };
  const serving = Promise.withResolvers<Edge>();
  let respond: (request: Request) => Response | Promise<Response> = async (request) =>
    answer(await serving.promise, request);

  Object.assign(http, { maxHeaderSize: maxHeadBytes });
  const server = Bun.serve({
    hostname,
    port,
    idleTimeout: idleTimeoutSeconds,
    maxRequestBodySize,
    fetch: (request) => respond(request),
    error(cause) {
      log.error('server.failed', { error: describe(cause) });
      return new Response(null, { status: 500 });
    },
  });

  async function quiet(): Promise<void> {
    for (;;) {
      const restMs = turnedAwayMs + quietBeforeClosingMs - clock.monotonic();
      if (restMs <= 0) return;
      await Bun.sleep(restMs);
    }
  }

  return {
    port: server.port ?? port,
    accepting: () => !draining,
    serve(edge) {
      respond = (request) => answer(edge, request);
      serving.resolve(edge);
    },
    peerOf: (request) => server.requestIP(request)?.address ?? '',
    // The runtime counts what the caller sends only: its time-out would end every stream.
    keepOpen: (request) => server.timeout(request, 0),
    letGo: (request) => server.timeout(request, fetchingTheRestSeconds),
    rest: (request) => server.timeout(request, idleTimeoutSeconds),
    async drain(timeoutMs) {
      draining = true;
      turnedAwayMs = clock.monotonic();
      const late = Bun.sleep(timeoutMs);
      // While calls are being answered the port stays open, so that new ones get their 503; then the last answers only have to leave.
      if (inFlight > 0) await Promise.race([idle.promise, late]);
      await Promise.race([quiet(), Bun.sleep(longestQuietWaitMs), late]);
      await Promise.race([server.stop(false), late]);
      const cutOff = server.pendingRequests;
      if (cutOff > 0) await server.stop(true);
      return cutOff;
    },
    async close() {
      if (!draining) await server.stop(true);
    },
  };
}
