/** The terms of a call by an HTTP/1.1 client (other than its body) and its outcome: a reply, or the kind of failure and whether the server may have seen the request. */

import type { BudgetedBuffer, NoRoom } from '@flowgate/bytes/budgeted-buffer';
import type { ByteRange } from '@flowgate/bytes/byte-range';

export type Http1Call = {
  /** Milliseconds for the whole call, including the wait for a connection. */
  readonly timeoutMs: number;
  /** Milliseconds that the call may wait for a connection; by default the whole `timeoutMs`. */
  readonly waitMs?: number | undefined;
  /** Whether `release` may end the call while it waits, because its caller can use another server. */
  readonly canLeave?: boolean | undefined;
  /** The caller's signal, used only when the call has to wait for a connection: if it is aborted before the wait ends, nothing is sent and the call fails with `abandoned`. */
  readonly signal?: AbortSignal | undefined;
  /** The owner that a large answer is charged to; it then arrives as `buffered` bytes. The call also uses this owner's share of connections and waiting places. */
  readonly owner?: string | undefined;
  /** Whether the call may share a connection with other calls in flight, and be sent a second time if that connection is lost. It must change nothing and be answered soon. */
  readonly mayPipeline?: boolean | undefined;
  /**
   * Checks an answer before its connection is reused. False means that answers may be out of step with requests: the
   * connection is closed. Not called for `buffered` answers.
   */
  accepts?(status: number, content: ByteRange): boolean;
  /** Whether an answer that `accepts` rejected is a server's reply to a request that it cannot read. Such an answer does not mean that answers are out of step with requests. */
  isRefusal?(content: ByteRange): boolean;
};

/** A call that maps its reply to an outcome of its own as soon as the reply arrives. */
export type EvaluatedCall<T> = Http1Call & { outcome(reply: ReceivedReply): T | Promise<T> };

/** A request that every new connection sends first. The connection carries calls only if the answer is right. */
export type Greeting = {
  readonly body: string;
  readonly timeoutMs: number;
  /** Undefined when the answer is right; otherwise a description of the problem that quotes nothing of the answer. */
  readonly problem: (status: number, body: string) => string | undefined;
};

/** Requests sent together as the first ones of every connection that is to carry several requests. The first question is the greeting's. */
export type PipelineTrial = {
  readonly questions: readonly {
    readonly body: string;
    readonly isAnswer: (status: number, body: string) => boolean;
  }[];
  readonly timeoutMs: number;
};

/** Pipelining: several requests are in flight on one connection, and the server answers them in the order in which they were sent (RFC 9112 9.3.2). */
export type Pipelining = {
  readonly trial: PipelineTrial;
  /** The trial has passed, for the first time or again. */
  readonly turnedOn: () => void;
  /** The server does not pipeline after all; for `ms` milliseconds each connection carries one request at a time. `reason` quotes nothing of an answer. */
  readonly turnedOff: (reason: string, ms: number) => void;
};

/**
 * - `connect`: no connection could be made (address, refusal, TLS, certificate, time-out).
 * - `unfit`: a connection was made, but its greeting was not answered correctly.
 * - `timeout`: the time for the whole call ran out before the answer was complete; the connection is gone.
 * - `broken`: the connection ended before the answer was complete.
 * - `malformed`: the answer is not valid HTTP/1.1 (RFC 9112). Unless the whole answer was asked for, compressed content and a body that is not UTF-8 are malformed, too.
 * - `too-large`: the answer's body exceeds the limit.
 * - `owner-full`, `all-full`: the answer is large, and the byte budget of its owner, or of all owners, has no room for it.
 * - `overloaded`: all connections, or the owner's share of them, are busy, and the queue is full or no connection became free in time.
 * - `released`: the call waited for a connection and was ended by `release`.
 * - `abandoned`: the caller left while the call waited.
 */
export type Http1Failure =
  | 'connect'
  | 'unfit'
  | 'timeout'
  | 'broken'
  | 'malformed'
  | 'too-large'
  | 'overloaded'
  | 'released'
  | 'abandoned'
  | NoRoom;

/** Headers and undecoded content of an answer, for calls that ask for them. */
export type WholeAnswer = {
  /** Keys in lower case; the values of a repeated field are joined with `, ` (RFC 9110 5.2). */
  readonly headers: ReadonlyMap<string, string>;
  /** The content as it was sent: compressed where `content-encoding` says so. */
  readonly bytes: Uint8Array;
};

type Http1Answer = {
  readonly ok: true;
  readonly status: number;
  /** A large answer to a request that named its owner, undecoded. The receiver of the reply must release it. */
  readonly buffered?: BudgetedBuffer;
  /** Present when the call asked for it. */
  readonly whole?: WholeAnswer;
  /** The value of the answer's `Retry-After`, unparsed; absent when the whole answer was asked for. */
  readonly retryAfter?: string;
};

export type FailedReply = {
  readonly ok: false;
  readonly failure: Http1Failure;
  /** Whether any byte of the request may have left this machine. */
  readonly sent: boolean;
  /** For logs: holds no URL, no header and no secret. */
  readonly detail: string;
  /** The answer's status code when only its body was `too-large`. */
  readonly status?: number;
};

/** `content`: UTF-8 that was checked, in bytes that nothing writes to again; empty when the whole answer was asked for or `buffered` is present. */
export type ReceivedReply = (Http1Answer & { readonly content: ByteRange }) | FailedReply;

/** Like `ReceivedReply`, with the content decoded. */
export type Http1Reply = (Http1Answer & { readonly body: string }) | FailedReply;

export function decodedReply(reply: ReceivedReply): Http1Reply {
  if (!reply.ok) return reply;
  const { content, ...rest } = reply;
  return { ...rest, body: content.text() };
}

export function failed(failure: Http1Failure, sent: boolean, detail: string): FailedReply {
  return { ok: false, failure, sent, detail };
}

/** The part of a socket or resolver error that may be logged: only the code, because messages of resolvers and of TLS name hosts. */
export function errorCode(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && /^[A-Z0-9_]{1,64}$/.test(code) ? code : 'closed';
}
