/** The client's only error class: the gateway's refusal, its body, and what the caller can do. */

import { hasMembers, isObject } from './shape.ts';
import type { JsonRpcError, ProblemDetails, StandardError } from './wire.ts';

/** The form of the failure (contract/errors#envelopes). */
export type FlowgateFailure =
  | { readonly kind: 'standard'; readonly body: StandardError }
  | { readonly kind: 'problem'; readonly body: ProblemDetails }
  /** The gateway's own JSON-RPC errors and, with status 200, those that the node answered. */
  | { readonly kind: 'json-rpc'; readonly body: JsonRpcError }
  /** An answer in a form that the gateway never gives, such as a load balancer's page, a redirect, or one without end. */
  | { readonly kind: 'unreadable' }
  /** No whole answer: connection refused or broken, or the time was up. The request may have been executed. */
  | { readonly kind: 'no-answer'; readonly isTimeout?: true };

/** The `X-RateLimit-*` headers: the tighter of the limits that the request counted against (contract/limits#headers). */
export type RateLimit = {
  readonly limit: number;
  readonly remaining: number;
  /** Unix time in seconds at which the oldest request leaves the window. */
  readonly resetSeconds: number;
};

/** The facts in an answer's status line and headers. */
export type AnswerFacts = {
  /** HTTP status; 0 without an answer. 200 for a JSON-RPC error of the node, or of one call in a batch. */
  readonly status: number;
  /** `X-Request-Id`, with which an operator finds the request. */
  readonly requestId: string | undefined;
  /** `Retry-After` in seconds, on 429 and 503: a retry after this time succeeds unless other requests use up the limit first. */
  readonly retryAfter: number | undefined;
  /** Absent on answers that precede authentication. */
  readonly rateLimit: RateLimit | undefined;
  /** With `trace`: the nodes that answered, `cache` or `coalesced` (contract/json-rpc#trace). */
  readonly servedBy: readonly string[] | undefined;
  /** With `trace`: the number of nodes that were called. */
  readonly attempts: number | undefined;
  /** Whether a node that a user registered, instead of an operator's node, contributed to the answer. */
  readonly isOfUserNode: boolean;
};

export const noAnswerFacts: AnswerFacts = {
  status: 0,
  requestId: undefined,
  retryAfter: undefined,
  rateLimit: undefined,
  servedBy: undefined,
  attempts: undefined,
  isOfUserNode: false,
};

/** One problem that a Flow App found in a submission. */
export type FieldFinding = { readonly fieldId?: string; readonly message: string };

/** Contains no key and no token, so it may be logged. `message` is the gateway's own sentence. */
export class FlowgateError extends Error implements AnswerFacts {
  override readonly name = 'FlowgateError';
  /** The whole error body, distinguished by `kind`. */
  readonly failure: FlowgateFailure;
  readonly status: number;
  readonly requestId: string | undefined;
  readonly retryAfter: number | undefined;
  readonly rateLimit: RateLimit | undefined;
  readonly servedBy: readonly string[] | undefined;
  readonly attempts: number | undefined;
  readonly isOfUserNode: boolean;

  constructor(message: string, failure: FlowgateFailure, facts: AnswerFacts, options?: ErrorOptions) {
    super(message, options);
    this.failure = failure;
    this.status = facts.status;
    this.requestId = facts.requestId;
    this.retryAfter = facts.retryAfter;
    this.rateLimit = facts.rateLimit;
    this.servedBy = facts.servedBy;
    this.attempts = facts.attempts;
    this.isOfUserNode = facts.isOfUserNode;
  }

  get kind(): FlowgateFailure['kind'] {
    return this.failure.kind;
  }

  /** The JSON-RPC error code, for example -32001 for invalid credentials; `undefined` for any other kind. */
  get code(): number | undefined {
    return this.failure.kind === 'json-rpc' ? this.failure.body.code : undefined;
  }

  /** The JSON-RPC error's `data`; for a revert, its bytes. */
  get data(): unknown {
    return this.failure.kind === 'json-rpc' ? this.failure.body.data : undefined;
  }

  /** Whether the call's time limit was exceeded. */
  get isTimeout(): boolean {
    return this.failure.kind === 'no-answer' && this.failure.isTimeout === true;
  }

  /** The type of the ProblemDetails, for example `urn:svc:error:conflict`; `undefined` outside `/flow/*`. */
  get type(): string | undefined {
    return this.failure.kind === 'problem' ? this.failure.body.type : undefined;
  }

  /** Whether the same request may succeed later, if the gateway says so in ProblemDetails; otherwise `undefined`. */
  get retryable(): boolean | undefined {
    return this.failure.kind === 'problem' ? this.failure.body.retryable : undefined;
  }

  /** On 402: the accepted payments, as x402's PaymentRequirements. Pay one and submit again with `payment`. */
  get accepts(): readonly Readonly<Record<string, unknown>>[] | undefined {
    const accepts = this.furtherMember('accepts');
    return Array.isArray(accepts) && accepts.every(isObject) ? accepts : undefined;
  }

  /** On 400 below `/flow/`: all problems that the gateway or the app found, each with its field if it has one. */
  get errors(): readonly FieldFinding[] | undefined {
    const errors = this.furtherMember('errors');
    return Array.isArray(errors) && errors.every(isFinding) ? errors : undefined;
  }

  /** The additional members of ProblemDetails (RFC 7807, 3.2). */
  private furtherMember(name: string): unknown {
    const body: unknown = this.failure.kind === 'problem' ? this.failure.body : undefined;
    return isObject(body) ? body[name] : undefined;
  }
}

function isFinding(value: unknown): value is FieldFinding {
  return hasMembers(value, { message: 's', 'fieldId?': 's' });
}
