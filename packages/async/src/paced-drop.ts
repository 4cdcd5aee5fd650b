/** Drops what a socket still receives after its last message, within the turn budget: a connection is closed without a reset only when its bytes were read, and reading them takes time as well. */
import type { PausableSocket } from './paced-input.ts';
import { receivingUnits, type TurnBudget, type WaitingReader } from './turn-budget.ts';

/** A socket that is resumed delivers up to this much in the next turn. */
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
