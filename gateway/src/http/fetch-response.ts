/** An answer in the form that agents' tools take. */

import { bytesOf } from '../platform/bytes/byte-content.ts';
import { isContent, type OutgoingReply } from './incoming-request.ts';

export function toResponse({ status, headers, body }: OutgoingReply): Response {
  return new Response(isContent(body) ? bytesOf(body) : body, { status, headers });
}
