/** Refuses pages of unknown origins at the agents' path: a page could rebind its name to this address and use the tools (MCP, Streamable HTTP, Security). */

import type { Refusal, RequestContext } from '../contexts/request-context.ts';

export type AgentOrigins = { readonly allowsOrigin: (origin: string) => boolean };

const foreign: Refusal = { reason: 'not-permitted', detail: 'Pages of this origin may not talk to this gateway.' };

export function checkOrigin({ allowsOrigin }: AgentOrigins, context: RequestContext): Refusal | undefined {
  const origin = context.header('origin');
  return origin === null || allowsOrigin(origin) ? undefined : foreign;
}
