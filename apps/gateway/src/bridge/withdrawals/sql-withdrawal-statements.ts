/** The statements that store the facts of a range of blocks about withdrawals, and those that revert them. Each change of a withdrawal's facts makes the withdrawal due. */

import type { Statement } from '@flowgate/sql/engine/database';
import type { Fragment } from '@flowgate/sql/engine/dialect';
import { list, sql } from '@flowgate/sql/engine/sql-text';
import { selection } from '@flowgate/sql/engine/table';
import type { RangeFacts } from '../facts/range-facts.ts';
import {
  among,
  bridgeOf,
  type FactContext,
  inRuns,
  isReorganization,
  type LostBlocks,
  placeKey,
  renewed,
  rowsOf,
} from '../facts/sql-fact-statements.ts';
import type { WithdrawalFact } from '../facts/withdrawal-facts.ts';
import {
  bridgeFinalizationsTable,
  bridgeGamesTable,
  bridgeProofsTable,
  bridgeWithdrawalsTable,
} from './withdrawal-tables.ts';

const withdrawals = selection(bridgeWithdrawalsTable);
const games = selection(bridgeGamesTable);
const proofs = selection(bridgeProofsTable);
const finalizations = selection(bridgeFinalizationsTable);

type Source = Pick<FactContext, 'bridgeId' | 'nowMs' | 'newId'>;

export function storeWithdrawals(facts: RangeFacts, source: Source): readonly Statement[] {
  return [
    ...inRuns(facts.withdrawals, placeKey).flatMap((run) => [storing(run, source), lostTwinsDue(run, source)]),
    ...storeGames(facts, source),
    ...storeProofs(facts, source),
    ...storeFinalizations(facts, source),
  ];
}

function storing(facts: readonly WithdrawalFact[], { bridgeId, nowMs, newId }: Source): Statement {
  const records = facts.map(({ withdrawal, transaction, ...place }) => {
    const { tuple, token, kind, withdrawalHash, messageHash, amount, from, to } = withdrawal;
    return {
      ...{ withdrawalId: newId('wdr'), bridgeId, kind, withdrawalHash },
      ...(messageHash !== undefined && { messageHash: messageHash.toLowerCase() }),
      ...{ transactionHash: place.transactionHash, nth: place.nth, blockNumber: place.blockNumber },
      ...{ nonce: String(tuple.nonce), sender: tuple.sender.toLowerCase(), target: tuple.target.toLowerCase() },
      ...{ value: String(tuple.value), gasLimit: String(tuple.gasLimit), data: tuple.data },
      ...(token.native ? {} : { tokenL1: token.l1.toLowerCase(), tokenL2: token.l2.toLowerCase() }),
      ...{ amount: String(amount), from: from.toLowerCase(), to: to.toLowerCase() },
      ...{ signer: transaction.from.toLowerCase(), signerNonce: transaction.nonce },
      ...({ status: 'initiated', dueAtMs: 0, revision: 0 } as const),
      ...{ createdAtMs: place.blockTimeMs, updatedAtMs: nowMs, statusChangedAtMs: nowMs },
    };
  });
  const old = sql`bridge_withdrawals`;
  // A transaction that is mined again may withdraw under another nonce of the message passer: then L1 has no facts of it.
  const isOther = sql`(${old}.withdrawal_hash <> excluded.withdrawal_hash OR (${old}.status = 'failed' AND ${old}.lost_at IS NOT NULL))`;
  const isMoved = sql`(${old}.block_number <> excluded.block_number OR ${old}.created_at <> excluded.created_at OR ${isOther})`;
  return sql`INSERT INTO bridge_withdrawals (${withdrawals.list}) VALUES ${rowsOf(withdrawals, records)}
    ON CONFLICT (bridge_id, transaction_hash, nth) DO UPDATE SET
      ${renewed('block_number', 'created_at', 'kind', 'nonce', 'sender', 'target', 'value', 'gas_limit', 'data')},
      ${renewed('token_l1', 'token_l2', 'amount', 'from_address', 'to_address', 'withdrawal_hash', 'message_hash')},
      failure_reason = CASE WHEN ${isOther} THEN NULL ELSE ${old}.failure_reason END,
      status = CASE WHEN ${isOther} THEN 'initiated' ELSE ${old}.status END,
      status_changed_at = CASE WHEN ${isOther} AND ${old}.status <> 'initiated' THEN excluded.status_changed_at
        ELSE ${old}.status_changed_at END,
      updated_at = CASE WHEN ${isMoved} THEN excluded.updated_at ELSE ${old}.updated_at END,
      lost_at = NULL, due_at = 0, revision = ${old}.revision + 1`;
}

/** Lost records of other transactions with the same withdrawal: a finalization on L1 does not belong to them. */
function lostTwinsDue(facts: readonly WithdrawalFact[], { bridgeId }: Source): Statement {
  const hashes = [...new Set(facts.map(({ withdrawal }) => withdrawal.withdrawalHash))].sort();
  return sql`UPDATE bridge_withdrawals SET due_at = 0, revision = revision + 1
    WHERE bridge_id = ${bridgeId} AND withdrawal_hash IN (${list(hashes)}) AND lost_at IS NOT NULL`;
}

