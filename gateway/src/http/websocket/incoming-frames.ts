/**
 * Reads the frames of one caller from the pieces that its socket delivers, a little in each turn of the event loop, and counts what an incomplete message makes the
 * gateway hold.
 */

import { createReceiver, type FrameReceiver, isBetweenMessages, type ReceiverEvents } from './ws-frames.ts';

/** Read at once; whatever is longer is copied, so that a small rest of it does not keep all of it in memory. */
const sliceBytes = 16_384;
/** Milliseconds that one connection may read in one turn of the event loop. */
const turnMs = 2;
/** What a piece costs besides its bytes. */
const pieceCost = 128;
/** Fragments of a message, and pieces of a frame, are on average at least this long in the longest message, but so many may always come. */
const averageBytes = 1_024;
const fewParts = 1_024;

export type IncomingOwner = Pick<ReceiverEvents, 'message' | 'ping' | 'conclude' | 'error'> & {
  /** Whether no further message may come now. */
  readonly isFull: () => boolean;
  /** What is held has changed. */
  readonly held: () => void;
  readonly pause: () => void;
  readonly resume: () => void;
  readonly monotonic: () => number;
};

export class IncomingFrames {
  /** Bytes of what has not become a message yet, and what it costs to hold them. */
  partial = 0;
  /** Bytes that were not read yet. */
  unread = 0;
  readonly #receiver: FrameReceiver;
  #pieces: Buffer[] = [];
  #messages = 0;
  #isPaused = false;
  #isYielding = false;
  isReading = false;
  #isOver = false;

  constructor(
    maxMessageBytes: number,
    private readonly owner: IncomingOwner,
  ) {
    const mostParts = Math.max(fewParts, Math.ceil(maxMessageBytes / averageBytes));
    this.#receiver = createReceiver({
      isServer: true,
      maxPayload: maxMessageBytes,
      maxFragments: mostParts,
      maxBufferedChunks: mostParts,
    });
    this.#receiver.on('message', (data, isBinary) => {
      this.#messages += 1;
      owner.message(data, isBinary);
    });
    this.#receiver.on('ping', owner.ping);
    this.#receiver.on('conclude', (code, reason) => {
      this.stop();
      owner.conclude(code, reason);
    });
    this.#receiver.on('error', (cause) => {
      this.stop();
      owner.error(cause);
    });
  }

  add(piece: Buffer): void {
    if (this.#isOver) return;
    this.#pieces.push(piece);
    this.unread += piece.length;
    this.read();
  }

  /** Reads on, as far as it may. */
  readonly read = (): void => {
    if (this.isReading || this.#isYielding || this.#isOver) return;
    this.isReading = true;
    const endMs = this.owner.monotonic() + turnMs;
    for (let slice = this.#slice(); slice !== undefined; slice = this.#slice()) {
      this.#readSlice(slice);
      if (this.#isOver || this.unread === 0) break;
      if (this.owner.monotonic() >= endMs) {
        this.#isYielding = true;
        setImmediate(this.#readOn);
        break;
      }
    }
    this.isReading = false;
    this.owner.held();
    this.#pauseOrResume();
  };

  /** Nothing more is read: what comes is dropped. */
  stop(): void {
    this.#isOver = true;
    this.#pieces = [];
    this.unread = 0;
    this.partial = 0;
    this.#pauseOrResume();
  }

  readonly #readOn = (): void => {
    this.#isYielding = false;
    this.read();
  };

  #readSlice(slice: Buffer): void {
    const before = this.#messages;
    this.#receiver.write(slice);
    if (this.#isOver) return;
    if (isBetweenMessages(this.#receiver)) this.partial = 0;
    else if (this.#messages !== before) this.partial = slice.length;
    else this.partial += slice.length + pieceCost;
  }

  #slice(): Buffer | undefined {
    const [first] = this.#pieces;
    if (first === undefined || this.owner.isFull()) return undefined;
    if (first.length <= sliceBytes) {
      this.#pieces.shift();
      this.unread -= first.length;
      return first;
    }
    this.#pieces[0] = first.subarray(sliceBytes);
    this.unread -= sliceBytes;
    return Buffer.from(first.subarray(0, sliceBytes));
  }

  #pauseOrResume(): void {
    const isTooMuch = this.unread > 0;
    if (isTooMuch === this.#isPaused) return;
    this.#isPaused = isTooMuch;
    if (isTooMuch) this.owner.pause();
    else this.owner.resume();
  }
}
