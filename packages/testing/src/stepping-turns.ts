/** A turn budget whose clock advances by a millisecond whenever it is read: a turn ends after the same work on every machine. */

import { TurnBudget } from '@flowgate/async/turn-budget';

/** Shares of work that fit into one turn: the clock is read after each of them. */
export const sharesPerTurn = 3;

export function createSteppingTurns(): TurnBudget {
  let nowMs = 0;
  return new TurnBudget({ monotonic: () => nowMs++ }, sharesPerTurn - 1);
}
