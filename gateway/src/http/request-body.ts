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

export type ReadBody = (request: Request) => Promise<Result<Uint8Array, BodyRefusal>>;

export function createReadBody<Handle>(limits: BodyLimits, deadlines: BodyDeadlines<Handle>): ReadBody {
  return (request) => readBody(request, limits, deadlines);
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

async function readBody<Handle>(
  request: Request,
  limits: BodyLimits,
  deadlines: BodyDeadlines<Handle>,
): Promise<Result<Uint8Array, BodyRefusal>> {
  const { headers } = request;
  const contentType = headers.get('content-type');
  if (contentType !== null && contentType !== '' && !isJsonType(contentType)) return refused('unsupported-media-type');
  const encoding = headers.get('content-encoding');
  if (encoding !== null && encoding.toLowerCase() !== 'identity')
    return refused('unsupported-media-type', 'Compressed bodies are not accepted.');
  const length = headers.get('content-length');
  if (length !== null && Number(length) > limits.maxBytes) return tooLarge(limits);

  const { promise: late, resolve } = Promise.withResolvers<Refused<'request-timeout'>>();
  const handle = deadlines.arm(limits.timeoutMs, () => resolve(refused('request-timeout')));
  try {
    return await Promise.race([length === null ? readCounted(request, limits) : readAnnounced(request), late]);
  } finally {
    deadlines.disarm(handle);
  }
}

/** The runtime has checked that the body is as long as it announced. */
async function readAnnounced(request: Request): Promise<Result<Uint8Array, BodyRefusal>> {
  try {
    return ok(await request.bytes());
  } catch {
    return refused('bad-request', 'The request body could not be read.');
  }
}

/** A chunked body has no announced length: it is counted as it comes, and left as soon as it is too long. */
async function readCounted(request: Request, limits: BodyLimits): Promise<Result<Uint8Array, BodyRefusal>> {
  if (request.body === null) return ok(new Uint8Array());
  const parts: Uint8Array[] = [];
  let total = 0;
  try {
    for await (const part of request.body) {
      total += part.byteLength;
      if (total > limits.maxBytes) return tooLarge(limits);
      parts.push(part);
    }
  } catch {
    return refused('bad-request', 'The request body could not be read.');
  }
  return ok(Buffer.concat(parts));
}

function tooLarge(limits: BodyLimits): Refused<'too-large'> {
  return refused('too-large', `A request body has at most ${limits.maxBytes} bytes.`);
}
