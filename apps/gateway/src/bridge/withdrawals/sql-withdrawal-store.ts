/** Withdrawals in SQL, with one query text for every engine. The guarantees are in `bridge/withdrawals/withdrawal-store.ts`. */

import type { Database, Row, Statement } from '@flowgate/sql/engine/database';
import { integerOf, textOf } from '@flowgate/sql/engine/row';
import { list, sql } from '@flowgate/sql/engine/sql-text';
import { type RecordOf, selection, selectionWithout } from '@flowgate/sql/engine/table';
import type { RoundTerms } from '../indexing/settler.ts';
import { roundFence } from '../indexing/sql-round-fence.ts';
import { readWalletPage } from '../lists/sql-wallet-page.ts';
import { decidingProofs } from './sql-deciding-proofs.ts';
import { settling } from './sql-withdrawal-settling.ts';
import type { WithdrawalRecord } from './withdrawal.ts';
import type { DueWithdrawal, StoredGame, WithdrawalStore } from './withdrawal-store.ts';
import {
  bridgeFinalizationsTable,
  bridgeGamesTable,
  bridgePortalsTable,
  bridgeProofsTable,
  bridgeWithdrawalsTable,
} from './withdrawal-tables.ts';

/** The tuple may be long, and is in no list. */
const withdrawals = selectionWithout(bridgeWithdrawalsTable, 'sender', 'target', 'value', 'gasLimit', 'data');
const tuples = selection(bridgeWithdrawalsTable, 'nonce', 'sender', 'target', 'value', 'gasLimit', 'data');
const games = selection(bridgeGamesTable);
const proofs = selection(bridgeProofsTable);
const finalizations = selection(bridgeFinalizationsTable);
const portalsOf = selection(bridgePortalsTable);

/** No request waits for these statements. */
const backgroundDeadlineMs = 5_000;

function withTransaction(hash: string): Statement {
  return sql`SELECT withdrawal_id AS wanted_id FROM bridge_withdrawals WHERE transaction_hash = ${hash}
    UNION SELECT withdrawal_id AS wanted_id FROM bridge_withdrawals WHERE prove_transaction = ${hash}
    UNION SELECT withdrawal_id AS wanted_id FROM bridge_withdrawals WHERE finalise_transaction = ${hash}`;
}

