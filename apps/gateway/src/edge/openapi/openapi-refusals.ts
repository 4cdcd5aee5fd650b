/** The refusals of an operation as OpenAPI responses. The functions that make real refusals also make the examples. */

import type { BodySchema } from '@flowgate/body-schema/body-schema';
import { bytesOf } from '@flowgate/bytes/byte-content';
import { rangeOf } from '@flowgate/bytes/byte-range';
import { jsonRpc1Error, jsonRpcError, standardError } from '../../api/error-wire.ts';
import type { Components, Schema } from '../../api/json-schema.ts';
import { examplePaymentMembers, paymentRequired, problemDetails } from '../../api/problem-wire.ts';
import { type RefusalReason, refusals } from '../../api/refusal.ts';
import type { Route } from '../../api/route.ts';
import type { Envelope } from '../contexts/envelope.ts';
import { failureBody } from '../contexts/failure-body.ts';
import type { Content, Example, HeaderRef, Response } from './openapi-document.ts';

/** Refusals that are decided before the limiter: these answers have no rate-limit headers. */
const beforeLimits: ReadonlySet<RefusalReason> = new Set([
  'credential-missing',
  'credential-invalid',
  'credential-unverifiable',
  'method-not-allowed',
]);
/** Occurs only as an element of a batch's answer, whose status is 200. */
const onlyInBatches: ReadonlySet<RefusalReason> = new Set(['message-denied', 'unanswered']);
/** The `data` of a JSON-RPC refusal, where it is part of the contract (contract/json-rpc). */
const exampleData: Partial<Record<RefusalReason, string>> = {
  'method-blocked': '{"reason":"method_blocked","method":"admin_peers"}',
  'method-not-enabled': '{"reason":"method_not_enabled","method":"trace_block"}',
};
/** Reasons whose error has the JSON-RPC version of the message, 2.0 or 1.0. */
const versioned: ReadonlySet<RefusalReason> = new Set(['invalid-request', 'method-blocked', 'method-not-enabled']);
/** Reasons whose error has no id, because none could be read. */
const withoutId: ReadonlySet<RefusalReason> = new Set(['parse-error', 'internal']);

export const exampleTimeMs = Date.UTC(2026, 10, 21, 10);

const header = (name: string): HeaderRef => ({ $ref: `#/components/headers/${name}` });

export function headerRefs(names: readonly string[]): Readonly<Record<string, HeaderRef>> {
  return Object.fromEntries(names.map((name) => [name, header(name)]));
}

/** The last two on answers of 1 KiB and more. */
export const alwaysHeaders = headerRefs(['X-Request-Id', 'Vary', 'Content-Encoding']);
/** On JSON-RPC: the first two when the caller asks for them. */
export const traceHeaders = headerRefs(['X-Flowgate-Served-By', 'X-Flowgate-Attempts', 'X-Flowgate-Node-Owner']);
export const limitHeaders = {
  'X-RateLimit-Limit': header('X-RateLimit-Limit'),
  'X-RateLimit-Remaining': header('X-RateLimit-Remaining'),
  'X-RateLimit-Reset': header('X-RateLimit-Reset'),
};

type Refusal = {
  readonly status: number;
  readonly contentType: string;
  readonly schema: BodySchema;
  readonly value: unknown;
};

/** The answer for `reason` at `path`. */
export function refusalExample(envelope: Envelope, reason: RefusalReason, path: string): Refusal {
  const request = { maskedPath: path, requestId: 'req_x2Zk81QeVb0q00001', nowMs: () => exampleTimeMs };
  const { status, contentType, body } = failureBody(envelope, reason, request, {
    rpcId: rangeOf(withoutId.has(reason) ? 'null' : '1'),
    rpcData: exampleData[reason],
    members: reason === 'payment-required' ? examplePaymentMembers : undefined,
  });
  const value: unknown = JSON.parse(typeof body === 'string' ? body : Buffer.from(bytesOf(body)).toString());
  return { status, contentType, schema: schemaOf(envelope, reason), value };
}

export type RefusalsOf = {
  readonly envelope: Envelope;
  readonly reasons: readonly RefusalReason[];
  readonly path: string;
  /** Whether the limiter is asked before the refusal. */
  readonly limited: boolean;
  readonly further?: Route['doc']['refusalHeaders'];
};

/** One response for each status. A status with several reasons has an example of each. */
export function refusalResponses(
  { envelope, reasons, path, limited, further }: RefusalsOf,
  components: Components,
): Readonly<Record<string, Response>> {
  const answered = [...new Set(reasons)].filter((reason) => !onlyInBatches.has(reason));
  const examples = answered.map((reason) => ({ reason, ...refusalExample(envelope, reason, path) }));
  const byStatus = [...Map.groupBy(examples, ({ status }) => status)].sort(([a], [b]) => a - b);
  return Object.fromEntries(
    byStatus.map(([status, group]): [string, Response] => [
      String(status),
      {
        description: [...new Set(group.map(({ reason }) => refusals[reason].message))].join(' '),
        headers: {
          ...alwaysHeaders,
          ...(envelope === 'rpc' ? traceHeaders : {}),
          ...(limited && group.some(({ reason }) => !beforeLimits.has(reason)) ? limitHeaders : {}),
          ...statusHeaders(status),
          ...(further !== undefined && group.some(({ reason }) => further.reasons.includes(reason))
            ? headerRefs(further.names)
            : {}),
        },
        content: contentOf(group, components),
      },
    ]),
  );
}

function contentOf(group: readonly (Refusal & { readonly reason: RefusalReason })[], components: Components): Content {
  return Object.fromEntries(
    [...Map.groupBy(group, ({ contentType }) => contentType)].map(([contentType, of]) => [
      contentType,
      { schema: oneOf([...new Set(of.flatMap(schemasOf))], components), examples: examplesOf(of) },
    ]),
  );
}

function schemasOf({ schema, reason }: Refusal & { readonly reason: RefusalReason }): readonly BodySchema[] {
  return schema === jsonRpcError && versioned.has(reason) ? [schema, jsonRpc1Error] : [schema];
}

function examplesOf(group: readonly (Refusal & { readonly reason: RefusalReason })[]): Record<string, Example> {
  return Object.fromEntries(group.map(({ reason, value }) => [reason, { summary: refusals[reason].message, value }]));
}

function oneOf(bodies: readonly BodySchema[], components: Components): Schema {
  const refs = bodies.map((body) => components.ref(body, 'output'));
  const [only, ...more] = refs;
  return only !== undefined && more.length === 0 ? only : { oneOf: refs };
}

function schemaOf(envelope: Envelope, reason: RefusalReason): BodySchema {
  if (envelope === 'flow') return reason === 'payment-required' ? paymentRequired : problemDetails;
  return envelope === 'rpc' && refusals[reason].rpc !== undefined ? jsonRpcError : standardError;
}

function statusHeaders(status: number): Record<string, HeaderRef> {
  if (status === 401) return { 'WWW-Authenticate': header('WWW-Authenticate') };
  if (status === 402) return headerRefs(['PAYMENT-REQUIRED', 'Cache-Control']);
  if (status === 415) return headerRefs(['Accept-Encoding']);
  if (status === 426) return { 'Sec-WebSocket-Version': header('Sec-WebSocket-Version') };
  if (status === 405) return { Allow: header('Allow') };
  return status === 429 || status === 503 ? { 'Retry-After': header('Retry-After') } : {};
}
