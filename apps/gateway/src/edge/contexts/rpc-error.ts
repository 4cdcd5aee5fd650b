/** JSON-RPC error responses (JSON-RPC 2.0, section 5.1). Everything but the request's id is serialized once and cached. */

import { BoundedMap } from '@flowgate/async/bounded-map';
import type { ByteContent } from '@flowgate/bytes/byte-content';
import { type ByteRange, rangeOf } from '@flowgate/bytes/byte-range';
import type { ByteWriter } from '@flowgate/bytes/byte-writer';
import { type RefusalReason, refusalReasons, refusals } from '../../api/refusal.ts';

/** For every reason with a JSON-RPC form: `{"code":-32601,"message":"Method not allowed."`. */
const errors = new Map<RefusalReason, string>(
  refusalReasons.flatMap((reason) => {
    const row = refusals[reason].rpc;
    return row === undefined ? [] : [[reason, `{"code":${row.code},"message":${JSON.stringify(row.message)}`] as const];
  }),
);

/** Cached for each reason: the error without data, and mostly errors with the names of blocked methods. */
const maxCached = 256;
const maxCachedLength = 256;
const tails = new Map(
  refusalReasons.map((reason) => [reason, new BoundedMap<string | undefined, Uint8Array>(maxCached)]),
);

const head = Buffer.from('{"jsonrpc":"2.0","id":');
/** The id of an answer to a request whose id could not be read. */
export const noId = rangeOf('null');

/**
 * `id` and `data` are JSON texts. The message is exactly the contract's; details are in `data`.
 * @throws for a reason without a JSON-RPC form, which is a bug.
 */
export function rpcError(reason: RefusalReason, id: ByteRange, data?: string): ByteContent {
  return new ErrorContent(id, tailOf(reason, data));
}

function tailOf(reason: RefusalReason, data: string | undefined): Uint8Array {
  const known = tails.get(reason)?.get(data);
  if (known !== undefined) return known;
  const error = errors.get(reason);
  if (error === undefined) throw new Error(`${reason} has no JSON-RPC form`);
  const tail = Buffer.from(`,"error":${error}${data === undefined ? '' : `,"data":${data}`}}}`);
  if (data === undefined || data.length <= maxCachedLength) tails.get(reason)?.set(data, tail);
  return tail;
}

class ErrorContent implements ByteContent {
  constructor(
    private readonly id: ByteRange,
    private readonly tail: Uint8Array,
  ) {}

  get length(): number {
    return head.length + this.id.length + this.tail.length;
  }

  writeTo(writer: ByteWriter): void {
    const { id } = this;
    writer.put(head);
    writer.range(id.bytes, id.start, id.end);
    writer.put(this.tail);
  }
}
