/** The one error that the client throws: the refusal, its envelope, and what a caller may do about it. */

import { hasMembers, isObject } from './shape.ts';
import type { JsonRpcError, ProblemDetails, StandardError } from './wire.ts';

/** What went wrong, by the form in which it came (contract/errors#envelopes). */
export type FlowgateFailure =
  | { readonly kind: 'standard'; readonly body: StandardError }
  | { readonly kind: 'problem'; readonly body: ProblemDetails }
  /** The gateway's own JSON-RPC errors and, with status 200, those that the node answered. */
  | { readonly kind: 'json-rpc'; readonly body: JsonRpcError }
  /** An answer in a form that the gateway never gives, such as a load balancer's page, a redirect, or one without end. */
  | { readonly kind: 'unreadable' }
  /** No whole answer: connection refused or broken, or the time was up. The request may have been executed. */
  | { readonly kind: 'no-answer'; readonly isTimeout?: true };

/** From the `X-RateLimit-*` headers: the tighter of the limits that the request counted against (contract/limits#headers). */
export type RateLimit = {
  readonly limit: number;
  readonly remaining: number;
  /** Unix time in seconds at which the oldest request leaves the window. */
  readonly resetSeconds: number;
};

/** The facts in an answer's status line and headers. */
export type AnswerFacts = {
  /** HTTP status; 0 when there was no answer. 200 for a JSON-RPC error of the node, or of one call in a batch. */
  readonly status: number;
  /** `X-Request-Id`, by which an operator finds the request. */
  readonly requestId: string | undefined;
  /** `Retry-After` in seconds, on 429 and 503: waiting that long is enough, unless others use the room first. */
  readonly retryAfter: number | undefined;
  /** Absent on answers from before authentication. */
  readonly rateLimit: RateLimit | undefined;
  /** Of a call with `trace`: the nodes that answered, `cache` or `coalesced` (contract/json-rpc#trace). */
  readonly servedBy: readonly string[] | undefined;
  /** Of a call with `trace`: how many nodes were asked. */
  readonly attempts: number | undefined;
  /** A node that a user registered, and not the operator, gave a part of the answer. */
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

/** Contains neither key nor token, so it may be logged. `message` is the gateway's own sentence. */
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

  /** The JSON-RPC error code, for example -32001 for invalid credentials; `undefined` for every other kind. */
  get code(): number | undefined {
    return this.failure.kind === 'json-rpc' ? this.failure.body.code : undefined;
  }

  /** What a JSON-RPC error says beside its message: of a revert, its bytes. */
  get data(): unknown {
    return this.failure.kind === 'json-rpc' ? this.failure.body.data : undefined;
  }

  /** Whether the time for the call was up. */
  get isTimeout(): boolean {
    return this.failure.kind === 'no-answer' && this.failure.isTimeout === true;
  }

  /** The ProblemDetails' class, for example `urn:svc:error:conflict`; `undefined` outside `/flow/*`. */
  get type(): string | undefined {
    return this.failure.kind === 'problem' ? this.failure.body.type : undefined;
  }

  /** Whether the same request may succeed later, if the gateway says so: ProblemDetails' hint; otherwise `undefined`. */
  get retryable(): boolean | undefined {
    return this.failure.kind === 'problem' ? this.failure.body.retryable : undefined;
  }

  /** On 402: the accepted payments, as x402's PaymentRequirements; pay one and submit again with `payment`. */
  get accepts(): readonly Readonly<Record<string, unknown>>[] | undefined {
    const accepts = this.furtherMember('accepts');
    return Array.isArray(accepts) && accepts.every(isObject) ? accepts : undefined;
  }

  /** On 400 below `/flow/`: all problems that the gateway or the app found, with the field of each that has one. */
  get errors(): readonly FieldFinding[] | undefined {
    const errors = this.furtherMember('errors');
    return Array.isArray(errors) && errors.every(isFinding) ? errors : undefined;
  }

  /** The further members of a ProblemDetails (RFC 7807, 3.2). */
  private furtherMember(name: string): unknown {
    const body: unknown = this.failure.kind === 'problem' ? this.failure.body : undefined;
    return isObject(body) ? body[name] : undefined;
  }
}

function isFinding(value: unknown): value is FieldFinding {
  return hasMembers(value, { message: 's', 'fieldId?': 's' });
}
