/** The statements that store the decisions of a round about withdrawals. */

import type { Statement } from '@flowgate/sql/engine/database';
import { list, sql } from '@flowgate/sql/engine/sql-text';
import { selection } from '@flowgate/sql/engine/table';
import type { WithdrawalChanges } from './withdrawal-store.ts';
import { bridgePortalsTable } from './withdrawal-tables.ts';

const portals = selection(bridgePortalsTable);

export function settling(bridgeId: string, changes: WithdrawalChanges): readonly Statement[] {
  const { portal, bindings = [], games = [], unwatched = [], evaluations = [], isEveryProofDue, nowMs } = changes;
  const statements: Statement[] = [];
  if (portal !== undefined)
    statements.push(sql`INSERT INTO bridge_portals (${portals.list}) VALUES (${portals.values(portal)})
      ON CONFLICT (bridge_id) DO UPDATE SET is_paused = excluded.is_paused,
        maturity_seconds = excluded.maturity_seconds, air_gap_seconds = excluded.air_gap_seconds,
        respected_type = excluded.respected_type, respected_at = excluded.respected_at,
        covered_to = excluded.covered_to`);
  for (const game of games) statements.push(gameState(game));
  if (isEveryProofDue === true)
    statements.push(sql`UPDATE bridge_games SET told_to = '' WHERE bridge_id = ${bridgeId} AND is_watched = 1`);
  for (const { proof, game } of bindings) statements.push(...binding(bridgeId, proof, game));
  if (unwatched.length > 0)
    statements.push(sql`UPDATE bridge_games SET is_watched = 0 WHERE game_id IN (${list([...unwatched].sort())})`);
  for (const evaluation of evaluations) statements.push(...evaluating(bridgeId, evaluation, nowMs));
  return statements;
}

function gameState(game: NonNullable<WithdrawalChanges['games']>[number]): Statement {
  const isDead = game.status === 'challenger_wins' || game.isBlacklisted;
  return sql`UPDATE bridge_games SET status = ${game.status}, is_challenged = ${game.isChallenged ? 1 : 0},
      resolved_at = ${game.resolvedAt}, clock_seconds = ${game.clockSeconds},
      is_blacklisted = ${game.isBlacklisted ? 1 : 0}, is_dead = ${isDead ? 1 : 0},
      state_block = ${game.blockNumber}, told_to = ''
    WHERE game_id = ${game.gameId}`;
}

function binding(
  bridgeId: string,
  { proofId, withdrawalHash }: { readonly proofId: string; readonly withdrawalHash: string },
  game: string | undefined,
): readonly Statement[] {
  const due = sql`UPDATE bridge_withdrawals SET due_at = 0, revision = revision + 1
    WHERE bridge_id = ${bridgeId} AND withdrawal_hash = ${withdrawalHash}`;
  if (game === undefined) return [sql`UPDATE bridge_proofs SET is_open = 0 WHERE proof_id = ${proofId}`, due];
  return [
    sql`UPDATE bridge_proofs SET game = ${game} WHERE proof_id = ${proofId}`,
    sql`UPDATE bridge_games SET is_watched = 1 WHERE bridge_id = ${bridgeId} AND game = ${game}`,
    due,
  ];
}

function evaluating(
  bridgeId: string,
  evaluation: NonNullable<WithdrawalChanges['evaluations']>[number],
  nowMs: number,
): readonly Statement[] {
  const { withdrawalId, revision, status, dueAtMs, windowEndsAtMs } = evaluation;
  const { proveTransaction, proofSubmitter, finalizeTransaction, failureReason } = evaluation;
  const change = sql`UPDATE bridge_withdrawals SET
      status_changed_at = CASE WHEN status <> ${status} THEN ${nowMs} ELSE status_changed_at END,
      updated_at = CASE WHEN status <> ${status} OR COALESCE(window_ends_at, 0) <> ${windowEndsAtMs ?? 0}
        OR COALESCE(prove_transaction, '') <> ${proveTransaction ?? ''}
        OR COALESCE(finalise_transaction, '') <> ${finalizeTransaction ?? ''} THEN ${nowMs} ELSE updated_at END,
      status = ${status}, window_ends_at = ${windowEndsAtMs ?? null}, prove_transaction = ${proveTransaction ?? null},
      proof_submitter = ${proofSubmitter ?? null}, finalise_transaction = ${finalizeTransaction ?? null},
      failure_reason = ${failureReason ?? null}, due_at = ${dueAtMs ?? null}
    WHERE withdrawal_id = ${withdrawalId} AND revision = ${revision}`;
  const isFinal = finalizeTransaction !== undefined;
  if (!isFinal) return [change];
  // The withdrawal is over: it is never due again.
  const closed = sql`UPDATE bridge_proofs SET is_open = 0 WHERE is_open = 1 AND bridge_id = ${bridgeId}
    AND withdrawal_hash = (SELECT withdrawal_hash FROM bridge_withdrawals WHERE withdrawal_id = ${withdrawalId})`;
  return [change, closed];
}
