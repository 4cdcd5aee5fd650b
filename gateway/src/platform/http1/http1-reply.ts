/** Builds the reply for a caller from a completed reader. */
import type { HeldBytes } from '../bytes/held-bytes.ts';
import type { Http1Reply } from './http1-call.ts';
import type { ResponseReader } from './http1-reader.ts';

/** `held`: taken from the reader; whoever receives the reply must release it. */
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
