/** The HTTP edge: finds what stands at a path and sends the request through its surface's pipeline. */

import { AgentContext } from './agent-context.ts';
import { answerUnrouted, UnroutedContext } from './answer-unrouted.ts';
import { buildRouter, type RouteTables } from './endpoints.ts';
import { createMistakenRpcPaths } from './mistaken-rpc-path.ts';
import { runPipeline } from './pipeline.ts';
import { agentPipeline, type EdgeServices, publicPipeline, routePipeline, rpcPipeline } from './pipelines.ts';
import type { ContextParts, RequestContext } from './request-context.ts';
import { pathOf } from './request-path.ts';
import { RouteContext } from './route-context.ts';
import { RpcContext } from './rpc-context.ts';

export type Edge = {
  readonly open: (request: Request, requestId: string) => RequestContext;
  /** Never rejects because of what a caller sent; a rejection is a bug, or a broken dependency that no room caught. */
  readonly answer: (context: RequestContext) => Response | Promise<Response>;
};

export type EdgeOptions = RouteTables & {
  readonly contexts: ContextParts;
  readonly services: Omit<EdgeServices, 'subrequests'>;
};

export function createEdge({ contexts, services: given, ...tables }: EdgeOptions): Edge {
  const router = buildRouter(tables);
  const mistaken = createMistakenRpcPaths(tables.routes, [tables.agentRoute.path, '/flow']);

  function open(request: Request, requestId: string, outer?: RequestContext): RequestContext {
    const path = pathOf(request.url);
    const { method } = request;
    const found = router.find(path);
    if (found === undefined) return new UnroutedContext(request, path, requestId, contexts, outer, undefined);
    const { endpoint, params } = found;
    if (endpoint.kind === 'routes') {
      const route = endpoint.byMethod.get(method === 'HEAD' ? 'GET' : method);
      if (route !== undefined) return new RouteContext(request, path, requestId, contexts, outer, route, params);
    } else if (method === 'POST') {
      if (endpoint.kind === 'rpc')
        return new RpcContext(request, path, requestId, contexts, outer, endpoint.route, params);
      return new AgentContext(request, path, requestId, contexts, outer);
    }
    return new UnroutedContext(request, path, requestId, contexts, outer, endpoint);
  }

  function answer(context: RequestContext): Response | Promise<Response> {
    if (context instanceof RpcContext) return runPipeline(rpcPipeline, services, context);
    if (context instanceof RouteContext) {
      const pipeline = context.route.admittance === 'public' ? publicPipeline : routePipeline;
      return runPipeline(pipeline, services, context);
    }
    if (context instanceof AgentContext) return runPipeline(agentPipeline, services, context);
    if (context instanceof UnroutedContext) return answerUnrouted(mistaken, context);
    throw new Error('a context that this edge did not open');
  }

  const openSubrequest = (request: Request, outer: RequestContext) => open(request, outer.requestId, outer);
  const services: EdgeServices = { ...given, subrequests: { openSubrequest, answer } };
  return { open, answer };
}
