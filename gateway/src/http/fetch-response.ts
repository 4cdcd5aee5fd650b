/** An answer as the runtime's server and the tools of agents take it. */

import type { OutgoingReply } from './incoming-request.ts';

export function toResponse({ status, headers, body }: OutgoingReply): Response {
  return new Response(body, { status, headers });
}
