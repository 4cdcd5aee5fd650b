/** Keeps pages of unknown origins from agents' tools: a page that rebinds its name to this address could use them otherwise (MCP, Streamable HTTP, Security). */

import type { Refusal, RequestContext } from '../request-context.ts';

export type AgentOrigins = { readonly allowsOrigin: (origin: string) => boolean };

const foreign: Refusal = { reason: 'not-permitted', detail: 'Pages of this origin may not talk to this gateway.' };

export function checkOrigin({ allowsOrigin }: AgentOrigins, context: RequestContext): Refusal | undefined {
  const origin = context.header('origin');
  return origin === null || allowsOrigin(origin) ? undefined : foreign;
}
