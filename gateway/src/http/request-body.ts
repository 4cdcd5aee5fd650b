/** Reads a request's body whole: JSON by its type, uncompressed, within the size limit and in time. */

import type { RefusalReason } from '../access/refusal.ts';
import { ok, type Refused, type Result, refused } from '../platform/result.ts';

type BodyRefusal = Extract<RefusalReason, 'unsupported-media-type' | 'too-large' | 'request-timeout' | 'bad-request'>;

export type BodyLimits = { readonly maxBytes: number; readonly timeoutMs: number };

/** A timer shared by all bodies: `arm` answers a handle for `disarm`. */
export type BodyDeadlines<Handle> = {
  readonly arm: (ms: number, onDue: () => void) => Handle;
  readonly disarm: (handle: Handle) => void;
};

/** `maxBytes`: less than the configured limit, for bodies that are not worth as much. */
export type ReadBody = (request: Request, maxBytes?: number) => Promise<Result<Uint8Array, BodyRefusal>>;

export function createReadBody<Handle>(limits: BodyLimits, deadlines: BodyDeadlines<Handle>): ReadBody {
  return (request, maxBytes) => readBody(request, maxBytes === undefined ? limits : { ...limits, maxBytes }, deadlines);
}

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

/** Not an `async` function, and no race: on the request path each promise that is not needed costs more than the rest of this file. */
function readBody<Handle>(
  request: Request,
  limits: BodyLimits,
  deadlines: BodyDeadlines<Handle>,
): Promise<Result<Uint8Array, BodyRefusal>> {
  const { headers } = request;
  const contentType = headers.get('content-type');
  if (contentType !== null && contentType !== '' && !isJsonType(contentType))
    return Promise.resolve(refused('unsupported-media-type'));
  const encoding = headers.get('content-encoding');
  if (encoding !== null && encoding.toLowerCase() !== 'identity')
    return Promise.resolve(refused('unsupported-media-type', 'Compressed bodies are not accepted.'));
  const length = headers.get('content-length');
  if (length !== null && Number(length) > limits.maxBytes) return Promise.resolve(tooLarge(limits));

  return new Promise((resolve) => {
    const handle = deadlines.arm(limits.timeoutMs, () => resolve(refused('request-timeout')));
    const settle = (result: Result<Uint8Array, BodyRefusal>) => {
      deadlines.disarm(handle);
      resolve(result);
    };
    // The runtime has checked that an announced body is as long as it said; a chunked one is counted as it comes.
    const arrival = length === null ? countedBytes(request, limits.maxBytes) : request.bytes();
    arrival.then(
      (bytes) => settle(bytes === undefined ? tooLarge(limits) : ok(bytes)),
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

function tooLarge(limits: BodyLimits): Refused<'too-large'> {
  return refused('too-large', `A request body has at most ${limits.maxBytes} bytes.`);
}
