/** The indexer's progress in SQL, with one query text for every engine. The guarantees are in `bridge/indexing/index-store.ts`. */

import type { NewTypeId } from '@flowgate/base/ids';
import type { Lease } from '@flowgate/sql/coordination/lease-store';
import { fence } from '@flowgate/sql/coordination/sql-lease-store';
import type { Database, Row, Statement } from '@flowgate/sql/engine/database';
import { integerOf, textOf } from '@flowgate/sql/engine/row';
import { list, sql } from '@flowgate/sql/engine/sql-text';
import { selection } from '@flowgate/sql/engine/table';
import type { FactKind } from '../facts/sql-fact-statements.ts';
import type { IndexStore, RangeCommit, ReadBlock, StreamPosition, StreamState } from './index-store.ts';
import { bridgeBlocksTable, bridgeStreamsTable } from './index-tables.ts';
import { streamFence } from './sql-round-fence.ts';
import { createSqlTableStatistics } from './sql-table-statistics.ts';

const streams = selection(bridgeStreamsTable);
const blocksOf = selection(bridgeBlocksTable);

/** No request waits for these statements. */
const backgroundDeadlineMs = 2_000;
/** A range has at most a few thousand facts, or one block that has more. */
const commitDeadlineMs = 30_000;
/** Each of the newest blocks is remembered: nearly all reorganizations are among them. */
const recentBlocks = 512;
/** Of older blocks one of this many is remembered: a deeper reorganization rereads at most as many blocks more. */
const rememberedEvery = 1_024;
const blocksInStatement = 100;

export function createSqlIndexStore(database: Database, newId: NewTypeId, kinds: readonly FactKind[]): IndexStore {
  const refreshStatistics = createSqlTableStatistics(database, kinds);
  const query = async ({ text, values }: Statement) =>
    database.query(text, values, { deadlineMs: backgroundDeadlineMs });

  /** Runs all statements if the stream is still at this place and in this epoch. */
  async function move(
    streamId: string,
    from: StreamPosition,
    to: StreamPosition,
    statements: readonly Statement[],
    lease: Lease,
    seen: RangeCommit['seen'] = {},
  ): Promise<boolean> {
    const moving = sql`UPDATE bridge_streams
      SET next_block = ${to.nextBlock}, epoch = ${to.epoch}, reread_to = ${to.rereadTo ?? null}, ${noted(seen)}
      WHERE stream_id = ${streamId} RETURNING stream_id`;
    const [moved = []] = await database.transaction([moving, ...statements], {
      onlyIf: streamFence(database, lease, streamId, from),
      deadlineMs: commitDeadlineMs,
    });
    return moved.length === 1;
  }

  return {
    async states() {
      const rows = await query(sql`SELECT ${streams.list} FROM bridge_streams ORDER BY stream_id LIMIT 1000`);
      return rows.map(stateOf);
    },

    async begin(streamId, startBlock, lease) {
      const [, found = []] = await database.transaction(
        [
          sql`INSERT INTO bridge_streams (stream_id, next_block, epoch) VALUES (${streamId}, ${startBlock}, 1)
            ON CONFLICT (stream_id) DO NOTHING`,
          sql`SELECT ${streams.list} FROM bridge_streams WHERE stream_id = ${streamId}`,
        ],
        { onlyIf: fence(database, lease), deadlineMs: backgroundDeadlineMs },
      );
      return found.map(stateOf)[0];
    },

    async blocks(streamId, limit) {
      const rows = await query(sql`SELECT ${blocksOf.list} FROM bridge_blocks
        WHERE stream_id = ${streamId} ORDER BY number DESC LIMIT ${limit}`);
      return rows.map(blocksOf.read).map(({ number, hash }) => ({ number, hash }));
    },

    async commit(range, lease) {
      const { state, to, stream } = range;
      const { nextBlock: from, epoch, rereadTo = from - 1 } = state;
      const next = { nextBlock: to + 1, epoch, ...(rereadTo > to && { rereadTo }) };
      const statements = rangeStatements(database, range, newId, kinds);
      const isStored = await move(stream.streamId, state, next, statements, lease, range.seen);
      if (isStored) await refreshStatistics(range.facts);
      return isStored;
    },

    async undo(streamId, state, keep, nowMs, lease) {
      const lost = { streamId, keep, upTo: Number.MAX_SAFE_INTEGER, nowMs };
      const next = { nextBlock: keep + 1, epoch: state.epoch + 1 };
      return move(
        streamId,
        state,
        next,
        [forgetAbove(streamId, keep), ...kinds.flatMap(({ lose }) => lose(lost))],
        lease,
      );
    },

    async note(streamId, { trouble, ...seen }, lease) {
      const statement = sql`UPDATE bridge_streams SET ${noted(seen, trouble)} WHERE stream_id = ${streamId}`;
      await database.transaction([statement], {
        onlyIf: fence(database, lease),
        deadlineMs: backgroundDeadlineMs,
        // Blocks that a machine lost when it crashed are read from the chain again.
        isLostWithPower: true,
      });
    },

    async leader(leaseName) {
      const rows = await query(sql`SELECT holder FROM leases
        WHERE name = ${leaseName} AND holder IS NOT NULL AND expires_at > ${database.dialect.now()}`);
      return rows.map((row) => textOf(row, 'holder'))[0];
    },

    async reindex(streamId, from) {
      const [rows = []] = await database.transaction(
        [
          sql`UPDATE bridge_streams SET epoch = epoch + 1,
              reread_to = CASE WHEN reread_to > next_block - 1 THEN reread_to ELSE next_block - 1 END,
              next_block = CASE WHEN next_block <= ${from} THEN next_block ELSE COALESCE(
                (SELECT MAX(number) FROM bridge_blocks WHERE stream_id = ${streamId} AND number < ${from}) + 1,
                CAST(${from} AS BIGINT)) END
            WHERE stream_id = ${streamId} RETURNING next_block`,
          sql`DELETE FROM bridge_blocks WHERE stream_id = ${streamId}
            AND number >= (SELECT next_block FROM bridge_streams WHERE stream_id = ${streamId})`,
        ],
        { deadlineMs: commitDeadlineMs },
      );
      return rows.map((row) => integerOf(row, 'next_block'))[0];
    },
  };
}

