/** Reads a whole request body: checks its type, decompresses it, and enforces size limit, timeout and byte budget. */

import { ok, type Refused, type Result, refused } from '@flowgate/base/result';
import type { ByteBudget } from '@flowgate/bytes/byte-budget';
import { ByteBuffer } from '@flowgate/bytes/byte-buffer';
import { minAverageChunkBytes } from '@flowgate/http1/client/chunked-decoder';
import { bodyCodingOf } from '@flowgate/http1/compression/body-coding';
import { type BodyCoding, decodeCounted } from '@flowgate/http1/compression/counted-decoding';
import { tooManyChunks } from '@flowgate/http1/server/incoming-body';
import type { RequestBody } from '@flowgate/http1/server/incoming-request';
import { type BodyRefusal, BodyReservation, unreadable } from './body-reservation.ts';
import type { HeaderReader } from './header-reader.ts';

/** A request's body, or the reason for refusing it. */
export type ReceivedBody = Result<Uint8Array, BodyRefusal>;

export type BodyLimits = {
  readonly maxBytes: number;
  readonly timeoutMs: number;
  /** Smaller announced bodies are not counted: most arrive with their headers and use no more memory than a connection. */
  readonly countedFromBytes: number;
  /** Whether bodies in a content coding are decoded; otherwise they are refused. */
  readonly decodes: boolean;
};

/** Announced bodies up to this size are read synchronously when they have arrived. */
export const smallBodyBytes = 16_384;

/**
 * Decoding this many bytes takes no longer than refusing them. They are always decoded, so that an ordinary call is decided exactly and its id is in the
 * answer.
 */
export const freelyDecodedBytes = 4_096;

/** A timer for all bodies; `arm` returns a handle for `disarm`. */
export type BodyDeadlines<Handle> = {
  readonly arm: (ms: number, onDue: () => void) => Handle;
  readonly disarm: (handle: Handle) => void;
};

/** The request of a body; `RequestContext` implements it. */
export type BodyCarrier = HeaderReader & {
  readonly request: { readonly body: RequestBody };
  /** The body was built by this process from a body that is already charged, and is not charged again. */
  readonly isSubrequest: boolean;
  /** Set when reading ends: the body, or the reason for refusing it. */
  body: ReceivedBody | undefined;
  /** Set when the body is read to its end. */
  bodyIsRead: boolean;
  /** Set while the body is counted, until the request is answered. */
  freeBody: (() => void) | undefined;
};

/**
 * Sets `carrier.body`; returns a promise only when it has to wait. The bytes are charged to `owner` as they arrive, not as announced. `ownMaxBytes` is a
 * smaller limit; the configured one always applies.
 */
export type ReadBody = (carrier: BodyCarrier, owner: string, ownMaxBytes?: number) => Promise<undefined> | undefined;

export function createReadBody<Handle>(
  limits: BodyLimits,
  budget: ByteBudget,
  timerWheel: BodyDeadlines<Handle>,
): ReadBody {
  return (carrier, owner, ownMaxBytes = limits.maxBytes) => {
    const maxBytes = Math.min(ownMaxBytes, limits.maxBytes);
    const incoming = carrier.request.body;
    const { announced } = incoming;
    const coding = bodyCodingOf(carrier.header('content-encoding'));
    const refusal = refusalByHead(
      carrier,
      announced,
      maxBytes,
      coding === 'identity' || limits.decodes ? coding : 'other',
    );
    if (refusal !== undefined) return conclude(carrier, refusal);
    if (coding !== 'identity' && coding !== 'other') {
      const reservation = carrier.isSubrequest ? undefined : new BodyReservation(carrier, budget, owner);
      return receive(
        carrier,
        decoded(incoming, coding, reservation, maxBytes),
        limits.timeoutMs,
        timerWheel,
        reservation,
      );
    }
    const isCounted = !carrier.isSubrequest && announced >= limits.countedFromBytes;
    const reservation = isCounted ? new BodyReservation(carrier, budget, owner) : undefined;
    // Small bodies mostly arrive with their head.
    const whole = announced <= smallBodyBytes ? incoming.takeWhole() : undefined;
    if (whole !== undefined) {
      if (reservation?.reserve(whole.length) === false) return conclude(carrier, reservation.refusal);
      return complete(carrier, whole);
    }
    return receive(carrier, inParts(incoming, reservation, maxBytes), limits.timeoutMs, timerWheel, reservation);
  };
}

function complete(carrier: BodyCarrier, bytes: Uint8Array): undefined {
  carrier.bodyIsRead = true;
  carrier.body = ok(bytes);
}

function conclude(carrier: BodyCarrier, body: ReceivedBody): undefined {
  carrier.body = body;
}

const inTooManyChunks: Refused<BodyRefusal> = refused(
  'bad-request',
  `The request body has too many chunks: send chunks of at least ${minAverageChunkBytes} bytes on average.`,
);

type Arrival = Uint8Array | Refused<BodyRefusal>;

