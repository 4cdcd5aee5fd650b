/** Reads a whole request body: JSON by its type, decompressed, within the size limit, in time, and within the byte budget for bodies. */

import { ok, type Refused, type Result, refused } from '@flowgate/base/result';
import type { ByteBudget } from '@flowgate/bytes/byte-budget';
import { ByteBuffer } from '@flowgate/bytes/byte-buffer';
import { minAverageChunkBytes } from '@flowgate/http1/client/chunked-decoder';
import { bodyCodingOf } from '@flowgate/http1/compression/body-coding';
import { type BodyCoding, decodeCounted } from '@flowgate/http1/compression/counted-decoding';
import { tooManyChunks } from '@flowgate/http1/server/incoming-body';
import type { RequestBody } from '@flowgate/http1/server/incoming-request';
import { type BodyRefusal, BodyRoom, unreadable } from './body-room.ts';
import type { HeaderReader } from './header-reader.ts';

/** A request's body, or the reason for refusing it. */
export type ReceivedBody = Result<Uint8Array, BodyRefusal>;

export type BodyLimits = {
  readonly maxBytes: number;
  readonly timeoutMs: number;
  /** Smaller announced bodies are not counted: most come with their headers, and use no more memory than a connection. */
  readonly countedFromBytes: number;
  /** Whether bodies in a content coding are decoded; otherwise they are refused. */
  readonly decodes: boolean;
};

/** Announced bodies up to this size are read at once. */
export const smallBodyBytes = 16_384;

/** Bytes. Decoding this little takes no longer than refusing it. It is always done, so that an ordinary call is decided exactly and its id is in the answer. */
export const freelyDecodedBytes = 4_096;

/** A timer for all bodies; `arm` returns a handle for `disarm`. */
export type BodyDeadlines<Handle> = {
  readonly arm: (ms: number, onDue: () => void) => Handle;
  readonly disarm: (handle: Handle) => void;
};

/** The request of a body; `edge/contexts/request-context` implements it. */
export type BodyCarrier = HeaderReader & {
  readonly request: { readonly body: RequestBody };
  /** Built by this process from a body that is already charged: it is not charged again. */
  readonly isSubrequest: boolean;
  /** Set once reading has ended: the body, or the reason for refusing it. */
  body: ReceivedBody | undefined;
  /** Set when the body was read to its end. */
  bodyIsRead: boolean;
  /** Set while the body is counted, which is until the request was answered. */
  freeBody: (() => void) | undefined;
};

/**
 * Sets `carrier.body`; returns a promise when that has to be waited for. The body is counted for `owner`, as its bytes arrive and not as announced. `maxBytes`: a
 * smaller limit, for bodies that are not worth the configured one, which holds in any case.
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
      const room = carrier.isSubrequest ? undefined : new BodyRoom(carrier, budget, owner);
      return receive(carrier, decoded(incoming, coding, room, maxBytes), limits.timeoutMs, timerWheel, room);
    }
    const takesRoom = !carrier.isSubrequest && announced >= limits.countedFromBytes;
    const room = takesRoom ? new BodyRoom(carrier, budget, owner) : undefined;
    // Small bodies usually arrive with their head.
    const whole = announced <= smallBodyBytes ? incoming.takeWhole() : undefined;
    if (whole !== undefined) {
      if (room?.take(whole.length) === false) return conclude(carrier, room.refusal);
      return complete(carrier, whole);
    }
    return receive(carrier, inParts(incoming, room, maxBytes), limits.timeoutMs, timerWheel, room);
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

/** In characters: longer than any media type with its parameters. */
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
  if (coding === 'other')
    return refused('unsupported-media-type', 'A body comes as it is, or in one of the content codings zstd and gzip.');
  return announced > maxBytes && announced !== Number.POSITIVE_INFINITY ? tooLarge(maxBytes) : undefined;
}

/** Neither an `async` function nor a race: on the request path each unnecessary promise costs more than the rest of this file. */
function receive<Handle>(
  carrier: BodyCarrier,
  arrival: Promise<Arrival>,
  timeoutMs: number,
  timerWheel: BodyDeadlines<Handle>,
  room: BodyRoom | undefined,
): Promise<undefined> {
  return new Promise((resolve) => {
    const refuse = (refusal: Refused<BodyRefusal>) => {
      room?.close();
      // The first outcome counts: a time-out does not undo a body that has arrived, nor the reverse.
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

/** Chunks of fewer bytes may be many. */
const smallPartBytes = 16_384;

/** Counted as it arrives; also against the byte budget, if there is one for it. */
async function inParts(incoming: RequestBody, room: BodyRoom | undefined, maxBytes: number): Promise<Arrival> {
  const isChunked = incoming.announced === Number.POSITIVE_INFINITY;
  const held = new ByteBuffer();
  for (;;) {
    const piece = await incoming.next();
    if (piece === undefined) return held.view();
    const isTooLarge = held.length + piece.length > maxBytes;
    if (isTooLarge || room?.take(piece.length) === false) {
      incoming.discard();
      return isTooLarge || room === undefined ? tooLarge(maxBytes) : room.refusal;
    }
    held.append(piece, 0, piece.length);
    // Bytes of one read of the socket arrive in one piece for a reader that asks a little later; for one that asks at once, each chunk of one byte would arrive
    // alone.
    if (isChunked && piece.length < smallPartBytes) await new Promise(setImmediate);
  }
}

const notDecodable: Refused<BodyRefusal> = refused(
  'bad-request',
  'The request body could not be decompressed, as its Content-Encoding says.',
);

/** The size limit holds for the body as it came, and as it is: nothing is decompressed beyond it. */
async function decoded(
  incoming: RequestBody,
  coding: BodyCoding,
  room: BodyRoom | undefined,
  maxBytes: number,
): Promise<Arrival> {
  const arrived = await inParts(incoming, room, maxBytes);
  if (!(arrived instanceof Uint8Array)) return arrived;
  if (arrived.length === 0) return notDecodable;
  let length = 0;
  let windowBytes = 0;
  const mayContinue = (bytes: number) => {
    length += bytes;
    return length <= maxBytes && room?.take(bytes) !== false;
  };
  const outcome = await decodeCounted(arrived, coding, mayContinue, (bytes) => {
    // No more of it is ever filled than what is decoded.
    windowBytes = Math.min(bytes, maxBytes);
    if (room?.take(windowBytes) !== false) return true;
    windowBytes = 0;
    return false;
  });
  room?.give(windowBytes);
  if (outcome instanceof Uint8Array) return outcome;
  if (outcome === 'malformed') return notDecodable;
  return length > maxBytes || room === undefined ? tooLarge(maxBytes) : room.refusal;
}

function tooLarge(maxBytes: number): Refused<'too-large'> {
  return refused('too-large', `A request body has at most ${maxBytes} bytes.`);
}
