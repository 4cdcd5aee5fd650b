/** Builds the reply for a caller from a completed reader. */
import type { BudgetedBuffer } from '@flowgate/bytes/budgeted-buffer';
import type { ReceivedReply } from './http1-call.ts';
import type { ResponseReader } from './http1-response-reader.ts';

/** `buffered`: taken from the reader. The receiver of the reply must release it. */
export function replyOf(
  { status, content, whole, retryAfter }: ResponseReader,
  buffered: BudgetedBuffer | undefined,
): ReceivedReply {
  if (whole !== undefined) return { ok: true, status, content, whole };
  if (buffered === undefined && retryAfter === undefined) return { ok: true, status, content };
  return {
    ok: true,
    status,
    content,
    ...(buffered === undefined ? {} : { buffered }),
    ...(retryAfter === undefined ? {} : { retryAfter }),
  };
}
