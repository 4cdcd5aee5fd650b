/** Answers requests without a handler: preflights, methods that a path does not have, and unknown paths. */

import type { IncomingRequest, OutgoingReply } from '@flowgate/http1/server/incoming-request';
import { envelopeOf } from './contexts/failure-body.ts';
import { type ContextDeps, RequestContext } from './contexts/request-context.ts';
import type { Endpoint } from './endpoints.ts';
import { type MistakenRpcPaths, whereRpcIs } from './pages/mistaken-rpc-path.ts';

export class UnroutedContext extends RequestContext {
  constructor(
    request: IncomingRequest,
    path: string,
    requestId: string,
    deps: ContextDeps,
    outer: RequestContext | undefined,
    /** The endpoint of the path. It has other methods. */
    readonly endpoint: Endpoint | undefined,
  ) {
    super(request, path, requestId, deps, outer);
    this.envelope = endpoint?.kind === 'rpc' ? 'rpc' : envelopeOf(path);
    this.hasKeyInPath = endpoint?.kind === 'rpc' && endpoint.route.keyInPath;
  }
}

export function answerUnrouted(mistaken: MistakenRpcPaths, context: UnroutedContext): OutgoingReply {
  const { endpoint, method } = context;
  if (endpoint === undefined) {
    if (!mistaken.holds(context.path)) return context.refuse('not-found');
    context.envelope = 'rpc';
    if (method === 'OPTIONS') return preflight(context, 'POST, OPTIONS');
    return context.refuse('not-found', { detail: `There is nothing at this path. ${whereRpcIs}` });
  }
  const { allow } = endpoint;
  if (method === 'OPTIONS') {
    if (meantRpc(mistaken, context, context.header('access-control-request-method'))) context.envelope = 'rpc';
    return preflight(context, allow);
  }
  if (!meantRpc(mistaken, context, method)) return context.refuse('method-not-allowed', { headers: { Allow: allow } });
  context.envelope = 'rpc';
  return context.refuse('method-not-allowed', {
    headers: { Allow: allow },
    detail: `This path does not take POST. ${whereRpcIs}`,
  });
}

/** True for POST at an address that a client probably took for the JSON-RPC address: the root, or a network's address without `/rpc`. */
function meantRpc(mistaken: MistakenRpcPaths, { endpoint, path }: UnroutedContext, method: string | null): boolean {
  return method === 'POST' && endpoint?.kind === 'routes' && !endpoint.byMethod.has('POST') && mistaken.holds(path);
}

const allowedHeaders =
  'Authorization, Content-Type, Content-Encoding, Accept, X-API-Key, X-Request-Id, X-Flowgate-Trace, Idempotency-Key, Last-Event-ID, X-Payment, Payment-Signature, Mcp-Protocol-Version, Mcp-Session-Id, Mcp-Method, Mcp-Name';

/** The CORS preflight (Fetch standard). Credentials are never sent with it, so `*` is safe where every origin is allowed. */
function preflight(context: RequestContext, allow: string): OutgoingReply {
  return context.reply(204, null, undefined, {
    Allow: allow,
    'Access-Control-Allow-Methods': allow,
    'Access-Control-Allow-Headers': allowedHeaders,
    'Access-Control-Max-Age': '7200',
  });
}
