/** The one error that the client throws: what the gateway refused, in which of its envelopes, and what a caller may do about it. */

import type { JsonRpcError, ProblemDetails, StandardError } from './wire.ts';

/** What went wrong, by the shape in which we learned it (interface, Errors). */
export type FlowgateFailure =
  | { readonly kind: 'standard'; readonly body: StandardError }
  | { readonly kind: 'problem'; readonly body: ProblemDetails }
  /** The gateway's own JSON-RPC errors and, with status 200, those that the node answered. */
  | { readonly kind: 'json-rpc'; readonly body: JsonRpcError }
  /** An answer in no shape that the gateway gives, such as a load balancer's page. */
  | { readonly kind: 'unreadable' }
  /** No whole answer: connection refused or broken, a redirect, or the time was up. The request may have been executed. */
  | { readonly kind: 'no-answer' };

/** From the `X-RateLimit-*` headers: the tighter of the limits that the request counted against (decisions 9). */
export type RateLimit = {
  readonly limit: number;
  readonly remaining: number;
  /** Unix time in seconds at which the oldest request leaves the window. */
  readonly resetSeconds: number;
};

/** What an answer's status line and headers tell. */
export type AnswerFacts = {
  /** HTTP status; 0 when there was no answer. 200 for a JSON-RPC error of the node, or of one call in a batch. */
  readonly status: number;
  /** `X-Request-Id`: what an operator finds the request by. */
  readonly requestId: string | undefined;
  /** `Retry-After`, on 429 and 503: waiting that long suffices, unless others spend the room first. */
  readonly retryAfterSeconds: number | undefined;
  /** Absent on answers given before authentication. */
  readonly rateLimit: RateLimit | undefined;
};

export const noAnswerFacts: AnswerFacts = {
  status: 0,
  requestId: undefined,
  retryAfterSeconds: undefined,
  rateLimit: undefined,
};

/** Holds neither key nor token, so that it may be logged. `message` is the gateway's own sentence. */
export class FlowgateError extends Error implements AnswerFacts {
  override readonly name = 'FlowgateError';
  /** The whole error body, told apart by `kind`. */
  readonly failure: FlowgateFailure;
  readonly status: number;
  readonly requestId: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly rateLimit: RateLimit | undefined;

  constructor(message: string, failure: FlowgateFailure, facts: AnswerFacts, options?: ErrorOptions) {
    super(message, options);
    this.failure = failure;
    this.status = facts.status;
    this.requestId = facts.requestId;
    this.retryAfterSeconds = facts.retryAfterSeconds;
    this.rateLimit = facts.rateLimit;
  }

  get kind(): FlowgateFailure['kind'] {
    return this.failure.kind;
  }

  /** The JSON-RPC error code, for example -32001 for invalid credentials; `undefined` for every other kind. */
  get code(): number | undefined {
    return this.failure.kind === 'json-rpc' ? this.failure.body.code : undefined;
  }
}
