/** What a call asks of an HTTP/1.1 client beyond its body, and what comes of it: a reply, or how it failed and whether the other side may have seen the request. */
import type { HeldBytes, NoRoom } from '../bytes/held-bytes.ts';

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
  /** Whether it may share a connection with others that are under way, and be sent a second time when that is lost: it must change nothing, and be answered soon. */
  readonly mayPipeline?: boolean | undefined;
  /**
   * Judges an answer before its connection is used again. False: answers may be out of step with requests, and the connection is
   * dropped. Not asked about `held` answers.
   */
  accepts?(status: number, body: string): boolean;
  /** Whether an answer that was not accepted is what a server says to a request that it cannot read: then it is no sign that answers are out of step with requests. */
  isRefusal?(body: string): boolean;
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

/** Asked all at once, first of every connection that is to carry several requests. The first question is the greeting's. */
export type PipelineTrial = {
  readonly questions: readonly {
    readonly body: string;
    readonly isAnswer: (status: number, body: string) => boolean;
  }[];
  readonly timeoutMs: number;
};

/** That a server answers requests in the order in which they came, several of a connection under way (RFC 9112 9.3.2). */
export type Pipelining = {
  readonly trial: PipelineTrial;
  /** The trial was passed, for the first time or again. */
  readonly turnedOn: () => void;
  /** It does not after all, and is asked one thing at a time for so long. `reason`: in words that hold nothing of an answer. */
  readonly turnedOff: (reason: string, ms: number) => void;
};

/**
 * - `connect`: no connection could be made (address, refusal, TLS, certificate, time).
 * - `unfit`: a connection was made, but its greeting was not answered as it has to be.
 * - `timeout`: the time for the whole call ran out while the answer was awaited; the connection is gone.
 * - `broken`: the connection ended before the answer was whole.
 * - `malformed`: the answer is not HTTP/1.1 as RFC 9112 has it; or it is compressed or its body not UTF-8, where no whole answer was asked for.
 * - `too-large`: the answer's body exceeds the limit.
 * - `owner-full`, `all-full`: the answer is large, and among those in flight there is no room for it.
 * - `overloaded`: every connection is busy, or the owner's share of them is, and the queue is full, or none became free in time.
 * - `released`: it waited for a connection and was sent away (`release`).
 * - `abandoned`: its caller left while it waited.
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

/** Everything of an answer, for the calls that ask for it. */
export type WholeAnswer = {
  /** By name in small letters; the values of a repeated field are joined with `, ` (RFC 9110 5.2). */
  readonly headers: ReadonlyMap<string, string>;
  /** The content as it was sent: compressed where `content-encoding` says so. */
  readonly bytes: Uint8Array;
};

export type Http1Reply =
  | {
      readonly ok: true;
      readonly status: number;
      /** Strictly decoded UTF-8; empty when the whole answer was asked for, or `held` is there. */
      readonly body: string;
      /** A large answer to a request that named its owner, undecoded. Whoever gets the reply has to release it. */
      readonly held?: HeldBytes;
      /** Present when it was asked for. */
      readonly whole?: WholeAnswer;
      /** The answer's `Retry-After` as it came, when there is one and no whole answer was asked for. */
      readonly retryAfter?: string;
    }
  | {
      readonly ok: false;
      readonly failure: Http1Failure;
      /** Whether any byte of the request may have left this machine. */
      readonly sent: boolean;
      /** For logs: holds no URL, no header and no secret. */
      readonly detail: string;
      /** What the answer said, for who only wants to know that, when its body alone was `too-large`. */
      readonly status?: number;
    };

export function failed(failure: Http1Failure, sent: boolean, detail: string): Http1Reply {
  return { ok: false, failure, sent, detail };
}

/** Of an error of a socket or a resolver what may be told: the code alone, since messages of resolvers and of TLS name hosts. */
export function errorCode(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && /^[A-Z0-9_]{1,64}$/.test(code) ? code : 'closed';
}
