/** The sizes and times of one WebSocket connection. All times are in milliseconds. */

import type { WriteLimits } from '@flowgate/http1/server/write-pace';

export type WebSocketLimits = WriteLimits & {
  readonly maxMessageBytes: number;
  /** From the first byte of a message to its last, in milliseconds. */
  readonly messageMs: number;
};

export const pingEveryMs = 30_000;
/**
 * While a connection is paused, the system does not report that the caller closed it. A caller that is gone answers any
 * frame with a reset, which is reported. The gateway therefore sends pongs, which need no answer (RFC 6455 5.5.3).
 */
export const pausedPongEveryMs = 1_000;
export const goneAfterMs = 60_000;
