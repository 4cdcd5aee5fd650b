/** Reads a request's body whole: JSON by its type, uncompressed, within the size limit and in time. */

import type { RefusalReason } from '../access/refusal.ts';
import { ok, type Refused, type Result, refused } from '../platform/result.ts';

type BodyRefusal = Extract<
  RefusalReason,
  'unsupported-media-type' | 'too-large' | 'request-timeout' | 'bad-request' | 'unavailable'
>;

export type BodyLimits = {
  readonly maxBytes: number;
  readonly timeoutMs: number;
  /** Bytes of large bodies that may be on their way at once, over all callers: what withheld ends can hold in memory. */
  readonly maxBytesInFlight: number;
};

/** Smaller bodies mostly come with their headers and are not counted: they are always let in. */
const smallBodyBytes = 65_536;

/** Whether it is worth asking first if the body can be of any use. */
export function isLargeBody(request: Request): boolean {
  const length = request.headers.get('content-length');
  return length === null || Number(length) > smallBodyBytes;
}

/** A timer shared by all bodies: `arm` answers a handle for `disarm`. */
export type BodyDeadlines<Handle> = {
  readonly arm: (ms: number, onDue: () => void) => Handle;
  readonly disarm: (handle: Handle) => void;
};

/** `mostBytes`: for bodies that are not worth as much as the configured limit, which holds in any case. */
export type ReadBody = (request: Request, mostBytes?: number) => Promise<Result<Uint8Array, BodyRefusal>>;

export function createReadBody<Handle>(limits: BodyLimits, deadlines: BodyDeadlines<Handle>): ReadBody {
  let inFlightBytes = 0;
  const most = Math.max(limits.maxBytesInFlight, limits.maxBytes);
  return (request, mostBytes = limits.maxBytes) => {
    const maxBytes = Math.min(mostBytes, limits.maxBytes);
    const refusal = refusalByHeaders(request.headers, maxBytes);
    if (refusal !== undefined) return Promise.resolve(refusal);
    if (!isLargeBody(request)) return receive(request, maxBytes, limits.timeoutMs, deadlines);
    const reserved = Number(request.headers.get('content-length') ?? maxBytes);
    if (inFlightBytes + reserved > most) return Promise.resolve(crowded);
    inFlightBytes += reserved;
    return receive(request, maxBytes, limits.timeoutMs, deadlines).finally(() => {
      inFlightBytes -= reserved;
    });
  };
}

const crowded: Refused<'unavailable'> = refused('unavailable', 'Too many large request bodies are on their way.');

const jsonType = /^(?:application\/(?:[\w.+-]*\+)?json(?:-?rpc|request)?|text\/json)$/;

/** A missing type is taken as JSON; a charset other than UTF-8 is not JSON (RFC 8259, 8.1). */
export function isJsonType(contentType: string): boolean {
  if (contentType === 'application/json') return true;
  const [type = '', ...parameters] = contentType
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  return (
    jsonType.test(type) &&
    parameters.every((parameter) => !parameter.startsWith('charset=') || /^charset="?utf-?8"?$/.test(parameter))
  );
}

function refusalByHeaders(headers: Headers, maxBytes: number): Refused<BodyRefusal> | undefined {
  const contentType = headers.get('content-type');
  if (contentType !== null && contentType !== '' && !isJsonType(contentType)) return refused('unsupported-media-type');
  const encoding = headers.get('content-encoding');
  if (encoding !== null && encoding.toLowerCase() !== 'identity')
    return refused('unsupported-media-type', 'Compressed bodies are not accepted.');
  return Number(headers.get('content-length') ?? 0) > maxBytes ? tooLarge(maxBytes) : undefined;
}

/** Not an `async` function, and no race: on the request path each promise that is not needed costs more than the rest of this file. */
function receive<Handle>(
  request: Request,
  maxBytes: number,
  timeoutMs: number,
  deadlines: BodyDeadlines<Handle>,
): Promise<Result<Uint8Array, BodyRefusal>> {
  return new Promise((resolve) => {
    const handle = deadlines.arm(timeoutMs, () => resolve(refused('request-timeout')));
    const settle = (result: Result<Uint8Array, BodyRefusal>) => {
      deadlines.disarm(handle);
      resolve(result);
    };
    // The runtime has checked that an announced body is as long as it said; a chunked one is counted as it comes.
    const isAnnounced = request.headers.get('content-length') !== null;
    const arrival = isAnnounced ? request.bytes() : countedBytes(request, maxBytes);
    arrival.then(
      (bytes) => settle(bytes === undefined ? tooLarge(maxBytes) : ok(bytes)),
      () => settle(refused('bad-request', 'The request body could not be read.')),
    );
  });
}

/** Undefined as soon as there are more bytes than allowed. */
async function countedBytes(request: Request, maxBytes: number): Promise<Uint8Array | undefined> {
  if (request.body === null) return new Uint8Array();
  const parts: Uint8Array[] = [];
  let total = 0;
  for await (const part of request.body) {
    total += part.byteLength;
    if (total > maxBytes) return undefined;
    parts.push(part);
  }
  return Buffer.concat(parts);
}

function tooLarge(maxBytes: number): Refused<'too-large'> {
  return refused('too-large', `A request body has at most ${maxBytes} bytes.`);
}
