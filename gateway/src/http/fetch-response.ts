/** An answer in the form that agents' tools take. */

import type { OutgoingReply } from './incoming-request.ts';

export function toResponse({ status, headers, body }: OutgoingReply): Response {
  return new Response(body, { status, headers });
}
