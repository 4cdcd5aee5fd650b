/**
 * What a connection of the HTTP server needs from its server: the handler, the clock, the turn budget and the
 * time-outs.
 */

import type { TurnBudget } from '@flowgate/async/turn-budget';
import type { RequestHandler } from './request-handler.ts';
import type { ConnectionSocket, TakenConnection } from './taken-connection.ts';
import type { WaitingBytes } from './waiting-bytes.ts';
import type { WriteLimits } from './write-pace.ts';

export type ServerSocket = ConnectionSocket & {
  /** The owner whose share of `waitingBytes` the connection uses. */
  readonly owner: string;
  /** From now on `to` receives the socket's events, instead of the current connection. */
  readonly pass: (to: TakenConnection) => void;
};

export type ConnectionOwner = {
  readonly handler: RequestHandler;
  /** The monotonic time in milliseconds, up to half a second old: precise enough for time-outs of seconds. */
  readonly nowMs: () => number;
  readonly dateLine: () => string;
  /** True while draining: every answer then closes its connection. */
  readonly isDraining: () => boolean;
  /** True while another process takes over: an answer closes its connection unless another request has arrived on it. */
  readonly isHandingOver: () => boolean;
  readonly timeouts: ConnectionTimeouts;
  /** Requests are read within this budget of the event loop. */
  readonly turns: TurnBudget;
  /**
   * Charged for all bytes that wait on connections of this process: requests that are not read yet, answers that are
   * not fetched.
   */
  readonly waitingBytes: Pick<WaitingBytes, 'take' | 'giveBack'>;
  readonly failed: (cause: unknown) => void;
};

export type ConnectionTimeouts = WriteLimits & {
  /** From the first byte of a head to its last, in milliseconds, like all of these. */
  readonly headMs: number;
  /** Between an answer and the next request. */
  readonly idleMs: number;
  /** For the rest of a request's content that no handler reads, after the answer. */
  readonly discardMs: number;
};