/** The head, and the trouble: none when it is not given. */
function noted({ head, readAtMs }: Pick<StreamState, 'head' | 'readAtMs'>, trouble?: string): Statement {
  return sql`head_number = COALESCE(CAST(${head?.number ?? null} AS BIGINT), head_number),
    head_hash = COALESCE(CAST(${head?.hash ?? null} AS TEXT), head_hash),
    head_time = COALESCE(CAST(${head?.timeMs ?? null} AS BIGINT), head_time),
    read_at = COALESCE(CAST(${readAtMs ?? null} AS BIGINT), read_at), trouble = ${trouble ?? null}`;
}

function rangeStatements(
  { dialect }: Database,
  range: RangeCommit,
  newId: NewTypeId,
  kinds: readonly FactKind[],
): readonly Statement[] {
  const { stream, state, to, facts, nowMs } = range;
  const { streamId, bridgeId, dlt, networkId } = stream;
  const from = state.nextBlock;
  const isReread = state.rereadTo !== undefined && state.rereadTo >= from;
  const lost = { streamId, keep: from - 1, upTo: to, nowMs };
  const context = { dialect, streamId, bridgeId, place: { dlt, networkId }, nowMs, newId };
  return [
    // Facts that are found again are stored again below, under their old id.
    ...(isReread ? kinds.flatMap(({ lose }) => lose(lost)) : []),
    ...kinds.flatMap(({ store }) => store(facts, context)),
    ...rememberBlocks(streamId, range.blocks),
    forgetOld(streamId, from, to),
  ];
}

/** Those that were among the recent blocks until this range. */
function forgetOld(streamId: string, from: number, to: number): Statement {
  return sql`DELETE FROM bridge_blocks WHERE stream_id = ${streamId}
    AND number >= ${from - 1 - recentBlocks} AND number < ${to - recentBlocks} AND number % ${rememberedEvery} <> 0`;
}

function forgetAbove(streamId: string, keep: number): Statement {
  return sql`DELETE FROM bridge_blocks WHERE stream_id = ${streamId} AND number > ${keep}`;
}

function rememberBlocks(streamId: string, blocks: readonly ReadBlock[]): readonly Statement[] {
  const statements: Statement[] = [];
  for (let at = 0; at < blocks.length; at += blocksInStatement) {
    const rows = blocks
      .slice(at, at + blocksInStatement)
      .map(
        ({ number, hash }) => sql`(${blocksOf.values({ blockId: `${streamId}/${number}`, streamId, number, hash })})`,
      );
    statements.push(sql`INSERT INTO bridge_blocks (${blocksOf.list}) VALUES ${list(rows)}
      ON CONFLICT (block_id) DO UPDATE SET hash = excluded.hash`);
  }
  return statements;
}

function stateOf(row: Row): StreamState {
  const { headNumber: number, headHash: hash, headTimeMs: timeMs, ...state } = streams.read(row);
  return number === undefined || hash === undefined || timeMs === undefined
    ? state
    : { ...state, head: { number, hash, timeMs } };
}
