/** Decodes a JSON-RPC body into its calls, which determine its cost (contract/json-rpc#messages). */

import { isUtf8 } from 'node:buffer';
import type { TimeSlices } from '@flowgate/async/time-slices';
import type { ByteRange } from '@flowgate/bytes/byte-range';
import { decodeLargeBody, largeBodyBytes } from '../../rpc/decode-large-body.ts';
import { type DecodedBody, decodeBody } from '../../rpc/message.ts';
import { costOf, type Messages } from '../../rpc/serve-body.ts';
import type { AccessControl } from '../contexts/access-control.ts';
import type { ReceivedBody } from '../contexts/request-body.ts';
import type { Refusal } from '../contexts/request-context.ts';
import type { RpcContext } from '../contexts/rpc-context.ts';

type BatchLimits = Pick<AccessControl, 'limiter'> & { readonly maxBatch: number };

type Decoding = BatchLimits & { readonly slices: TimeSlices };

/**
 * At most the user's whole limit: a longer batch would exceed the limit at any time, so it is refused as too large and not as too early
 * (contract/json-rpc#batches).
 */
export function maxMessages({ limiter, maxBatch }: BatchLimits, context: RpcContext): number {
  return Math.min(maxBatch, limiter.userLimit(context.caller.userId));
}

/** Returns a promise for large bodies only, which are decoded in time slices. */
export function decodeMessages(
  services: Decoding,
  context: RpcContext,
): Refusal | undefined | Promise<Refusal | undefined> {
  const { body, target } = context;
  const max = maxMessages(services, context);
  if (body?.ok !== true || body.value.length <= largeBodyBytes)
    return take(context, decode(body, max, target.takesVersion1));
  if (!isUtf8(body.value)) return notUtf8;
  return decodeLargeBody(body.value, max, target.takesVersion1, services.slices).then((decoded) =>
    take(context, evaluated(decoded, max)),
  );
}

function take(context: RpcContext, decoded: Messages | Refusal): Refusal | undefined {
  if ('reason' in decoded) return decoded;
  context.messages = decoded;
  context.cost = costOf(decoded);
  return undefined;
}

/** The raw JSON text of the id in a body of one message; undefined when it cannot be read. */
export function readableId(context: RpcContext, maxBatch: number): ByteRange | undefined {
  const decoded = decode(context.body, maxBatch);
  return 'reason' in decoded || decoded.kind === 'batch' ? undefined : decoded.message.id;
}

const unread: Refusal = { reason: 'internal' };
const notUtf8: Refusal = { reason: 'parse-error', detail: 'The body is not UTF-8.' };

function decode(body: ReceivedBody | undefined, maxBatch: number, takesVersion1?: boolean): Messages | Refusal {
  if (body === undefined) return unread;
  if (!body.ok) return body;
  return isUtf8(body.value) ? evaluated(decodeBody(body.value, maxBatch, takesVersion1), maxBatch) : notUtf8;
}

function evaluated(decoded: DecodedBody, maxBatch: number): Messages | Refusal {
  if (decoded.kind === 'unparsable') return { reason: 'parse-error', detail: decoded.detail };
  if (decoded.kind === 'too-many') return { reason: 'too-large', detail: `A batch has at most ${maxBatch} messages.` };
  return decoded;
}
