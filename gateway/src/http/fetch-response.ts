/** An answer as the tools of agents take it. */

import type { OutgoingReply } from './incoming-request.ts';

export function toResponse({ status, headers, body }: OutgoingReply): Response {
  return new Response(body, { status, headers });
}
