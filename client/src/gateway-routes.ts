/** The gateway's public routes: they need no credential, and none is sent (contract/running#readiness). */

import { ask } from './ask.ts';
import * as shapes from './generated/shapes.ts';
import type { CallOptions, Send } from './transport.ts';
import type { Health, ProtectedResource, Readiness } from './wire.ts';

export type GatewayRoutes = {
  /** Succeeds while the process runs. */
  health(options?: CallOptions): Promise<Health>;
  /** 503 while the gateway cannot serve; the message names what is missing. */
  readiness(options?: CallOptions): Promise<Readiness>;
  /** The protected resource metadata: where users sign in for this gateway. */
  protectedResource(options?: CallOptions): Promise<ProtectedResource>;
  /** The OpenAPI document of the gateway's routes. */
  openApi(options?: CallOptions): Promise<Readonly<Record<string, unknown>>>;
};

export function createGatewayRoutes(send: Send): GatewayRoutes {
  const call = (options: CallOptions | undefined) => ({ open: true, options }) as const;
  return {
    health: (options) => ask(send, 'GET /healthz', shapes.health, [], call(options)),
    readiness: (options) => ask(send, 'GET /readyz', shapes.readiness, [], call(options)),
    protectedResource: (options) =>
      ask(send, 'GET /.well-known/oauth-protected-resource', shapes.protectedResource, [], call(options)),
    openApi: (options) => ask(send, 'GET /openapi.json', shapes.openApiDocument, [], call(options)),
  };
}
