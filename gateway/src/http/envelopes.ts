/** The three error bodies of the contract (contract/errors#envelopes; contract/json-rpc#errors): JSON-RPC error, StandardError, ProblemDetails. */

import type { BodyOf } from '../api/body-schema.ts';
import type { standardError as standardErrorBody } from '../api/error-wire.ts';
import type { problemDetails as problemDetailsBody } from '../api/problem-wire.ts';
import { type RefusalReason, refusalReasons } from '../api/refusal.ts';
import { type Envelope, failures, urnPrefix } from './failures.ts';

export type FailureContext = {
  /** Replaces the catalogue's sentence: says what is wrong with this request, without secrets. */
  readonly detail?: string | undefined;
  /** The request's path with any key in it masked; asked only by the envelope that shows it. */
  readonly path: () => string;
  readonly requestId: string;
  readonly nowMs: number;
  /** Raw JSON text of the request's id, where it could be read. */
  readonly rpcId?: string | undefined;
  /** JSON text of a JSON-RPC error's `data`. */
  readonly rpcData?: string | undefined;
  /** Overrides the catalogue's hint. */
  readonly retryable?: boolean | undefined;
  /** Further members of a ProblemDetails (RFC 7807, 3.2). */
  readonly members?: Readonly<Record<string, unknown>> | undefined;
};

export type FailureBody = { readonly status: number; readonly contentType: string; readonly body: string };

export function envelopeOf(path: string): Envelope {
  return path === '/flow' || path.startsWith('/flow/') ? 'flow' : 'rest';
}

export function failureBody(envelope: Envelope, reason: RefusalReason, context: FailureContext): FailureBody {
  if (envelope === 'flow') return problemDetails(reason, context);
  if (envelope === 'rpc' && failures[reason].rpc !== undefined) return rpcError(reason, context);
  return standardError(reason, context);
}

/** `{"code":-32601,"message":"Method not allowed."` of every reason that has a JSON-RPC form, written once. */
const rpcHeads = new Map<RefusalReason, string>(
  refusalReasons.flatMap((reason) => {
    const row = failures[reason].rpc;
    return row === undefined ? [] : [[reason, `{"code":${row.code},"message":${JSON.stringify(row.message)}`] as const];
  }),
);

/** JSON-RPC 2.0, section 5.1; the message is the contract's to the letter, what is particular to the request goes into `data`. */
export function rpcErrorText(reason: RefusalReason, id: string, data?: string): string {
  const head = rpcHeads.get(reason);
  if (head === undefined) throw new Error(`${reason} has no JSON-RPC form`);
  return `{"jsonrpc":"2.0","id":${id},"error":${head}${data === undefined ? '' : `,"data":${data}`}}}`;
}

function rpcError(reason: RefusalReason, context: FailureContext): FailureBody {
  const data =
    context.rpcData ?? (context.detail === undefined ? undefined : JSON.stringify({ detail: context.detail }));
  return {
    status: failures[reason].rpc?.status ?? failures[reason].status,
    contentType: 'application/json',
    body: rpcErrorText(reason, context.rpcId ?? 'null', data),
  };
}

function standardError(reason: RefusalReason, context: FailureContext): FailureBody {
  const row = failures[reason];
  const body: BodyOf<typeof standardErrorBody> = {
    timestamp: context.nowMs,
    status: row.status,
    error: row.label,
    message: context.detail ?? row.message,
    path: context.path(),
  };
  return { status: row.status, contentType: 'application/json', body: JSON.stringify(body) };
}

/** RFC 7807. */
function problemDetails(reason: RefusalReason, context: FailureContext): FailureBody {
  const row = failures[reason];
  const body: BodyOf<typeof problemDetailsBody> = {
    ...context.members,
    type: `${urnPrefix}${row.urn}`,
    title: row.title,
    status: row.status,
    detail: context.detail ?? row.message,
    retryable: context.retryable ?? row.retryable,
    instance: context.requestId,
  };
  return { status: row.status, contentType: 'application/problem+json', body: JSON.stringify(body) };
}
