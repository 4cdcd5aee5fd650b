/** The statements that store what a range of blocks tells about withdrawals, and that take it back. Whatever changes a withdrawal's facts makes it due. */

import type { NewTypeId } from '@flowgate/base/ids';
import { inChunks } from '@flowgate/base/in-chunks';
import type { Statement } from '@flowgate/sql/engine/database';
import type { Fragment } from '@flowgate/sql/engine/dialect';
import { list, sql } from '@flowgate/sql/engine/sql-text';
import { selection } from '@flowgate/sql/engine/table';
import type { RangeFacts } from '../facts/range-facts.ts';
import type { WithdrawalFact } from '../facts/withdrawal-facts.ts';
import {
  bridgeFinalisationsTable,
  bridgeGamesTable,
  bridgeProofsTable,
  bridgeWithdrawalsTable,
} from './withdrawal-tables.ts';

const withdrawals = selection(bridgeWithdrawalsTable);
const games = selection(bridgeGamesTable);
const proofs = selection(bridgeProofsTable);
const finalisations = selection(bridgeFinalisationsTable);

type Source = { readonly bridgeId: string; readonly nowMs: number; readonly newId: NewTypeId };
type Lost = { readonly streamId: string; readonly keep: number; readonly upTo: number; readonly nowMs: number };

/** Rows of one statement: engines bound the values. */
const mostRows = 100;

export function storeWithdrawals(facts: RangeFacts, source: Source): readonly Statement[] {
  return [
    ...inChunks(distinct(facts.withdrawals), mostRows).flatMap((some) => [
      storing(some, source),
      lostTwinsDue(some, source),
    ]),
    ...storeGames(facts, source),
    ...storeProofs(facts, source),
    ...storeFinalisations(facts, source),
  ];
}