export function createSqlWithdrawalStore(database: Database): WithdrawalStore {
  const query = ({ text, values }: Statement, options = {}) => database.query(text, values, options);
  const inBackground = (statement: Statement) => query(statement, { deadlineMs: backgroundDeadlineMs });

  async function write(statements: readonly Statement[], { lease, epochs }: RoundTerms): Promise<boolean> {
    const marker = sql`SELECT 1 AS done`;
    const [done] = await database.transaction([marker, ...statements], {
      onlyIf: roundFence(database, lease, epochs),
      deadlineMs: backgroundDeadlineMs,
    });
    return done !== undefined;
  }

  async function byIds(withdrawalIds: readonly string[]): Promise<readonly WithdrawalRecord[]> {
    if (withdrawalIds.length === 0) return [];
    const rows = await query(sql`SELECT ${withdrawals.list} FROM bridge_withdrawals
      WHERE withdrawal_id IN (${list(withdrawalIds)})`);
    return rows.map(withdrawals.read);
  }

  return {
    async list({ senders, receivers, statuses, transactionHash, newerThanMs, page }) {
      const { records, next } = await readWalletPage(database, {
        ...{ table: 'bridge_withdrawals', id: 'withdrawal_id', partition: 'bridge_id', page },
        roles: [
          { column: 'from_address', places: senders },
          { column: 'to_address', places: receivers },
        ],
        ...{ newerThanMs, oneOf: statuses && { column: 'status', values: statuses } },
        within: transactionHash === undefined ? undefined : withTransaction(transactionHash),
      });
      const found = new Map((await byIds(records.map(({ id }) => id))).map((each) => [each.withdrawalId, each]));
      const inOrder = records.flatMap(({ id }) => found.get(id) ?? []);
      return next === undefined ? { records: inOrder } : { records: inOrder, next };
    },

    find: async (withdrawalId) => (await byIds([withdrawalId]))[0],
    byIds,

    async tuple(withdrawalId) {
      const [row] = await query(
        sql`SELECT ${tuples.list} FROM bridge_withdrawals WHERE withdrawal_id = ${withdrawalId}`,
      );
      return row === undefined ? undefined : tuples.read(row);
    },

    async portals(bridgeIds) {
      if (bridgeIds.length === 0) return [];
      const rows = await query(
        sql`SELECT ${portalsOf.list} FROM bridge_portals WHERE bridge_id IN (${list(bridgeIds)})`,
      );
      return rows.map(portalsOf.read);
    },

    async newestGames(bridgeId, { gameType, createdFrom, to = Number.MAX_SAFE_INTEGER }, limit) {
      const rows = await inBackground(sql`SELECT ${games.list} FROM bridge_games
        WHERE bridge_id = ${bridgeId} AND game_type = ${gameType} AND is_dead = 0 AND created_at >= ${createdFrom}
          AND l2_block_number <= ${to} ORDER BY l2_block_number DESC LIMIT ${limit}`);
      return rows.map((row) => gameOf(games.read(row)));
    },

    async gamesAbout(bridgeId, { gameType, createdFrom }, { from, to }, limit) {
      const rows = await query(sql`SELECT ${games.list} FROM bridge_games
        WHERE bridge_id = ${bridgeId} AND game_type = ${gameType} AND is_dead = 0 AND created_at >= ${createdFrom}
          AND l2_block_number >= ${from} AND l2_block_number <= ${to}
        ORDER BY l2_block_number LIMIT ${limit}`);
      return rows.map((row) => gameOf(games.read(row)));
    },

    async unboundProofs(bridgeId, limit) {
      const rows = await inBackground(sql`SELECT ${proofs.list} FROM bridge_proofs
        WHERE bridge_id = ${bridgeId} AND game IS NULL AND is_open = 1 ORDER BY block_number LIMIT ${limit}`);
      return rows.map(proofs.read);
    },

    async watchedGames(bridgeId, afterId, limit) {
      const rows = await inBackground(sql`SELECT ${games.list}, CASE WHEN EXISTS (
            SELECT 1 FROM bridge_proofs AS proof
            WHERE proof.bridge_id = bridge_games.bridge_id AND proof.game = bridge_games.game AND proof.is_open = 1
          ) THEN 1 ELSE 0 END AS has_open_proofs
        FROM bridge_games WHERE bridge_id = ${bridgeId} AND is_watched = 1 AND game_id > ${afterId}
        ORDER BY game_id LIMIT ${limit}`);
      return rows.map((row) => ({
        ...gameOf(games.read(row)),
        hasOpenProofs: integerOf(row, 'has_open_proofs') === 1,
      }));
    },

    async due(bridgeId, chainTimeMs, limit) {
      const rows = await inBackground(sql`SELECT ${withdrawals.list} FROM bridge_withdrawals
        WHERE bridge_id = ${bridgeId} AND due_at <= ${chainTimeMs} ORDER BY due_at LIMIT ${limit}`);
      if (rows.length === 0) return [];
      const hashes = list([...new Set(rows.map((row) => textOf(row, 'withdrawal_hash')))]);
      const [proofRows, endRows, twinRows] = await Promise.all([
        inBackground(decidingProofs(bridgeId, hashes)),
        inBackground(sql`SELECT ${finalizations.list} FROM bridge_finalisations
          WHERE bridge_id = ${bridgeId} AND withdrawal_hash IN (${hashes})`),
        inBackground(sql`SELECT DISTINCT withdrawal_hash FROM bridge_withdrawals
          WHERE bridge_id = ${bridgeId} AND withdrawal_hash IN (${hashes}) AND lost_at IS NULL`),
      ]);
      const there = new Set(twinRows.map((row) => textOf(row, 'withdrawal_hash')));
      const known = await gamesAt(
        bridgeId,
        proofRows.map((row) => proofs.read(row).game),
      );
      return rows.map((row) => dueOf(row, proofRows, endRows, known, there));
    },

    settle: (bridgeId, changes, terms) => write(settling(bridgeId, changes), terms),

    async spread(bridgeId, coveredTo, nowMs, limit, terms) {
      // No block number is below 0.
      const covered = coveredTo ?? -1;
      const move = (from: string, to: string, isWanted: Statement) => sql`UPDATE bridge_withdrawals
        SET status = ${to}, status_changed_at = ${nowMs}, updated_at = ${nowMs}, revision = revision + 1
        WHERE withdrawal_id IN (SELECT withdrawal_id FROM bridge_withdrawals
          WHERE bridge_id = ${bridgeId} AND status = ${from} AND ${isWanted} LIMIT ${limit})
        RETURNING withdrawal_id`;
      const moves = [
        move('awaiting_state_root', 'ready_to_prove', sql`block_number <= ${covered}`),
        move('ready_to_prove', 'awaiting_state_root', sql`block_number > ${covered}`),
      ];
      const anyMoved = await inBackground(sql`SELECT (SELECT COUNT(*) FROM (SELECT 1 AS one FROM bridge_withdrawals
          WHERE bridge_id = ${bridgeId} AND status = 'awaiting_state_root' AND block_number <= ${covered} LIMIT 1) AS up)
        + (SELECT COUNT(*) FROM (SELECT 1 AS one FROM bridge_withdrawals
          WHERE bridge_id = ${bridgeId} AND status = 'ready_to_prove' AND block_number > ${covered} LIMIT 1) AS down) AS wanted`);
      let isMore = false;
      if (integerOf(anyMoved[0] ?? {}, 'wanted') > 0) {
        const done = await database.transaction(moves, {
          onlyIf: roundFence(database, terms.lease, terms.epochs),
          deadlineMs: backgroundDeadlineMs,
        });
        isMore = done.some((rows) => rows.length === limit);
      }
      return (await reportOne(bridgeId, limit, terms)) || isMore;
    },
  };

  /** Makes some of the withdrawals with proofs of a changed game due. Returns whether there may be more. */
  async function reportOne(bridgeId: string, limit: number, terms: RoundTerms): Promise<boolean> {
    const [row] = await inBackground(sql`SELECT ${games.list} FROM bridge_games
      WHERE bridge_id = ${bridgeId} AND told_to IS NOT NULL ORDER BY game_id LIMIT 1`);
    if (row === undefined) return false;
    const { gameId, game, reportedTo = '' } = games.read(row);
    const found = await inBackground(sql`SELECT ${proofs.list} FROM bridge_proofs
      WHERE bridge_id = ${bridgeId} AND game = ${game} AND is_open = 1 AND proof_id > ${reportedTo}
      ORDER BY proof_id LIMIT ${limit}`);
    const reported = found.map(proofs.read);
    const last = reported.length === limit ? reported.at(-1)?.proofId : undefined;
    const hashes = [...new Set(reported.map(({ withdrawalHash }) => withdrawalHash))].sort();
    return write(
      [
        ...(hashes.length === 0
          ? []
          : [
              sql`UPDATE bridge_withdrawals SET due_at = 0, revision = revision + 1
                WHERE bridge_id = ${bridgeId} AND withdrawal_hash IN (${list(hashes)})`,
            ]),
        // Unless the game has changed again meanwhile.
        sql`UPDATE bridge_games SET told_to = ${last ?? null} WHERE game_id = ${gameId} AND told_to = ${reportedTo}`,
      ],
      terms,
    );
  }

  async function gamesAt(
    bridgeId: string,
    addresses: readonly (string | undefined)[],
  ): Promise<ReadonlyMap<string, StoredGame>> {
    const wanted = [...new Set(addresses.flatMap((address) => address ?? []))];
    if (wanted.length === 0) return new Map();
    const rows = await inBackground(
      sql`SELECT ${games.list} FROM bridge_games WHERE bridge_id = ${bridgeId} AND game IN (${list(wanted)})`,
    );
    return new Map(rows.map((row) => [textOf(row, 'game'), gameOf(games.read(row))]));
  }
}