function storeGames({ games: facts }: RangeFacts, { bridgeId }: Source): readonly Statement[] {
  return inRuns(facts, placeKey).map((run) => {
    const records = run.map((fact) => ({
      ...{ gameId: `${bridgeId}/${placeKey(fact)}`, bridgeId, blockNumber: fact.blockNumber },
      ...{ game: fact.game.toLowerCase(), gameType: fact.gameType, rootClaim: fact.rootClaim },
      ...{ l2BlockNumber: fact.l2BlockNumber, createdAt: Math.floor(fact.blockTimeMs / 1000) },
      ...{ isChallenged: false, resolvedAt: 0, clockSeconds: 0, isBlacklisted: false, isDead: false },
      // When a range is read again, proofs may be stored already.
      ...{ isWatched: true, reportedTo: '' },
    }));
    return sql`INSERT INTO bridge_games (${games.list}) VALUES ${rowsOf(games, records)}
      ON CONFLICT (game_id) DO UPDATE SET ${renewed('block_number', 'game', 'created_at', 'l2_block_number')},
        is_watched = 1, is_dead = 0, told_to = ''`;
  });
}

function storeProofs({ proofs: facts }: RangeFacts, { bridgeId }: Source): readonly Statement[] {
  return inRuns(facts, placeKey).flatMap((run) => {
    const records = run.map((fact) => {
      const { withdrawalHash, transactionHash, blockNumber, logIndex, blockTimeMs: provenAtMs } = fact;
      const place = { bridgeId, transactionHash, blockNumber, logIndex, provenAtMs, isOpen: true };
      const proofId = `${bridgeId}/${placeKey(fact)}`;
      return { proofId, ...place, withdrawalHash, submitter: fact.submitter.toLowerCase() };
    });
    return [
      sql`INSERT INTO bridge_proofs (${proofs.list}) VALUES ${rowsOf(proofs, records)}
        ON CONFLICT (proof_id) DO UPDATE SET ${renewed('block_number', 'log_index', 'proven_at')}, game = NULL, is_open = 1`,
      dueOfHashes(bridgeId, list(hashesOf(run))),
    ];
  });
}

function storeFinalizations({ finalizations: facts }: RangeFacts, { bridgeId }: Source): readonly Statement[] {
  return inRuns(facts, placeKey).flatMap((run) => {
    const records = run.map((fact) => {
      const { withdrawalHash, transactionHash, blockNumber, isSuccess } = fact;
      const finalizationId = `${bridgeId}/${placeKey(fact)}`;
      return { finalizationId, bridgeId, withdrawalHash, transactionHash, blockNumber, isSuccess };
    });
    return [
      sql`INSERT INTO bridge_finalisations (${finalizations.list}) VALUES ${rowsOf(finalizations, records)}
        ON CONFLICT (finalisation_id) DO UPDATE SET ${renewed('block_number', 'is_success')}`,
      dueOfHashes(bridgeId, list(hashesOf(run))),
    ];
  });
}

/** For a bridge's stream of either side; nothing for other streams. */
export function loseWithdrawals(lost: LostBlocks): readonly Statement[] {
  const [ofL1, ofL2] = [bridgeOf(lost, 'l1'), bridgeOf(lost, 'l2')];
  if (ofL2 !== undefined) return loseOnL2(ofL2, lost);
  return ofL1 === undefined ? [] : loseOnL1(ofL1, lost);
}

/** The record remains: its transaction may be mined again. In a reread its status changes only if it is not found. */
function loseOnL2(bridgeId: string, lost: LostBlocks): readonly Statement[] {
  const { nowMs } = lost;
  const changes = isReorganization(lost) ? sql`status NOT IN ('initiated', 'finalised', 'failed')` : sql`1 = 0`;
  return [
    sql`UPDATE bridge_withdrawals SET lost_at = ${nowMs}, due_at = 0, revision = revision + 1,
        updated_at = CASE WHEN ${changes} THEN ${nowMs} ELSE updated_at END,
        status_changed_at = CASE WHEN ${changes} THEN ${nowMs} ELSE status_changed_at END,
        status = CASE WHEN ${changes} THEN 'initiated' ELSE status END
      WHERE bridge_id = ${bridgeId} AND lost_at IS NULL AND ${among(lost)}`,
  ];
}

function loseOnL1(bridgeId: string, lost: LostBlocks): readonly Statement[] {
  const ofBridge = sql`bridge_id = ${bridgeId} AND ${among(lost)}`;
  const lostProofs = sql`SELECT withdrawal_hash FROM bridge_proofs WHERE ${ofBridge}`;
  const lostEnds = sql`SELECT withdrawal_hash FROM bridge_finalisations WHERE ${ofBridge}`;
  return [
    dueOfHashes(bridgeId, lostProofs),
    dueOfHashes(bridgeId, lostEnds),
    // An earlier proof of the submitter may count again.
    sql`UPDATE bridge_proofs SET is_open = 1, game = NULL WHERE bridge_id = ${bridgeId} AND withdrawal_hash IN (${lostProofs})`,
    sql`UPDATE bridge_proofs SET is_open = 1, game = NULL WHERE bridge_id = ${bridgeId} AND withdrawal_hash IN (${lostEnds})`,
    sql`DELETE FROM bridge_proofs WHERE ${ofBridge}`,
    sql`DELETE FROM bridge_finalisations WHERE ${ofBridge}`,
    sql`DELETE FROM bridge_games WHERE ${ofBridge}`,
    // The state of a game may have come from lost blocks.
    ...(isReorganization(lost)
      ? [
          sql`UPDATE bridge_games SET is_dead = 0, is_watched = 1, state_block = NULL
            WHERE bridge_id = ${bridgeId} AND state_block > ${lost.keep}`,
        ]
      : []),
  ];
}

function dueOfHashes(bridgeId: string, hashes: Fragment): Statement {
  return sql`UPDATE bridge_withdrawals SET due_at = 0, revision = revision + 1
    WHERE bridge_id = ${bridgeId} AND withdrawal_hash IN (${hashes})`;
}

function hashesOf(facts: readonly { readonly withdrawalHash: string }[]): readonly string[] {
  return [...new Set(facts.map(({ withdrawalHash }) => withdrawalHash))].sort();
}
