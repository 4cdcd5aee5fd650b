/** Decides the status of a withdrawal from the portal and its dispute game, like the portal's `checkWithdrawal`. */
import { type Game, isUsable } from './bridge-roots.ts';

/** Times in seconds; `now` is the time of L1's newest block. */
export type WithdrawalView = {
  readonly now: bigint;
  readonly isPaused: boolean;
  readonly isFinalized: boolean;
  /** Whether a posted root contains it. */
  readonly hasRoot: boolean;
  readonly proof?: { readonly at: bigint; readonly game: Game };
  /** Counts from the proof. */
  readonly maturity: bigint;
  /** Counts from the game's resolution. */
  readonly finality: bigint;
};

export type WithdrawalStatus =
  | 'awaiting_state_root'
  | 'ready_to_prove'
  | 'in_dispute_window'
  | 'challenged'
  | 'ready_to_finalise'
  | 'finalised';

export type Blocker = 'state_root_not_posted' | 'not_proven' | 'dispute_window_open' | 'challenge_open' | 'paused';

export type WithdrawalDecision = {
  readonly status: WithdrawalStatus;
  readonly blockers: readonly Blocker[];
  /** Seconds: the first time at which it may be finalized, if the root is not challenged. */
  readonly windowEndsAt?: bigint;
};

export function decideWithdrawal(view: WithdrawalView): WithdrawalDecision {
  const { isFinalized, hasRoot, isPaused, proof } = view;
  if (isFinalized) return { status: 'finalised', blockers: [] };
  const paused: readonly Blocker[] = isPaused ? ['paused'] : [];
  if (proof === undefined || !isCounted(proof))
    return hasRoot
      ? { status: 'ready_to_prove', blockers: ['not_proven', ...paused] }
      : { status: 'awaiting_state_root', blockers: ['state_root_not_posted', 'not_proven', ...paused] };
  const { outcome, isChallenged } = proof.game;
  const windowEndsAt = endOfWindow(view, proof);
  // Each delay must be exceeded, so one second is added.
  const isOver = outcome === 'defender_wins' && view.now >= windowEndsAt;
  if (isOver) return { status: 'ready_to_finalise', blockers: paused };
  if (isChallenged && outcome === 'in_progress')
    return { status: 'challenged', blockers: ['dispute_window_open', 'challenge_open', ...paused], windowEndsAt };
  return { status: 'in_dispute_window', blockers: ['dispute_window_open', ...paused], windowEndsAt };
}

/** A proof is permanently invalid if its game was lost or blacklisted, or has the same time as the proof. */
export function isCounted({ at, game }: NonNullable<WithdrawalView['proof']>): boolean {
  return isUsable(game) && at > game.createdAt;
}

function endOfWindow(
  { maturity, finality }: WithdrawalView,
  { at, game }: NonNullable<WithdrawalView['proof']>,
): bigint {
  const resolvedAt = game.outcome === 'in_progress' ? game.createdAt + game.clock : game.resolvedAt;
  const settled = resolvedAt + finality;
  const isSettledFirst = settled <= at + maturity;
  return (isSettledFirst ? at + maturity : settled) + 1n;
}
