/** The three error bodies of the contract (contract/errors#envelopes; contract/json-rpc#errors): JSON-RPC error, StandardError, ProblemDetails. */

import type { BodyOf } from '@flowgate/body-schema/body-schema';
import type { ByteContent } from '@flowgate/bytes/byte-content';
import type { ByteRange } from '@flowgate/bytes/byte-range';
import type { problemDetails as problemDetailsBody } from '../../api/problem-wire.ts';
import { type RefusalReason, refusalReasons, refusals, urnPrefix } from '../../api/refusal.ts';
import type { Envelope } from './envelope.ts';
import { noId, rpcError } from './rpc-error.ts';

/** The members of the failed request that envelopes show. An envelope reads only the members that it shows. */
export type FailedRequest = {
  /** Its path; a key in it is masked. */
  readonly maskedPath: string;
  readonly requestId: string;
  /** Milliseconds since the Unix epoch. */
  readonly nowMs: () => number;
};

/** Details of a refusal that the catalog does not contain. */
export type ErrorDetails = {
  /** Replaces the catalog's sentence: what is wrong with this request. Contains no secrets. */
  readonly detail?: string | undefined;
  /** Raw JSON text of the request's id, if it could be read. */
  readonly rpcId?: ByteRange | undefined;
  /** JSON text of a JSON-RPC error's `data`. */
  readonly rpcData?: string | undefined;
  /** Rewrites a JSON-RPC error, given with its id, for a message of a JSON-RPC version other than 2.0. */
  readonly rpcForm?: ((content: ByteContent, id: ByteRange) => ByteContent) | undefined;
  /** Overrides the catalog's hint. */
  readonly retryable?: boolean | undefined;
  /** Further members of a ProblemDetails (RFC 7807, 3.2). */
  readonly members?: Readonly<Record<string, unknown>> | undefined;
};

export type FailureBody = {
  readonly status: number;
  readonly contentType: string;
  readonly body: string | ByteContent;
};

export function envelopeOf(path: string): Envelope {
  return path === '/flow' || path.startsWith('/flow/') ? 'flow' : 'rest';
}

export function failureBody(
  envelope: Envelope,
  reason: RefusalReason,
  request: FailedRequest,
  details: ErrorDetails = {},
): FailureBody {
  if (envelope === 'flow') return problemDetails(reason, request, details);
  if (envelope === 'rpc' && refusals[reason].rpc !== undefined) return rpcFailure(reason, details);
  return standardError(reason, request, details);
}

function rpcFailure(reason: RefusalReason, { detail, rpcId = noId, rpcData, rpcForm }: ErrorDetails): FailureBody {
  const data = rpcData ?? (detail === undefined ? undefined : JSON.stringify({ detail }));
  const content = rpcError(reason, rpcId, data);
  return {
    status: refusals[reason].rpc?.status ?? refusals[reason].status,
    contentType: 'application/json',
    body: rpcForm === undefined ? content : rpcForm(content, rpcId),
  };
}

/** For each reason: `,"status":404,"error":"Not found","message":` and the catalog's sentence, serialized once. */
const standardHeads = new Map(
  refusalReasons.map((reason) => {
    const { status, label, message } = refusals[reason];
    const head = `,"status":${status},"error":${JSON.stringify(label)},"message":`;
    return [reason, { status, head, message: JSON.stringify(message) }] as const;
  }),
);

/** `api/error-wire` describes it. */
function standardError(reason: RefusalReason, request: FailedRequest, { detail }: ErrorDetails): FailureBody {
  const row = standardHeads.get(reason);
  if (row === undefined) throw new Error(`${reason} is not in the catalog`);
  const message = detail === undefined ? row.message : JSON.stringify(detail);
  const body = `{"timestamp":${request.nowMs()}${row.head}${message},"path":${JSON.stringify(request.maskedPath)}}`;
  return { status: row.status, contentType: 'application/json', body };
}

/** RFC 7807. */
function problemDetails(
  reason: RefusalReason,
  { requestId }: FailedRequest,
  { detail, retryable, members }: ErrorDetails,
): FailureBody {
  const row = refusals[reason];
  const body: BodyOf<typeof problemDetailsBody> = {
    ...members,
    type: `${urnPrefix}${row.urn}`,
    title: row.title,
    status: row.status,
    detail: detail ?? row.message,
    retryable: retryable ?? row.retryable,
    instance: requestId,
  };
  return { status: row.status, contentType: 'application/problem+json', body: JSON.stringify(body) };
}
