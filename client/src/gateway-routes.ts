/** What the gateway says about itself to everybody: no route here needs a credential, and none is sent (contract/running#readiness). */

import { ask } from './ask.ts';
import * as shapes from './generated/shapes.ts';
import type { CallOptions, Send } from './transport.ts';
import type { Health, ProtectedResource, Readiness } from './wire.ts';

export type GatewayRoutes = {
  /** Answers as long as the process runs. */
  health(options?: CallOptions): Promise<Health>;
  /** 503 while the gateway cannot serve, with what is missing in the message. */
  readiness(options?: CallOptions): Promise<Readiness>;
  /** Where to sign in for it. */
  protectedResource(options?: CallOptions): Promise<ProtectedResource>;
  /** The OpenAPI document of its routes. */
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
