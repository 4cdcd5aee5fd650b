/**
 * The gateway behind a listening socket: request ids, the number of calls in flight, the handling of exceptions, the request log, and a drain that answers
 * every call in flight.
 */

import type { Clock } from '@flowgate/base/clock';
import type { HeadFault } from '@flowgate/http1/server/head-fault';
import type { HttpServer } from '@flowgate/http1/server/http-server';
import type { IncomingRequest, OutgoingReply } from '@flowgate/http1/server/incoming-request';
import type { RequestHandler, SendReply } from '@flowgate/http1/server/request-handler';
import type { Log } from '@flowgate/telemetry/log';
import { createAnswerFailure, describe } from './contexts/answer-failure.ts';
import { isSafeRequestId } from './contexts/masked-path.ts';
import type { RequestContext } from './contexts/request-context.ts';
import type { Edge } from './edge.ts';
import type { RequestMeter } from './meters/request-meter.ts';

export type RequestLogging = 'all' | 'failures' | 'none';

export type ServerOptions = {
  /** @throws when the port is taken. */
  readonly listen: (
    handler: RequestHandler,
    failed: (cause: unknown) => void,
  ) => Pick<HttpServer, 'port' | 'connections' | 'handOver' | 'stop'>;
  readonly requestLogging: RequestLogging;
  readonly clock: Clock;
  readonly log: Log;
  readonly newRequestId: () => string;
  /** Records each answered request. Does not throw. */
  readonly meter?: RequestMeter | undefined;
};

export type GatewayServer = {
  readonly port: number;
  /** The number of open connections. */
  readonly connections: () => number;
  /** False once the drain has begun. */
  readonly accepting: () => boolean;
  readonly newRequestId: () => string;
  /** Records an answer in the metrics and in the request log. */
  readonly note: (context: RequestContext, reply: Pick<OutgoingReply, 'status'>) => void;
  /** From now on `edge` answers requests. Earlier requests wait for this call. */
  readonly serve: (edge: Edge) => void;
  /**
   * Resolves when the calls in flight are answered and their answers are sent, or after `timeoutMs`. Returns the number of calls cut off. Meanwhile the edge
   * refuses new calls. With `handsOver`, another process has the port: new calls on open connections are answered, and each connection closes after its next
   * answer.
   */
  readonly drain: (timeoutMs: number, handsOver?: boolean) => Promise<number>;
  /** Does nothing after a drain. Without a drain, every connection is cut off, whether or not its answer was sent. */
  readonly close: () => Promise<void>;
};

/**
 * A load balancer sends callers here until its probes have failed, and closing the port earlier would reset new connections. When no call was refused for
 * this time, the load balancer has reacted.
 */
const quietBeforeClosingMs = 500;
/** The maximum wait of a drain for callers that continue to send without a load balancer. */
const maxQuietWaitMs = 5_000;

/** Listens before the rest opens, so that all modules know the port. Requests are answered once `serve` is called. */
export function openServer({ listen, requestLogging, clock, log, newRequestId, meter }: ServerOptions): GatewayServer {
  let inFlight = 0;
  let draining = false;
  const idle = Promise.withResolvers<void>();
  let turnedAwayMs = 0;

  const note = (context: RequestContext, { status }: Pick<OutgoingReply, 'status'>): void => {
    meter?.(context);
    if (requestLogging === 'all' || (requestLogging === 'failures' && status >= 500))
      log.info('request', {
        requestId: context.requestId,
        method: context.method,
        path: context.maskedPath,
        status,
        ms: Math.round((clock.monotonic() - context.openedMs) * 1000) / 1000,
      });
  };
  const settle = (context: RequestContext, reply: OutgoingReply): OutgoingReply => {
    inFlight -= 1;
    context.freeBody?.();
    if (draining && inFlight === 0) idle.resolve();
    // Only refusals of a drain have this header. Probes continue until the end and do not count.
    if (draining && reply.headers['Connection'] !== undefined) turnedAwayMs = clock.monotonic();
    note(context, reply);
    return reply;
  };
  const failed = createAnswerFailure(log);

  /** Reports a bug that occurs when the answer is concluded, because no caller awaits the answer's promise. */
  const conclude = (context: RequestContext, reply: OutgoingReply): OutgoingReply => {
    try {
      return settle(context, reply);
    } catch (cause) {
      return failed(context, cause);
    }
  };

  /** Undefined when `report` receives the answer later. */
  const answer = (edge: Edge, request: IncomingRequest, report: SendReply): OutgoingReply | undefined => {
    const incomingId = request.header('x-request-id');
    const context = edge.open(
      request,
      incomingId !== null && isSafeRequestId(incomingId) ? incomingId : newRequestId(),
    );
    inFlight += 1;
    let answered: OutgoingReply | Promise<OutgoingReply>;
    try {
      answered = edge.answer(context);
    } catch (cause) {
      return conclude(context, failed(context, cause));
    }
    if (!(answered instanceof Promise)) return conclude(context, answered);
    answered.then(
      (reply) => report(conclude(context, reply)),
      (cause: unknown) => report(conclude(context, failed(context, cause))),
    );
    return undefined;
  };
  const refuse = (edge: Edge, fault: HeadFault, target: string): OutgoingReply => {
    const context = edge.openBroken(target, newRequestId());
    inFlight += 1;
    return settle(context, edge.refuseBroken(context, fault));
  };
  const serving = Promise.withResolvers<Edge>();
  const handler: { -readonly [Name in keyof RequestHandler]: RequestHandler[Name] } = {
    handle(request, report) {
      void serving.promise.then((edge) => {
        const reply = answer(edge, request, report);
        if (reply !== undefined) report(reply);
      });
      return undefined;
    },
    refuse: ({ status }) => ({ status, headers: {}, body: null }),
  };

  const listening = listen(
    {
      handle: (request, report) => handler.handle(request, report),
      refuse: (fault, target) => handler.refuse(fault, target),
    },
    (cause) => log.error('server.failed', { error: describe(cause) }),
  );

  async function quiet(): Promise<void> {
    for (;;) {
      const restMs = turnedAwayMs + quietBeforeClosingMs - clock.monotonic();
      if (restMs <= 0) return;
      await Bun.sleep(restMs);
    }
  }

  return {
    port: listening.port,
    connections: listening.connections,
    accepting: () => !draining,
    newRequestId,
    note,
    serve(edge) {
      handler.handle = (request, report) => answer(edge, request, report);
      handler.refuse = (fault, target) => refuse(edge, fault, target);
      serving.resolve(edge);
    },
    async drain(timeoutMs, handsOver = false) {
      const untilMs = clock.monotonic() + timeoutMs;
      if (handsOver) {
        await listening.handOver(timeoutMs);
        draining = true;
        return listening.stop(Math.max(0, untilMs - clock.monotonic()));
      }
      draining = true;
      turnedAwayMs = clock.monotonic();
      const late = Bun.sleep(timeoutMs);
      // While calls are in flight the port stays open, so that new calls receive a 503. After that, only the last answers remain to be sent.
      if (inFlight > 0) await Promise.race([idle.promise, late]);
      await Promise.race([quiet(), Bun.sleep(maxQuietWaitMs), late]);
      return listening.stop(Math.max(0, untilMs - clock.monotonic()));
    },
    async close() {
      if (!draining) await listening.stop(0);
    },
  };
}
