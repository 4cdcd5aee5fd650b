/** The HTTP edge: finds the endpoint of a path and sends the request through its surface's pipeline. */

import type { HeadFault, HeadFaultStatus } from '@flowgate/http1/server/head-fault';
import type { IncomingRequest, OutgoingReply } from '@flowgate/http1/server/incoming-request';
import type { RefusalReason } from '../api/refusal.ts';
import { answerUnrouted, UnroutedContext } from './answer-unrouted.ts';
import { AgentContext } from './contexts/agent-context.ts';
import { runPipeline } from './contexts/pipeline.ts';
import type { ContextDeps, RequestContext } from './contexts/request-context.ts';
import { pathOf } from './contexts/request-path.ts';
import { RouteContext } from './contexts/route-context.ts';
import { RpcContext } from './contexts/rpc-context.ts';
import { asksForWebSocket, UpgradeContext } from './contexts/upgrade-context.ts';
import { buildRouter, type RouteTables } from './endpoints.ts';
import { createMistakenRpcPaths } from './pages/mistaken-rpc-path.ts';
import {
  agentPipeline,
  type EdgeServices,
  messagePipeline,
  publicPipeline,
  routePipeline,
  rpcPipeline,
  upgradePipeline,
} from './pipelines/pipelines.ts';
import type { MessageServices } from './websocket/socket-messages.ts';

export type Edge = {
  readonly open: (request: IncomingRequest, requestId: string) => RequestContext;
  /** Never rejects because of a caller's input; a rejection is a bug, or an unavailable dependency that no module handled. */
  readonly answer: (context: RequestContext) => OutgoingReply | Promise<OutgoingReply>;
  /** For bytes that are not a valid request. The answer uses the envelope of the path, if a path could be read. */
  readonly openBroken: (target: string, requestId: string) => RequestContext;
  readonly refuseBroken: (context: RequestContext, fault: HeadFault) => OutgoingReply;
};

/** Replaces a request that could not be read. */
const brokenRequest: IncomingRequest = {
  method: '',
  target: '',
  header: () => null,
  eachHeader: () => {},
  body: { announced: 0, takeWhole: () => new Uint8Array(), next: async () => undefined, discard: () => {} },
  peer: '',
  signal: new AbortController().signal,
  letGo: () => {},
};

const brokenReasons: Readonly<Record<HeadFaultStatus, RefusalReason>> = {
  400: 'bad-request',
  408: 'request-timeout',
  414: 'target-too-long',
  417: 'expectation-failed',
  431: 'head-too-large',
  501: 'not-implemented',
  505: 'version-not-supported',
};

export type EdgeOptions = RouteTables & {
  readonly contexts: ContextDeps;
  readonly services: Omit<EdgeServices, 'subrequests' | 'messages'>;
  readonly notes: Pick<MessageServices, 'note' | 'newRequestId'>;
};

export function createEdge({ contexts, services: given, notes, ...tables }: EdgeOptions): Edge {
  const router = buildRouter(tables);
  const mistaken = createMistakenRpcPaths(tables.routes, [tables.agentRoute.path, '/flow']);

  function open(request: IncomingRequest, requestId: string, outer?: RequestContext): RequestContext {
    const path = pathOf(request.target);
    const { method } = request;
    const found = router.find(path);
    if (found === undefined) return new UnroutedContext(request, path, requestId, contexts, outer, undefined);
    const { endpoint, params } = found;
    if (endpoint.kind === 'routes') {
      const route = endpoint.byMethod.get(method === 'HEAD' ? 'GET' : method);
      if (route !== undefined) return new RouteContext(request, path, requestId, contexts, outer, route, params);
    } else if (endpoint.kind === 'rpc' && asksForWebSocket(request)) {
      return new UpgradeContext(request, path, requestId, contexts, outer, endpoint.route, params);
    } else if (method === 'POST') {
      if (endpoint.kind === 'rpc')
        return new RpcContext(request, path, requestId, contexts, outer, endpoint.route, params);
      return new AgentContext(request, path, requestId, contexts, outer);
    }
    return new UnroutedContext(request, path, requestId, contexts, outer, endpoint);
  }

  function answer(context: RequestContext): OutgoingReply | Promise<OutgoingReply> {
    if (context instanceof UpgradeContext) return runPipeline(upgradePipeline, services, context);
    if (context instanceof RpcContext) return runPipeline(rpcPipeline, services, context);
    if (context instanceof RouteContext) {
      const pipeline = context.route.accessLevel === 'public' ? publicPipeline : routePipeline;
      return runPipeline(pipeline, services, context);
    }
    if (context instanceof AgentContext) return runPipeline(agentPipeline, services, context);
    if (context instanceof UnroutedContext) return answerUnrouted(mistaken, context);
    throw new Error('the context was not opened by this edge');
  }

  const openSubrequest = (request: IncomingRequest, outer: RequestContext) => open(request, outer.requestId, outer);
  const messages: MessageServices = {
    ...notes,
    contexts,
    failed: given.failed,
    answer: async (context) => runPipeline(messagePipeline, services, context),
  };
  const services: EdgeServices = { ...given, subrequests: { openSubrequest, answer }, messages };
  return {
    open,
    answer,
    openBroken(target, requestId) {
      const path = pathOf(target);
      return new UnroutedContext(brokenRequest, path, requestId, contexts, undefined, router.find(path)?.endpoint);
    },
    refuseBroken: (context, { status, detail }) => context.refuse(brokenReasons[status], { detail }),
  };
}