/** In characters; longer than any media type with its parameters. */
const maxTypeLength = 1_024;
const jsonType = /^(?:application\/(?:[\w.+-]*\+)?json(?:-?rpc|request)?|text\/json)$/;

/** A missing type counts as JSON; a charset other than UTF-8 is not JSON (RFC 8259, 8.1). */
export function isJsonType(contentType: string): boolean {
  if (contentType === 'application/json') return true;
  if (contentType.length > maxTypeLength) return false;
  const [type = '', ...parameters] = contentType
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  return (
    jsonType.test(type) &&
    parameters.every((parameter) => !parameter.startsWith('charset=') || /^charset="?utf-?8"?$/.test(parameter))
  );
}

function refusalByHead(
  head: HeaderReader,
  announced: number,
  maxBytes: number,
  coding: ReturnType<typeof bodyCodingOf>,
): Refused<BodyRefusal> | undefined {
  const contentType = head.header('content-type');
  if (contentType !== null && contentType !== '' && !isJsonType(contentType)) return refused('unsupported-media-type');
  if (coding === 'other') return refused('unsupported-media-type', 'Content-Encoding must be zstd, gzip or absent.');
  return announced > maxBytes && announced !== Number.POSITIVE_INFINITY ? tooLarge(maxBytes) : undefined;
}

/** Not `async` and without a race: on the path of requests, each avoidable promise costs more than the rest of this file. */
function receive<Handle>(
  carrier: BodyCarrier,
  arrival: Promise<Arrival>,
  timeoutMs: number,
  timerWheel: BodyDeadlines<Handle>,
  reservation: BodyReservation | undefined,
): Promise<undefined> {
  return new Promise((resolve) => {
    const refuse = (refusal: Refused<BodyRefusal>) => {
      reservation?.close();
      // The first outcome counts: a timeout does not revoke a body that has arrived, nor the reverse.
      carrier.body ??= refusal;
      resolve(undefined);
    };
    const handle = timerWheel.arm(timeoutMs, () => refuse(refused('request-timeout')));
    arrival.then(
      (arrived) => {
        timerWheel.disarm(handle);
        if (!(arrived instanceof Uint8Array)) return refuse(arrived);
        carrier.bodyIsRead = true;
        carrier.body ??= ok(arrived);
        resolve(undefined);
      },
      (cause) => {
        timerWheel.disarm(handle);
        refuse(cause === tooManyChunks ? inTooManyChunks : unreadable);
      },
    );
  });
}

/** Many chunks may be smaller than this. */
const smallPartBytes = 16_384;

/** Counts bytes as they arrive, and charges them to the byte budget if there is a reservation. */
async function inParts(
  incoming: RequestBody,
  reservation: BodyReservation | undefined,
  maxBytes: number,
): Promise<Arrival> {
  const isChunked = incoming.announced === Number.POSITIVE_INFINITY;
  const buffer = new ByteBuffer();
  for (;;) {
    const piece = await incoming.next();
    if (piece === undefined) return buffer.view();
    const isTooLarge = buffer.length + piece.length > maxBytes;
    if (isTooLarge || reservation?.reserve(piece.length) === false) {
      incoming.discard();
      return isTooLarge || reservation === undefined ? tooLarge(maxBytes) : reservation.refusal;
    }
    buffer.append(piece, 0, piece.length);
    // Bytes of one read of the socket are joined when the reader waits for the next turn. A reader that does not wait would receive each one-byte chunk
    // alone.
    if (isChunked && piece.length < smallPartBytes) await new Promise(setImmediate);
  }
}

const notDecodable: Refused<BodyRefusal> = refused(
  'bad-request',
  'The request body is not valid data of its Content-Encoding.',
);

/** The size limit applies to the body before and after decompression: decompression stops at the limit. */
async function decoded(
  incoming: RequestBody,
  coding: BodyCoding,
  reservation: BodyReservation | undefined,
  maxBytes: number,
): Promise<Arrival> {
  const arrived = await inParts(incoming, reservation, maxBytes);
  if (!(arrived instanceof Uint8Array)) return arrived;
  if (arrived.length === 0) return notDecodable;
  let length = 0;
  let windowBytes = 0;
  const mayContinue = (bytes: number) => {
    length += bytes;
    return length <= maxBytes && reservation?.reserve(bytes) !== false;
  };
  const outcome = await decodeCounted(arrived, coding, mayContinue, (bytes) => {
    // The decoder fills no more of the window than it decodes.
    windowBytes = Math.min(bytes, maxBytes);
    if (reservation?.reserve(windowBytes) !== false) return true;
    windowBytes = 0;
    return false;
  });
  reservation?.release(windowBytes);
  if (outcome instanceof Uint8Array) return outcome;
  if (outcome === 'malformed') return notDecodable;
  return length > maxBytes || reservation === undefined ? tooLarge(maxBytes) : reservation.refusal;
}

function tooLarge(maxBytes: number): Refused<'too-large'> {
  return refused('too-large', `A request body has at most ${maxBytes} bytes.`);
}
