/** The door itself: finds what stands at a path and sends the request on its surface's way; what is not there or not allowed ends here. */

import type { AgentRoute } from '../agents/routes.ts';
import type { HttpMethod, Route } from '../api/route.ts';
import type { RpcRoute } from '../rpc/routes.ts';
import type { Envelope } from './failures.ts';
import { createMistakenRpcPaths, whereRpcIs } from './mistaken-rpc-path.ts';
import { type ContextParts, RequestContext } from './request-context.ts';
import { createRouter, type Router } from './router.ts';
import { type AgentService, type InnerDoor, serveAgents } from './serve-agents.ts';
import { type RouteService, serveRoute } from './serve-route.ts';
import { type RpcService, serveRpc } from './serve-rpc.ts';

/** What stands at one path: JSON-RPC, agents, or routes by method. */
type Endpoint =
  | { readonly kind: 'rpc'; readonly route: RpcRoute; readonly allow: string }
  | { readonly kind: 'agents'; readonly allow: string }
  | { readonly kind: 'routes'; readonly byMethod: ReadonlyMap<string, Route>; readonly allow: string };

export type Edge = {
  /** Never rejects because of what a caller sent; a rejection is a bug, or a broken dependency that no room caught. */
  readonly answer: (context: RequestContext) => Response | Promise<Response>;
  readonly open: (request: Request, requestId: string) => RequestContext;
};

export type EdgeOptions = {
  readonly contexts: ContextParts;
  readonly routes: readonly Route[];
  readonly rpcRoutes: readonly RpcRoute[];
  readonly agentRoute: AgentRoute;
  readonly rpc: RpcService;
  readonly agents: AgentService;
  readonly rest: RouteService;
  /** False once the process drains. */
  readonly accepting: () => boolean;
};

export function createEdge({ contexts, rpc, rest, agents, accepting, ...tables }: EdgeOptions): Edge {
  const router = buildRouter(tables);
  const mistaken = createMistakenRpcPaths(tables.routes, [tables.agentRoute.path, '/flow']);
  /** The bare address, or a network's without `/rpc`. */
  const meantRpc = (endpoint: Endpoint, method: string | null, path: string) =>
    method === 'POST' && endpoint.kind === 'routes' && !endpoint.byMethod.has('POST') && mistaken.holds(path);
  const edge: Edge & InnerDoor = {
    open: (request, requestId) => new RequestContext(request, pathOf(request.url), requestId, contexts),
    openInner: (request, outer) => new RequestContext(request, pathOf(request.url), outer.requestId, contexts, outer),
    answer(context) {
      const found = router.find(context.path);
      const { method } = context.request;
      if (found === undefined) {
        if (!mistaken.holds(context.path)) {
          context.envelope = envelopeOf(context.path);
          return context.refuse('not-found');
        }
        context.envelope = 'rpc';
        if (method === 'OPTIONS') return preflight(context, 'POST, OPTIONS');
        return context.refuse('not-found', { detail: `There is nothing at this path. ${whereRpcIs}` });
      }
      const { endpoint, params } = found;
      const isOpen = accepting() || context.isInner;
      context.envelope = endpoint.kind === 'rpc' ? 'rpc' : envelopeOf(context.path);
      context.hasKeyInPath = endpoint.kind === 'rpc' && endpoint.route.keyInPath;
      if (endpoint.kind === 'rpc' && method === 'POST')
        return isOpen ? serveRpc(rpc, context, endpoint.route, params) : refuseDraining(context);
      if (endpoint.kind === 'agents' && method === 'POST')
        return isOpen ? serveAgents(agents, context, edge) : refuseDraining(context);
      if (method === 'OPTIONS') {
        const asked = context.request.headers.get('access-control-request-method');
        if (meantRpc(endpoint, asked, context.path)) context.envelope = 'rpc';
        return preflight(context, endpoint.allow);
      }
      const route = endpoint.kind === 'routes' ? endpoint.byMethod.get(method === 'HEAD' ? 'GET' : method) : undefined;
      if (route === undefined) {
        const headers = { Allow: endpoint.allow };
        if (!meantRpc(endpoint, method, context.path)) return context.refuse('method-not-allowed', { headers });
        context.envelope = 'rpc';
        return context.refuse('method-not-allowed', {
          headers,
          detail: `There is no POST at this path. ${whereRpcIs}`,
        });
      }
      // What needs no credential, probes above all, is answered to the end.
      if (!isOpen && route.admittance !== 'public') return refuseDraining(context);
      return serveRoute(rest, context, route, params);
    },
  };
  return edge;
}

function refuseDraining(context: RequestContext): Response {
  return context.refuse('unavailable', { detail: 'The gateway is shutting down.', headers: { Connection: 'close' } });
}

type RouteTables = Pick<EdgeOptions, 'routes' | 'rpcRoutes' | 'agentRoute'>;

function buildRouter({ routes, rpcRoutes, agentRoute }: RouteTables): Router<Endpoint> {
  const router = createRouter<Endpoint>();
  for (const route of rpcRoutes) router.add(route.path, { kind: 'rpc', route, allow: 'POST, OPTIONS' });
  router.add(agentRoute.path, { kind: 'agents', allow: 'POST, OPTIONS' });
  for (const [path, at] of Map.groupBy(routes, (route) => route.path)) {
    const byMethod = new Map<string, Route>();
    for (const route of at) {
      if (byMethod.has(route.method)) throw new Error(`two routes for ${route.method} ${path}`);
      byMethod.set(route.method, route);
    }
    router.add(path, { kind: 'routes', byMethod, allow: allowOf([...byMethod.keys()]) });
  }
  return router;
}

function allowOf(methods: readonly (HttpMethod | string)[]): string {
  const all = methods.includes('GET') ? ['GET', 'HEAD', ...methods.filter((method) => method !== 'GET')] : methods;
  return [...all, 'OPTIONS'].join(', ');
}

const allowedHeaders =
  'Authorization, Content-Type, Accept, X-API-Key, X-Request-Id, Idempotency-Key, Last-Event-ID, X-Payment, Payment-Signature, Mcp-Protocol-Version, Mcp-Session-Id, Mcp-Method, Mcp-Name';

/** The CORS preflight (Fetch standard); credentials are never sent along, so `*` is safe where every origin is welcome. */
function preflight(context: RequestContext, allow: string): Response {
  return context.reply(204, null, undefined, {
    Allow: allow,
    'Access-Control-Allow-Methods': allow,
    'Access-Control-Allow-Headers': allowedHeaders,
    'Access-Control-Max-Age': '7200',
  });
}

export function envelopeOf(path: string): Envelope {
  return path === '/flow' || path.startsWith('/flow/') ? 'flow' : 'rest';
}

/** The runtime hands over an absolute URL, or for HTTP/1.0 without Host only the path; CONNECT names no path at all. */
export function pathOf(url: string): string {
  const start = url.startsWith('/') ? 0 : url.indexOf('/', url.indexOf('://') + 3);
  if (start < 0 || url === '') return '';
  const query = url.indexOf('?', start);
  const path = query < 0 ? url.slice(start) : url.slice(start, query);
  const fragment = path.indexOf('#');
  return fragment < 0 ? path : path.slice(0, fragment);
}
