/**
 * Drops the bytes that a socket receives after its last message, within the turn budget. A connection closes without a
 * reset only when its bytes were read, and reading them takes time.
 */
import type { PausableSocket } from './paced-input.ts';
import { receivingUnits, type TurnBudget, type WaitingReader } from './turn-budget.ts';

/** A socket that is resumed delivers up to this many bytes in the next turn. */
const resumedBytes = 524_288;

export class PacedDrop implements WaitingReader {
  constructor(
    private readonly turns: TurnBudget,
    private readonly socket: PausableSocket,
  ) {}

  drop(bytes: number): void {
    if (this.turns.begin(bytes)) return;
    this.socket.pause();
    this.turns.waitToContinue(this);
  }

  continueReading(): void {
    this.turns.spend(receivingUnits(resumedBytes));
    this.socket.resume();
  }

  /** To be called when the socket is gone. */
  close(): void {
    this.turns.leave(this);
  }
}
