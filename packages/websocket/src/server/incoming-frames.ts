/**
 * Reads the frames of one caller from the pieces that its socket delivers, within the turn budget, and counts the
 * memory that an incomplete message uses.
 */

import { PacedDrop } from '@flowgate/async/paced-drop';
import { type TurnBudget, type WaitingReader, workUnits } from '@flowgate/async/turn-budget';
import {
  createReceiver,
  type FrameReceiver,
  isBetweenMessages,
  missingOfFrame,
  type ReceiverEvents,
} from './ws-frames.ts';

/**
 * Bytes that are read at once: up to 700 frames without data. A longer piece is copied, so that a small rest does not
 * retain the whole piece.
 */
const sliceBytes = 4_096;
/** Like `sliceBytes`, for the data of one frame, which is copied at once. */
const dataSliceBytes = 65_536;
/** A frame without data takes a microsecond for its 6 bytes. */
const unitsPerByte = 4;
const dataBytesPerUnit = 16;
/** The memory cost of a piece besides its bytes. */
const pieceCost = 128;
/**
 * The average length that fragments of a message and pieces of a frame must have in the longest message. `fewParts` of
 * them are always allowed.
 */
const averageBytes = 1_024;
const fewParts = 1_024;

/**
 * While no message is accepted, only this much is read ahead: the end of a connection is reported only while its socket
 * is read.
 */
const readAheadBytes = 16_384;
const readAheadPieces = 64;

export type IncomingOwner = Pick<ReceiverEvents, 'message' | 'ping' | 'pong' | 'conclude' | 'error'> & {
  /** Whether no further message is accepted now. */
  readonly isFull: () => boolean;
  /** The number of buffered bytes has changed. */
  readonly bufferedChanged: () => void;
  readonly pause: () => void;
  readonly resume: () => void;
  readonly turns: TurnBudget;
};

export class IncomingFrames implements WaitingReader {
  /** The bytes of an incomplete message or frame, and the memory cost of storing them. */
  partial = 0;
  /** Bytes that were not read yet. */
  unread = 0;
  readonly #receiver: FrameReceiver;
  #pieces: Buffer[] = [];
  #messages = 0;
  #isPaused = false;
  #isWaiting = false;
  isReading = false;
  #isOver = false;
  #drop: PacedDrop | undefined;

  constructor(
    maxMessageBytes: number,
    private readonly owner: IncomingOwner,
  ) {
    const maxParts = Math.max(fewParts, Math.ceil(maxMessageBytes / averageBytes));
    this.#receiver = createReceiver({
      isServer: true,
      maxPayload: maxMessageBytes,
      maxFragments: maxParts,
      maxBufferedChunks: maxParts,
    });
    this.#receiver.on('message', (data, isBinary) => {
      this.#messages += 1;
      owner.message(data, isBinary);
    });
    this.#receiver.on('ping', (data) => {
      owner.turns.spend(workUnits.controlFrame);
      owner.ping(data);
    });
    this.#receiver.on('pong', owner.pong);
    this.#receiver.on('conclude', (code, reason) => {
      this.stop();
      owner.conclude(code, reason);
    });
    this.#receiver.on('error', (cause) => {
      this.stop();
      owner.error(cause);
    });
  }

  /** Whether the socket is paused. */
  get isPaused(): boolean {
    return this.#isPaused;
  }

  add(piece: Buffer): void {
    if (this.#isOver) {
      this.#drop ??= new PacedDrop(this.owner.turns, this.owner);
      this.#drop.drop(piece.length);
      return;
    }
    this.#pieces.push(piece);
    this.unread += piece.length;
    if (this.#isWaiting || this.owner.turns.begin(piece.length)) {
      this.read();
      return;
    }
    this.#isWaiting = true;
    this.owner.turns.waitToBegin(this);
    this.owner.bufferedChanged();
    this.#pauseOrResume();
  }

  continueReading(): void {
    this.#isWaiting = false;
    this.read();
  }

  /** Reads as far as the owner and the turn allow it. */
  readonly read = (): void => {
    if (this.isReading || this.#isOver) return;
    this.isReading = true;
    while (!this.#isWaiting && this.unread > 0) {
      const missing = missingOfFrame(this.#receiver);
      const slice = this.#slice(Math.max(sliceBytes, Math.min(missing, dataSliceBytes)));
      if (slice === undefined) break;
      this.#readSlice(slice);
      const units = missing >= slice.length ? slice.length / dataBytesPerUnit : slice.length * unitsPerByte;
      if (!this.owner.turns.spend(units) && this.unread > 0) this.#wait();
    }
    this.isReading = false;
    this.owner.bufferedChanged();
    this.#pauseOrResume();
  };

  /** The socket is gone. */
  close(): void {
    this.stop();
    this.#drop?.close();
  }

  /** Later bytes are dropped. */
  stop(): void {
    this.#isOver = true;
    this.owner.turns.leave(this);
    this.#pieces = [];
    this.unread = 0;
    this.partial = 0;
    this.#pauseOrResume();
  }

  #wait(): void {
    this.#isWaiting = true;
    this.owner.turns.waitToContinue(this);
  }

  #readSlice(slice: Buffer): void {
    const before = this.#messages;
    this.#receiver.write(slice);
    if (this.#isOver) return;
    if (isBetweenMessages(this.#receiver)) this.partial = 0;
    else if (this.#messages !== before) this.partial = slice.length;
    else this.partial += slice.length + pieceCost;
  }

  #slice(bytes: number): Buffer | undefined {
    const [first] = this.#pieces;
    if (first === undefined || this.owner.isFull()) return undefined;
    if (first.length <= bytes) {
      this.#pieces.shift();
      this.unread -= first.length;
      return first;
    }
    this.#pieces[0] = first.subarray(bytes);
    this.unread -= bytes;
    return Buffer.from(first.subarray(0, bytes));
  }

  #pauseOrResume(): void {
    const isAhead = this.unread > readAheadBytes || this.#pieces.length > readAheadPieces;
    const isTooMuch = isAhead || (this.#isWaiting && this.unread > 0);
    if (isTooMuch === this.#isPaused) return;
    this.#isPaused = isTooMuch;
    if (isTooMuch) this.owner.pause();
    else this.owner.resume();
  }
}
