/** Reads a request's body whole: JSON by its type, uncompressed, within the size limit, in time, and within the room that there is for bodies. */

import type { RefusalReason } from '../api/refusal.ts';
import type { ByteBudget } from '../platform/bytes/byte-budget.ts';
import { ByteBuffer } from '../platform/bytes/byte-buffer.ts';
import { ok, type Refused, type Result, refused } from '../platform/result.ts';
import type { RequestBody } from './incoming-request.ts';
import type { RequestHead } from './request-head.ts';

type BodyRefusal = Extract<
  RefusalReason,
  'unsupported-media-type' | 'too-large' | 'request-timeout' | 'bad-request' | 'unavailable'
>;

/** A request's body, or why there is none. */
export type ReceivedBody = Result<Uint8Array, BodyRefusal>;

export type BodyLimits = {
  readonly maxBytes: number;
  readonly timeoutMs: number;
  /** Announced bodies of fewer bytes take no room: they mostly come with their headers, and hold no more than a connection does anyway. */
  readonly countedFromBytes: number;
};

/** Announced bodies up to this size are read in one piece. */
export const smallBodyBytes = 16_384;

/** Decoding so little takes no longer than refusing it: it is always done, whoever asks, so that an ordinary call is decided exactly and told its id. */
export const freelyDecodedBytes = 4_096;

/** A timer shared by all bodies: `arm` answers a handle for `disarm`. */
export type BodyDeadlines<Handle> = {
  readonly arm: (ms: number, onDue: () => void) => Handle;
  readonly disarm: (handle: Handle) => void;
};

/** The request that a body comes with; `http/request-context` is one. */
export type BodyCarrier = RequestHead & {
  readonly request: { readonly body: RequestBody };
  /** Made by this process from a body that was read before: it takes no room of its own. */
  readonly isSubrequest: boolean;
  /** Set once nothing more is read: what came, or why it is not taken. */
  body: ReceivedBody | undefined;
  /** Set when the body was read to its end. */
  bodyIsRead: boolean;
  /** Set while a body takes room: its bytes are held until the request was answered. */
  freeBody: (() => void) | undefined;
};

/**
 * Sets `carrier.body`; a promise where that has to be waited for.
 * `owner` is whose share of the room the body takes. Room is taken for bytes that have arrived, not for those announced.
 * `mostBytes`: for bodies that are not worth as much as the configured limit, which holds in any case.
 */
export type ReadBody = (carrier: BodyCarrier, owner: string, mostBytes?: number) => Promise<undefined> | undefined;

export function createReadBody<Handle>(
  limits: BodyLimits,
  budget: ByteBudget,
  timerWheel: BodyDeadlines<Handle>,
): ReadBody {
  return (carrier, owner, mostBytes = limits.maxBytes) => {
    const maxBytes = Math.min(mostBytes, limits.maxBytes);
    const incoming = carrier.request.body;
    const { announced } = incoming;
    const refusal = refusalByHead(carrier, announced, maxBytes);
    if (refusal !== undefined) return conclude(carrier, refusal);
    // Small ones mostly come with their head.
    const whole = announced < limits.countedFromBytes ? incoming.takeWhole() : undefined;
    if (whole !== undefined) return complete(carrier, whole);
    const takesRoom = !carrier.isSubrequest && announced >= limits.countedFromBytes;
    const room = takesRoom ? new Room(carrier, budget, owner) : undefined;
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

type Arrival = Uint8Array | Refused<BodyRefusal>;

const unreadable: Refused<BodyRefusal> = refused('bad-request', 'The request body could not be read.');
const crowdedBy = {
  'owner-full': refused(
    'unavailable',
    'Your request bodies that are on their way, or being answered, leave no room for another one.',
  ),
  'all-full': refused('unavailable', 'Too many request bodies are on their way.'),
} as const;

/** What one body takes of the budget, until its request was answered or its reading came to nothing. */
class Room {
  /** Why nothing more is taken. */
  refusal: Refused<BodyRefusal> = unreadable;
  #bytes = 0;
  #isClosed = false;

  constructor(
    private readonly carrier: BodyCarrier,
    private readonly budget: ByteBudget,
    private readonly owner: string,
  ) {}

  take(bytes: number): boolean {
    if (this.#isClosed) return false;
    const grant = this.budget.take(this.owner, bytes);
    if (grant === 'granted') {
      this.#bytes += bytes;
      this.carrier.freeBody ??= () => this.close();
      return true;
    }
    this.refusal = crowdedBy[grant];
    return false;
  }

  /** Gives everything back. Harmless when repeated. */
  close(): void {
    this.#isClosed = true;
    this.budget.giveBack(this.owner, this.#bytes);
    this.#bytes = 0;
  }
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

function refusalByHead(head: RequestHead, announced: number, maxBytes: number): Refused<BodyRefusal> | undefined {
  const contentType = head.header('content-type');
  if (contentType !== null && contentType !== '' && !isJsonType(contentType)) return refused('unsupported-media-type');
  const encoding = head.header('content-encoding');
  if (encoding !== null && encoding.toLowerCase() !== 'identity')
    return refused('unsupported-media-type', 'Compressed bodies are not accepted.');
  return announced > maxBytes && announced !== Number.POSITIVE_INFINITY ? tooLarge(maxBytes) : undefined;
}

/** Not an `async` function, and no race: on the request path each promise that is not needed costs more than the rest of this file. */
function receive<Handle>(
  carrier: BodyCarrier,
  arrival: Promise<Arrival>,
  timeoutMs: number,
  timerWheel: BodyDeadlines<Handle>,
  room: Room | undefined,
): Promise<undefined> {
  return new Promise((resolve) => {
    const refuse = (refusal: Refused<BodyRefusal>) => {
      room?.close();
      // What came first counts: the time-out does not take back what has arrived, nor the other way round.
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
      () => {
        timerWheel.disarm(handle);
        refuse(unreadable);
      },
    );
  });
}

/** Chunks of fewer bytes may be many. */
const smallPartBytes = 16_384;

/** Counted, and room taken for it where there is a bound for it, as it comes. */
async function inParts(incoming: RequestBody, room: Room | undefined, maxBytes: number): Promise<Arrival> {
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
    // What one read of the socket brought comes in one piece to whoever asks only afterwards; asked for at once, each chunk of one byte takes its own way here.
    if (isChunked && piece.length < smallPartBytes) await new Promise(setImmediate);
  }
}

function tooLarge(maxBytes: number): Refused<'too-large'> {
  return refused('too-large', `A request body has at most ${maxBytes} bytes.`);
}
