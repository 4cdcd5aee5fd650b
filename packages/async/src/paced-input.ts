/**
 * Passes the bytes of one socket to its parser: at once while the turn of the event loop allows it, the rest in later
 * turns, in order, and before the socket's end.
 */
import type { TurnBudget, WaitingReader } from './turn-budget.ts';

export type PausableSocket = { readonly pause: () => void; readonly resume: () => void };

/** The socket is paused while more bytes than this wait. */
const maxWaitingBytes = 65_536;

export class PacedInput implements WaitingReader {
  /** The first piece is read up to `#at`. */
  readonly #pieces: Uint8Array[] = [];
  #at = 0;
  #bytes = 0;
  #isPaused = false;
  #isClosed = false;
  #socket: PausableSocket | undefined;
  /** Events of the socket that followed the delivered bytes. */
  readonly #events: (() => void)[] = [];

  /**
   * `read` parses a piece from an index on. It returns the index at which its share of the turn ended, or the length of
   * the piece.
   */
  constructor(
    private readonly turns: TurnBudget,
    private readonly read: (piece: Uint8Array, from: number) => number,
  ) {}

  /** Whether no delivered bytes wait, except in the current piece. */
  get isEmpty(): boolean {
    return this.#pieces.length === 0;
  }

  connected(socket: PausableSocket): void {
    this.#socket = socket;
  }

  push(piece: Uint8Array): void {
    if (this.#isClosed) return;
    if (this.#pieces.length > 0) {
      this.#hold(piece, 0);
      return;
    }
    const canBegin = this.turns.begin(piece.length);
    const at = canBegin ? this.read(piece, 0) : 0;
    if (this.#isClosed || at >= piece.length) return;
    this.#hold(piece, at);
    if (canBegin) this.turns.waitToContinue(this);
    else this.turns.waitToBegin(this);
  }

  /** Runs `event` once all bytes that were delivered before it are read. */
  after(event: () => void): void {
    if (this.#pieces.length === 0) event();
    else this.#events.push(event);
  }

  /** Nothing more is read. */
  close(): void {
    this.#isClosed = true;
    this.turns.leave(this);
    this.#pieces.length = 0;
    this.#events.length = 0;
    this.#socket = undefined;
  }

  continueReading(): void {
    for (let piece = this.#pieces[0]; piece !== undefined; piece = this.#pieces[0]) {
      const from = this.#at;
      // No bytes wait while the last piece is read.
      const isLast = this.#pieces.length === 1;
      if (isLast) this.#pieces.length = 0;
      const at = this.read(piece, from);
      if (this.#isClosed) return;
      if (at < piece.length) {
        if (isLast) this.#pieces.unshift(piece);
        this.#bytes -= at - from;
        this.#at = at;
        this.turns.waitToContinue(this);
        return;
      }
      if (!isLast) this.#pieces.shift();
      this.#bytes -= piece.length - from;
      this.#at = 0;
    }
    if (this.#isPaused) this.#socket?.resume();
    this.#isPaused = false;
    for (const event of this.#events.splice(0)) event();
  }

  #hold(piece: Uint8Array, from: number): void {
    if (this.#pieces.length === 0) this.#at = from;
    this.#pieces.push(piece);
    this.#bytes += piece.length - from;
    if (this.#isPaused || this.#bytes <= maxWaitingBytes) return;
    this.#isPaused = true;
    this.#socket?.pause();
  }
}
