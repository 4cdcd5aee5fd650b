/** The reply that a caller gets of what a reader has read. */
import type { HeldBytes } from '../bytes/held-bytes.ts';
import type { Http1Reply } from './http1-call.ts';
import type { ResponseReader } from './http1-reader.ts';

/** `held`: what was taken out of the reader, to be released by whoever gets the reply. */
export function replyOf({ status, body, whole, retryAfter }: ResponseReader, held: HeldBytes | undefined): Http1Reply {
  if (whole !== undefined) return { ok: true, status, body, whole };
  if (held === undefined && retryAfter === undefined) return { ok: true, status, body };
  return {
    ok: true,
    status,
    body,
    ...(held === undefined ? {} : { held }),
    ...(retryAfter === undefined ? {} : { retryAfter }),
  };
}
