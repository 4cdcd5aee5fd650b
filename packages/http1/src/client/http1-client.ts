/**
 * Posts content to one fixed URL over keep-alive HTTP/1.1 connections, at a fraction of the cost of `fetch`. Resends
 * only calls that may be pipelined, once.
 */
import { type ByteContent, TextContent } from '@flowgate/bytes/byte-content';
import type { EvaluatedCall, Greeting, Http1Call, Http1Reply, Pipelining } from './http1-call.ts';
import { EvaluatedExchange, PlainExchange } from './http1-exchange.ts';
import { type Http1OriginOptions, originOf } from './http1-origin.ts';
import { Http1Pool } from './http1-pool.ts';
import type { WholeRequest } from './http1-request.ts';

export type Http1Client = {
  /**
   * Sends one POST and resolves exactly once; it never rejects. Any status is an answer: redirects are not
   * followed. A request of which a byte may have left is not sent again, except one that may be pipelined; whether to repeat it is the caller's decision.
   */
  post(body: string, call?: Http1Call): Promise<Http1Reply>;
  /**
   * Like `post`, for content that is written when it is sent, which may be twice. Resolves with the result of
   * `outcome`, and rejects if that throws or rejects.
   */
  ask<T>(content: ByteContent, call: EvaluatedCall<T>): Promise<T>;
  /**
   * Like `post`, for a request with its own head and limits. The reply has the `whole` answer, in any content coding.
   */
  send(request: WholeRequest): Promise<Http1Reply>;
  /**
   * Ends the waiting calls that can use another server (`released`). With `drop`, no connection that is open now carries another call:
   * idle ones close now, busy ones after their answer.
   */
  release(drop: boolean): void;
  /** Fails all calls in flight (`broken`) and closes every connection. */
  close(): void;
  /** The numbers of established connections, of idle ones, and of calls that have no connection yet. */
  stats(): { open: number; idle: number; waiting: number };
};

export type Http1ClientOptions = Http1OriginOptions & {
  /** Default 256. */
  readonly maxConnections?: number;
  /** The most calls that may wait for a connection when all are busy; default 1024. */
  readonly maxWaiting?: number;
  /** Milliseconds for a whole call, including the wait for a connection; the default for calls that do not set their own. */
  readonly timeoutMs: number;
  /** Sent first on every new connection. A connection that answers it wrongly, or too late, carries no call. */
  readonly greeting?: Greeting;
  /** Enables pipelining: up to eight connections then carry several pipelinable calls at once. Without it each connection carries one call at a time. */
  readonly pipelining?: Pipelining | undefined;
};

/** @throws TypeError for a URL or a header that cannot be sent; the message contains neither. */
export function createHttp1Client(options: Http1ClientOptions): Http1Client {
  const limits = { maxConnections: options.maxConnections ?? 256, maxWaiting: options.maxWaiting ?? 1024 };
  const pool = new Http1Pool(originOf(options), limits, options.greeting, options.pipelining);
  const ordinary: Http1Call = { timeoutMs: options.timeoutMs };
  const { timerWheel } = options;
  return {
    post: (body, call = ordinary) =>
      new Promise((resolve) =>
        pool.carry(new PlainExchange(new TextContent(body), undefined, call, timerWheel, resolve)),
      ),
    ask: (content, call) =>
      new Promise((resolve) => pool.carry(new EvaluatedExchange(content, call, timerWheel, resolve))),
    send: (request) =>
      new Promise((resolve) =>
        pool.carry(new PlainExchange(new TextContent(request.body), request, request, timerWheel, resolve)),
      ),
    release: (drop) => pool.release(drop),
    close: () => pool.close(),
    stats: () => pool.stats(),
  };
}
