/** The endpoints by path: JSON-RPC, agents, or routes by method. */

import type { HttpMethod, Route } from '../api/route.ts';
import type { AgentRoute } from '../mcp/mcp-routes.ts';
import type { RpcRoute } from '../rpc/rpc-routes.ts';
import { createRouter, type Router } from './router.ts';

export type Endpoint =
  | { readonly kind: 'rpc'; readonly route: RpcRoute; readonly allow: string }
  | { readonly kind: 'agents'; readonly allow: string }
  | { readonly kind: 'routes'; readonly byMethod: ReadonlyMap<string, Route>; readonly allow: string };

export type RouteTables = {
  readonly routes: readonly Route[];
  readonly rpcRoutes: readonly RpcRoute[];
  readonly agentRoute: AgentRoute;
};

/** @throws when two routes have the same path and method, which is a bug. */
export function buildRouter({ routes, rpcRoutes, agentRoute }: RouteTables): Router<Endpoint> {
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
