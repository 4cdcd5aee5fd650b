/** What a call asks of an HTTP/1.1 client beyond its body. */

import type { Http1Reply } from './http1-reply.ts';

export type Http1Call = {
  /** The whole call, waiting for a connection included. */
  readonly timeoutMs: number;
  /** The part of it that the call may wait for a connection; by default all of it. */
  readonly waitMs?: number | undefined;
  /** Whether `release` sends it away while it waits: its caller has somewhere else to go. */
  readonly canLeave?: boolean | undefined;
  /** The caller's, looked at only when the call has to wait: when it is aborted there, nothing is sent (`abandoned`). */
  readonly signal?: AbortSignal | undefined;
  /** Who a large answer is counted for, which then comes as `held` bytes, and whose share of connections and of places to wait the call takes. */
  readonly owner?: string | undefined;
  /**
   * Judges an answer before its connection is used again. False: answers may be out of step with requests, and the connection is
   * dropped. Not asked about `held` answers.
   */
  accepts?(status: number, body: string): boolean;
};

/** A call that makes an outcome of its own of the reply, in the moment in which it comes. */
export type JudgedCall<T> = Http1Call & { outcome(reply: Http1Reply): T | Promise<T> };

/** What every new connection has to answer before it carries a call. */
export type Greeting = {
  readonly body: string;
  readonly timeoutMs: number;
  /** Undefined when the answer is right; else what is wrong with it, in words that hold nothing of it. */
  readonly problem: (status: number, body: string) => string | undefined;
};
