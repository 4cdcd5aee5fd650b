/** What the gateway says about itself to everybody: no route here needs a credential, and none is sent (contract/running#readiness). */

import { askFor } from './ask-for.ts';
import { hasMembers } from './has-members.ts';
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
  const get = <T>(path: string, isExpected: (value: unknown) => value is T, options: CallOptions = {}) =>
    askFor(send, isExpected, { method: 'GET', path, repeatable: true, open: true, options });
  return {
    health: async (options) => get('/healthz', isHealth, options),
    readiness: async (options) => get('/readyz', isReadiness, options),
    protectedResource: async (options) => get('/.well-known/oauth-protected-resource', isProtectedResource, options),
    openApi: async (options) => get('/openapi.json', isDocument, options),
  };
}

function isHealth(value: unknown): value is Health {
  return hasMembers(value, { status: 'string' });
}

function isReadiness(value: unknown): value is Readiness {
  return hasMembers(value, { status: 'string', checks: 'object' });
}

function isProtectedResource(value: unknown): value is ProtectedResource {
  return (
    hasMembers(value, {
      ...{ resource: 'string', resource_name: 'string', resource_documentation: 'string' },
      ...{ authorization_servers: 'texts', bearer_methods_supported: 'texts' },
    }) && hasMembers(value['flowgate_command_line'], { client_id: 'string', scope: 'string' }, { audience: 'string' })
  );
}

function isDocument(value: unknown): value is Readonly<Record<string, unknown>> {
  return hasMembers(value, { openapi: 'string', paths: 'object' });
}
