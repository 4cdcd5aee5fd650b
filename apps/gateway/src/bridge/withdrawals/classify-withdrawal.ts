/** Decides the status of a withdrawal from the state of its chains, as the portal's `checkWithdrawal` would at the block that was read (contract/withdrawals#statuses). */

import type { WithdrawalFailure, WithdrawalStatus } from './withdrawal.ts';

/** All times are seconds of L1's clock. */
export type PortalTerms = {
  readonly maturitySeconds: number;
  /** Counted from the resolution of a game. */
  readonly airGapSeconds: number;
  readonly respectedType: number;
  /** Earlier games do not count. */
  readonly respectedAt: number;
};

export type GameStatus = 'in_progress' | 'challenger_wins' | 'defender_wins';

export type GameState = {
  readonly gameType: number;
  readonly createdAt: number;
  readonly status: GameStatus;
  readonly isChallenged: boolean;
  /** 0 unless it is resolved. */
  readonly resolvedAt: number;
  /** The shortest time until it can be resolved. */
  readonly clockSeconds: number;
  readonly isBlacklisted: boolean;
};

/** The latest proof of its submitter. */
export type Proof = {
  readonly submitter: string;
  /** True when the submitter sends or receives the withdrawal. Any other account may prove it too, and may replace its proof at any time. */
  readonly isOwn: boolean;
  readonly transactionHash: string;
  readonly provenAt: number;
  readonly game: GameState;
};

export type WithdrawalFindings = {
  /** The L2 block that contains it; undefined when that block was lost. */
  readonly blockNumber: number | undefined;
  readonly finalization: { readonly isSuccess: boolean; readonly transactionHash: string } | undefined;
  /** L1's messenger could not deliver the message, and has not delivered it since. */
  readonly isRelayFailed?: boolean;
  readonly proofs: readonly Proof[];
  /** The newest L2 block with a posted root that can be proven against; undefined when there is none. */
  readonly coveredTo: number | undefined;
  readonly portal: PortalTerms;
  /** The time of the L1 block at which all findings were read. */
  readonly now: number;
};

export type Evaluation = {
  readonly status: WithdrawalStatus;
  /** Present exactly when it failed. */
  readonly failureReason?: WithdrawalFailure;
  /** The proof that counts. */
  readonly proof?: Proof;
  /** The first second at which it can be finalized. Until its game is resolved: the earliest such second. */
  readonly windowEndsAt?: number;
  /** The next time at which the status changes without a new fact. */
  readonly dueAt?: number;
};

/** `readyAt`: of a game that is resolved. */
type Evaluated = Omit<Evaluation, 'dueAt'> & { readonly rank: number; readonly readyAt?: number };

/** A finalization decides the status, regardless of all other findings. */
export function classifyWithdrawal(findings: WithdrawalFindings): Evaluation {
  const { blockNumber, finalization, isRelayFailed = false, proofs, coveredTo, portal, now } = findings;
  const usable = proofs.filter((proof) => counts(proof, portal)).map((proof) => classifyProof(proof, portal, now));
  const best = usable.toSorted(betterFirst)[0];
  if (finalization !== undefined) {
    const proof = best?.proof ?? proofs.toSorted((one, other) => other.provenAt - one.provenAt)[0];
    const failureReason = !finalization.isSuccess ? 'l1_reverted' : isRelayFailed ? 'relay_failed' : undefined;
    const end =
      failureReason === undefined ? ({ status: 'finalised' } as const) : ({ status: 'failed', failureReason } as const);
    return { ...end, ...(proof && { proof }) };
  }
  if (blockNumber === undefined) return { status: 'initiated' };
  if (best !== undefined) {
    const { rank, readyAt: _, ...evaluation } = best;
    // Another proof than the one that counts may be ready first: a game that runs may never end.
    const dueAt = Math.min(...usable.map((each) => each.readyAt ?? Number.POSITIVE_INFINITY));
    return rank === 0 || dueAt === Number.POSITIVE_INFINITY ? evaluation : { ...evaluation, dueAt };
  }
  return { status: coveredTo !== undefined && blockNumber <= coveredTo ? 'ready_to_prove' : 'awaiting_state_root' };
}

/** Whether a root of this game can still be trusted. The game may not be resolved yet. */
export function isUsable(
  { gameType, createdAt, status, isBlacklisted }: Omit<GameState, 'isChallenged' | 'resolvedAt' | 'clockSeconds'>,
  { respectedType, respectedAt }: PortalTerms,
): boolean {
  return !isBlacklisted && status !== 'challenger_wins' && gameType === respectedType && createdAt >= respectedAt;
}

/** Whether the withdrawal can still be finalized with a proof. The portal refuses a proof that is not younger than its game. */
export function counts({ game, provenAt }: Pick<Proof, 'game' | 'provenAt'>, portal: PortalTerms): boolean {
  return isUsable(game, portal) && provenAt > game.createdAt;
}

/** In the year 9999. A later time, which a game or the portal may claim, cannot be written or stored in milliseconds. */
const latestSeconds = 253_402_300_799;

function classifyProof(proof: Proof, { maturitySeconds, airGapSeconds }: PortalTerms, now: number): Evaluated {
  const { game, provenAt } = proof;
  const isResolved = game.status === 'defender_wins';
  const resolvedAt = isResolved ? game.resolvedAt : game.createdAt + game.clockSeconds;
  // Both comparisons of the portal are strict.
  const endsAt = Math.max(provenAt + maturitySeconds, resolvedAt + airGapSeconds) + 1;
  const windowEndsAt = Math.min(endsAt, latestSeconds);
  if (!isResolved) {
    const status = game.isChallenged ? 'challenged' : 'in_dispute_window';
    return { status, proof, windowEndsAt, rank: game.isChallenged ? 2 : 1 };
  }
  if (now >= windowEndsAt) return { status: 'ready_to_finalise', proof, rank: 0 };
  return { status: 'in_dispute_window', proof, windowEndsAt, readyAt: windowEndsAt, rank: 1 };
}

/** A proof that is ready comes first, from any account. Otherwise the proofs of the withdrawal's own wallets come first; a challenged game comes last; among equals the earliest proof counts. */
function betterFirst(one: Evaluated, other: Evaluated): number {
  return (
    Number(one.rank !== 0) - Number(other.rank !== 0) ||
    Number(other.proof?.isOwn) - Number(one.proof?.isOwn) ||
    one.rank - other.rank ||
    (one.windowEndsAt ?? 0) - (other.windowEndsAt ?? 0) ||
    (one.proof?.provenAt ?? 0) - (other.proof?.provenAt ?? 0)
  );
}
