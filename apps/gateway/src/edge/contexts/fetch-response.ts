/** Converts a reply to the `Response` that agents' tools receive. */

import { bytesOf } from '@flowgate/bytes/byte-content';
import { isContent, type OutgoingReply } from '@flowgate/http1/server/incoming-request';

export function toResponse({ status, headers, body }: OutgoingReply): Response {
  return new Response(isContent(body) ? bytesOf(body) : body, { status, headers });
}