function gameOf({ status, ...game }: RecordOf<typeof bridgeGamesTable.columns>): StoredGame {
  return { ...game, status: status ?? 'in_progress', isRead: status !== undefined };
}

function dueOf(
  row: Row,
  proofRows: readonly Row[],
  endRows: readonly Row[],
  known: ReadonlyMap<string, StoredGame>,
  there: ReadonlySet<string>,
): DueWithdrawal {
  const withdrawal = withdrawals.read(row);
  const { withdrawalHash, lostAtMs } = withdrawal;
  // A finalization pays out once: it belongs to the transaction that L2 has.
  const ends = lostAtMs !== undefined && there.has(withdrawalHash) ? [] : endRows.map(finalizations.read);
  const seen = new Set<string>();
  const latest = proofRows.map(proofs.read).filter(({ withdrawalHash: hash, submitter }) => {
    if (hash !== withdrawalHash || seen.has(submitter)) return false;
    seen.add(submitter);
    return true;
  });
  return {
    withdrawal,
    signer: { address: withdrawal.signer, nonce: withdrawal.signerNonce },
    finalization: ends.find((end) => end.withdrawalHash === withdrawalHash),
    proofs: latest.map(({ game, ...proof }) => ({
      ...proof,
      isBound: game !== undefined || !proof.isOpen,
      game: game === undefined ? undefined : known.get(game),
    })),
  };
}
