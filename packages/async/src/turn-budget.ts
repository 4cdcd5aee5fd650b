/**
 * Shares each turn of the event loop among all readers of received bytes, so that no sender, and no hundred of them,
 * delay the others (docs/decisions/0134).
 */
import type { Clock } from '@flowgate/base/clock';

/** Counts the work of a parser. */
export type WorkMeter = {
  /** Charges units of about 10 ns each. Returns false when the parser must stop and its reader must wait. */
  spend(units: number): boolean;
};

/** For parsers whose input is bounded by their caller. */
export const unmetered: WorkMeter = { spend: () => true };

/** A reader that has bytes left. */
export type WaitingReader = {
  /** Reads again. The reader may wait again. */
  continueReading(): void;
};

/** The units of work that cost more than their bytes. */
export const workUnits = { frame: 16, controlFrame: 128, message: 512, request: 1_024 } as const;

/** Milliseconds that all readers together may use in one turn of the event loop. */
const defaultTurnMs = 2;
/**
 * A reader that has done this much work pauses if others wait. The clock is read once per share, not for each small
 * read.
 */
export const shareUnits = 16_384;
/** Waiting readers share at most this much work in one turn, even when the clock does not advance. */
export const turnUnits = 16 * shareUnits;
const receivedBytesPerUnit = 16;

/** The cost of receiving bytes from a socket, before any of them is read. */
export function receivingUnits(bytes: number): number {
  return bytes / receivedBytesPerUnit;
}

export class TurnBudget implements WorkMeter {
  /** The units that the current reader has used of its share. */
  #share = 0;
  /** The units used since the clock was last read. */
  #unmeasured = 0;
  /** The units used by the waiting readers of this turn. */
  #served = 0;
  /** The time at which the clock was first read in this turn. */
  #startMs: number | undefined;
  #isOver = false;
  #isScheduled = false;
  #continuesFirst = false;
  /**
   * Readers with newly received bytes. They precede the others, so that a small request does not wait for long ones.
   */
  readonly #beginning = new Set<WaitingReader>();
  /** Readers whose share ended. */
  readonly #continuing = new Set<WaitingReader>();

  constructor(
    private readonly clock: Pick<Clock, 'monotonic'>,
    private readonly turnMs = defaultTurnMs,
    private readonly schedule: (run: () => void) => void = setImmediate,
  ) {}

  /**
   * Begins the share of a reader that has received `bytes` bytes. Returns false when the turn is over and the reader
   * must wait.
   */
  begin(bytes: number): boolean {
    this.#unmeasured += this.#share;
    this.#share = receivingUnits(bytes);
    if (this.#unmeasured + this.#share >= shareUnits) this.#measure();
    return !this.#isOver;
  }

  /**
   * Charges the current reader. Returns false when its share or the turn is over: the reader must call `waitToContinue`
   * if it has bytes left.
   */
  spend(units: number): boolean {
    this.#share += units;
    return this.#share < shareUnits || this.#mayRenew();
  }

  /** Lets a reader begin in a later turn, before those that continue. */
  waitToBegin(reader: WaitingReader): void {
    this.#beginning.add(reader);
    this.#scheduleNext();
  }

  waitToContinue(reader: WaitingReader): void {
    this.#continuing.add(reader);
    this.#scheduleNext();
  }

  /** Removes the reader from the waiting ones. */
  leave(reader: WaitingReader): void {
    this.#beginning.delete(reader);
    this.#continuing.delete(reader);
  }

  get #areOthersWaiting(): boolean {
    return this.#beginning.size > 0 || this.#continuing.size > 0;
  }

  #mayRenew(): boolean {
    this.#served += this.#share;
    this.#share = 0;
    this.#measure();
    return !this.#isOver && !this.#areOthersWaiting;
  }

  #measure(): void {
    this.#unmeasured = 0;
    const nowMs = this.clock.monotonic();
    this.#startMs ??= nowMs;
    if (nowMs - this.#startMs >= this.turnMs) this.#isOver = true;
    this.#scheduleNext();
  }

  #scheduleNext(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    this.schedule(this.#nextTurn);
  }

  readonly #nextTurn = (): void => {
    this.#isScheduled = false;
    this.#isOver = false;
    this.#startMs = undefined;
    this.#unmeasured = 0;
    if (this.#areOthersWaiting) this.#serveWaiting(this.clock.monotonic());
  };

  /**
   * In every other turn a continuing reader comes first: neither kind waits forever, even if one step takes the whole
   * turn.
   */
  #takeFirst(): WaitingReader | undefined {
    this.#continuesFirst = !this.#continuesFirst;
    return this.#continuesFirst
      ? (take(this.#continuing) ?? take(this.#beginning))
      : (take(this.#beginning) ?? take(this.#continuing));
  }

  #serveWaiting(startMs: number): void {
    this.#startMs = startMs;
    this.#served = 0;
    try {
      let reader = this.#takeFirst();
      while (reader !== undefined && !this.#isOver) {
        this.#share = 0;
        reader.continueReading();
        this.#served += this.#share;
        this.#isOver ||= this.#served >= turnUnits || this.clock.monotonic() - startMs >= this.turnMs;
        if (!this.#isOver) reader = take(this.#beginning) ?? take(this.#continuing);
      }
    } finally {
      this.#share = 0;
      this.#startMs = undefined;
      // Bytes that arrive next in this turn have a new budget, unless readers wait already.
      this.#isOver = this.#areOthersWaiting;
      if (this.#isOver) this.#scheduleNext();
    }
  }
}

function take(readers: Set<WaitingReader>): WaitingReader | undefined {
  for (const reader of readers) {
    readers.delete(reader);
    return reader;
  }
  return undefined;
}
