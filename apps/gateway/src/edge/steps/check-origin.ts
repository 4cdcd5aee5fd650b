/**
 * Refuses web pages of unknown origins at the agents' path: by DNS rebinding, a page could call this address and use the tools (MCP, Streamable HTTP,
 * Security).
 */

import type { Refusal, RequestContext } from '../contexts/request-context.ts';

export type AgentOrigins = { readonly allowsOrigin: (origin: string) => boolean };

const foreign: Refusal = {
  reason: 'not-permitted',
  detail: 'Pages of this origin may not call the gateway: the operator must add the origin to server.cors.origins.',
};

export function checkOrigin({ allowsOrigin }: AgentOrigins, context: RequestContext): Refusal | undefined {
  const origin = context.header('origin');
  return origin === null || allowsOrigin(origin) ? undefined : foreign;
}