function storing(facts: readonly WithdrawalFact[], { bridgeId, nowMs, newId }: Source): Statement {
  const rows = facts.map(({ withdrawal, transaction, ...place }) => {
    const { tuple, token, kind, withdrawalHash, messageHash, amount, from, to } = withdrawal;
    const record = {
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
    return sql`(${withdrawals.values(record)})`;
  });
  const old = sql`bridge_withdrawals`;
  // Mined again, a transaction may withdraw under another nonce of the message passer: then L1 knows nothing of it.
  const isOther = sql`(${old}.withdrawal_hash <> excluded.withdrawal_hash OR (${old}.status = 'failed' AND ${old}.lost_at IS NOT NULL))`;
  const isMoved = sql`(${old}.block_number <> excluded.block_number OR ${old}.created_at <> excluded.created_at OR ${isOther})`;
  return sql`INSERT INTO bridge_withdrawals (${withdrawals.list}) VALUES ${list(rows)}
    ON CONFLICT (bridge_id, transaction_hash, nth) DO UPDATE SET
      block_number = excluded.block_number, created_at = excluded.created_at, kind = excluded.kind,
      nonce = excluded.nonce, sender = excluded.sender, target = excluded.target, value = excluded.value,
      gas_limit = excluded.gas_limit, data = excluded.data, token_l1 = excluded.token_l1,
      token_l2 = excluded.token_l2, amount = excluded.amount, from_address = excluded.from_address,
      to_address = excluded.to_address, withdrawal_hash = excluded.withdrawal_hash,
      message_hash = excluded.message_hash, failure_reason = CASE WHEN ${isOther} THEN NULL ELSE ${old}.failure_reason END,
      status = CASE WHEN ${isOther} THEN 'initiated' ELSE ${old}.status END,
      status_changed_at = CASE WHEN ${isOther} AND ${old}.status <> 'initiated' THEN excluded.status_changed_at
        ELSE ${old}.status_changed_at END,
      updated_at = CASE WHEN ${isMoved} THEN excluded.updated_at ELSE ${old}.updated_at END,
      lost_at = NULL, due_at = 0, revision = ${old}.revision + 1`;
}

/** Lost ones of other transactions that have withdrawn the same: an end on L1 is not theirs. */
function lostTwinsDue(facts: readonly WithdrawalFact[], { bridgeId }: Source): Statement {
  const hashes = [...new Set(facts.map(({ withdrawal }) => withdrawal.withdrawalHash))].sort();
  return sql`UPDATE bridge_withdrawals SET due_at = 0, revision = revision + 1
    WHERE bridge_id = ${bridgeId} AND withdrawal_hash IN (${list(hashes)}) AND lost_at IS NOT NULL`;
}

function storeGames({ games: facts }: RangeFacts, { bridgeId }: Source): readonly Statement[] {
  return inChunks(distinct(facts), mostRows).map((some) => {
    const rows = some.map((fact) => {
      const record = {
        ...{ gameId: placeId(bridgeId, fact), bridgeId, blockNumber: fact.blockNumber },
        ...{ game: fact.game.toLowerCase(), gameType: fact.gameType, rootClaim: fact.rootClaim },
        ...{ l2BlockNumber: fact.l2BlockNumber, createdAt: Math.floor(fact.blockTimeMs / 1000) },
        ...{ isChallenged: false, resolvedAt: 0, clockSeconds: 0, isBlacklisted: false, isDead: false },
        // Proofs may be known already: when a range is read again.
        ...{ isWatched: true, toldTo: '' },
      };
      return sql`(${games.values(record)})`;
    });
    return sql`INSERT INTO bridge_games (${games.list}) VALUES ${list(rows)}
      ON CONFLICT (game_id) DO UPDATE SET block_number = excluded.block_number, game = excluded.game,
        created_at = excluded.created_at, l2_block_number = excluded.l2_block_number,
        is_watched = 1, is_dead = 0, told_to = ''`;
  });
}

function storeProofs({ proofs: facts }: RangeFacts, { bridgeId }: Source): readonly Statement[] {
  return inChunks(distinct(facts), mostRows).flatMap((some) => {
    const rows = some.map((fact) => {
      const { withdrawalHash, transactionHash, blockNumber, logIndex, blockTimeMs: provenAtMs } = fact;
      const place = { proofId: placeId(bridgeId, fact), bridgeId, transactionHash, blockNumber, logIndex, provenAtMs };
      return sql`(${proofs.values({ ...place, withdrawalHash, submitter: fact.submitter.toLowerCase(), isOpen: true })})`;
    });
    return [
      sql`INSERT INTO bridge_proofs (${proofs.list}) VALUES ${list(rows)}
        ON CONFLICT (proof_id) DO UPDATE SET block_number = excluded.block_number, log_index = excluded.log_index,
          proven_at = excluded.proven_at, game = NULL, is_open = 1`,
      dueOfHashes(bridgeId, list(hashesOf(some))),
    ];
  });
}

function storeFinalisations({ finalisations: facts }: RangeFacts, { bridgeId }: Source): readonly Statement[] {
  return inChunks(distinct(facts), mostRows).flatMap((some) => {
    const rows = some.map((fact) => {
      const { withdrawalHash, transactionHash, blockNumber, isSuccess } = fact;
      const record = { bridgeId, withdrawalHash, transactionHash, blockNumber, isSuccess };
      return sql`(${finalisations.values({ ...record, finalisationId: placeId(bridgeId, fact) })})`;
    });
    return [
      sql`INSERT INTO bridge_finalisations (${finalisations.list}) VALUES ${list(rows)}
        ON CONFLICT (finalisation_id) DO UPDATE SET block_number = excluded.block_number,
          is_success = excluded.is_success`,
      dueOfHashes(bridgeId, list(hashesOf(some))),
    ];
  });
}

/** Of a bridge's stream of either side; nothing for others. */
export function loseWithdrawals(lost: Lost): readonly Statement[] {
  const [, bridgeId, side] = /^([^/]+)\/(l[12])$/.exec(lost.streamId) ?? [];
  if (bridgeId === undefined) return [];
  return side === 'l2' ? loseOnL2(bridgeId, lost) : loseOnL1(bridgeId, lost);
}

/** The record stays: its transaction may be mined again. What is only read again keeps its status until it is not found. */
function loseOnL2(bridgeId: string, lost: Lost): readonly Statement[] {
  const { nowMs } = lost;
  const changes = isReorganisation(lost) ? sql`status NOT IN ('initiated', 'finalised', 'failed')` : sql`1 = 0`;
  return [
    sql`UPDATE bridge_withdrawals SET lost_at = ${nowMs}, due_at = 0, revision = revision + 1,
        updated_at = CASE WHEN ${changes} THEN ${nowMs} ELSE updated_at END,
        status_changed_at = CASE WHEN ${changes} THEN ${nowMs} ELSE status_changed_at END,
        status = CASE WHEN ${changes} THEN 'initiated' ELSE status END
      WHERE bridge_id = ${bridgeId} AND lost_at IS NULL AND ${among(lost)}`,
  ];
}

function loseOnL1(bridgeId: string, lost: Lost): readonly Statement[] {
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
    // What was read of a game may have been the work of lost blocks.
    ...(isReorganisation(lost)
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

function among({ keep, upTo }: Lost): Fragment {
  return sql`block_number > ${keep} AND block_number <= ${upTo}`;
}

/** Every block above is lost, rather than some that are read again. */
function isReorganisation({ upTo }: Lost): boolean {
  return upTo === Number.MAX_SAFE_INTEGER;
}

type Placed = { readonly transactionHash: string; readonly nth: number };

function placeId(bridgeId: string, { transactionHash, nth }: Placed): string {
  return `${bridgeId}/${transactionHash}/${nth}`;
}

/** Each once, in one order everywhere, so that two that write the same rows do not deadlock. */
function distinct<T extends Placed>(facts: readonly T[]): readonly T[] {
  const byPlace = new Map(facts.map((fact) => [placeId('', fact), fact]));
  return [...byPlace].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, fact]) => fact);
}

function hashesOf(facts: readonly { readonly withdrawalHash: string }[]): readonly string[] {
  return [...new Set(facts.map(({ withdrawalHash }) => withdrawalHash))].sort();
}
