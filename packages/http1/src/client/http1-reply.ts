/** Builds the reply for a caller from a completed reader. */
import type { BudgetedBuffer } from '@flowgate/bytes/budgeted-buffer';
import type { ReceivedReply } from './http1-call.ts';
import type { ResponseReader } from './http1-reader.ts';

/** `held`: taken from the reader; whoever receives the reply must release it. */
export function replyOf(
  { status, content, whole, retryAfter }: ResponseReader,
  held: BudgetedBuffer | undefined,
): ReceivedReply {
  if (whole !== undefined) return { ok: true, status, content, whole };
  if (held === undefined && retryAfter === undefined) return { ok: true, status, content };
  return {
    ok: true,
    status,
    content,
    ...(held === undefined ? {} : { held }),
    ...(retryAfter === undefined ? {} : { retryAfter }),
  };
}
