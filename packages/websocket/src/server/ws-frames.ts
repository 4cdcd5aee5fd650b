/**
 * The frames of WebSocket (RFC 6455, 5) by the `ws` library: its receiver and its sender are used directly, without its
 * sockets (docs/decisions/0097).
 *
 * They are loaded by path: Bun replaces the package's name by a shim of its own that has neither.
 */

import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export type ReceiverOptions = {
  /** A server's receiver requires masked frames, a client's unmasked ones. */
  readonly isServer: boolean;
  /** The maximum number of bytes of one message. */
  readonly maxPayload: number;
  /** The maximum number of fragments of one message. */
  readonly maxFragments: number;
  /** The maximum number of written pieces that may wait for the rest of their frame. */
  readonly maxBufferedChunks: number;
};

/** The events of a receiver. Each is reported in the turn in which the bytes were written; `error` in a later one. */
export type ReceiverEvents = {
  /** The bytes are a view of the written bytes, or a copy; text is valid UTF-8. */
  readonly message: (data: Buffer, isBinary: boolean) => void;
  readonly ping: (data: Buffer) => void;
  readonly pong: (data: Buffer) => void;
  /** A close frame; 1005 for one without a code. Nothing may be written afterwards. */
  readonly conclude: (code: number, reason: Buffer) => void;
  /** `code` begins with `WS_ERR_`. Nothing is reported afterwards. */
  readonly error: (cause: Error & { readonly code?: string }) => void;
};

/** Modifies its input: it unmasks the bytes in place. */
export type FrameReceiver = {
  /**
   * Internal fields of the library: the buffered bytes of an incomplete frame and its length, the awaited part of it,
   * and the type of an incomplete message. The library's version is pinned, and a test checks these fields.
   */
  readonly _bufferedBytes: number;
  readonly _payloadLength: number;
  readonly _state: number;
  readonly _fragmented: number;
  readonly on: <Name extends keyof ReceiverEvents>(event: Name, listener: ReceiverEvents[Name]) => unknown;
  readonly write: (bytes: Uint8Array) => boolean;
};

export type FrameOptions = {
  /** Whether it is the last fragment of its message. */
  readonly fin: boolean;
  /** 0 continues a message; 1 text, 2 binary, 8 close, 9 ping, 10 pong. */
  readonly opcode: number;
  /** Clients must mask. */
  readonly mask: boolean;
  /** False means that the data may be masked in place. */
  readonly readOnly: boolean;
  readonly rsv1: boolean;
};

type Library = {
  readonly receiver: new (options: ReceiverOptions) => FrameReceiver;
  readonly sender: {
    readonly frame: (data: { readonly length: number }, options: FrameOptions) => readonly Uint8Array[];
  };
};

const load = createRequire(import.meta.url);
/** In the executable of `npm run build` the library's modules are in the folder of this one. */
const isExecutable = import.meta.url.includes('/$bunfs/');
const folder = isExecutable
  ? dirname(fileURLToPath(import.meta.url))
  : join(dirname(load.resolve('ws/package.json')), 'lib');
const library: Library = { receiver: loaded('receiver.js'), sender: loaded('sender.js') };

/** A compiled module is an ECMAScript module, whose default export is the CommonJS export. */
function loaded(name: string) {
  const found = load(join(folder, name));
  return found.default ?? found;
}

export function createReceiver(options: ReceiverOptions): FrameReceiver {
  return new library.receiver(options);
}

/** Whether no byte of a further message has arrived. */
export function isBetweenMessages({ _bufferedBytes, _state, _fragmented }: FrameReceiver): boolean {
  return _bufferedBytes === 0 && _state === 0 && _fragmented === 0;
}

/** `GET_DATA` of the library: a frame's head was read, but not its data. */
const readingData = 4;

/** The missing bytes of the frame whose data is being received; 0 between frames. */
export function missingOfFrame({ _bufferedBytes, _payloadLength, _state }: FrameReceiver): number {
  return _state === readingData ? Math.max(0, _payloadLength - _bufferedBytes) : 0;
}

const noBytes = new Uint8Array();

/** The head of a server's frame with `length` bytes of data. The library reads only the length of the data. */
export function frameHead(length: number, opcode: number, fin: boolean): Uint8Array {
  const [head] = library.sender.frame({ length }, { fin, opcode, mask: false, readOnly: true, rsv1: false });
  return head ?? noBytes;
}

/** A client's frame, masked. */
export function clientFrame(data: Uint8Array, opcode: number, fin = true): Buffer {
  return Buffer.concat(
    library.sender.frame(Buffer.from(data), { fin, opcode, mask: true, readOnly: false, rsv1: false }),
  );
}

/** The close code that answers a receiver's error (RFC 6455, 7.4.1). */
export function closeCodeOf({ code }: { readonly code?: string }): number {
  if (code === 'WS_ERR_INVALID_UTF8') return 1007;
  if (code === 'WS_ERR_TOO_MANY_BUFFERED_PARTS') return 1008;
  if (code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH' || code === 'WS_ERR_UNSUPPORTED_DATA_PAYLOAD_LENGTH') return 1009;
  return 1002;
}
