/** Deposits in SQL, for the leader that follows them. The guarantees are in `bridge/deposits/deposit-store.ts`. */

import { inChunks } from '@flowgate/base/in-chunks';
import type { Database, Statement } from '@flowgate/sql/engine/database';
import type { Fragment } from '@flowgate/sql/engine/dialect';
import { textOf } from '@flowgate/sql/engine/row';
import { list, raw, sql } from '@flowgate/sql/engine/sql-text';
import type { RoundTerms } from '../indexing/settler.ts';
import { roundFence } from '../indexing/sql-round-fence.ts';
import type { DepositRecord } from './deposit.ts';
import type { ProgressLimits } from './deposit-progress.ts';
import type { DepositOutcome, DepositProgressStore, DepositWait } from './deposit-store.ts';
import { depositColumns } from './sql-deposit-store.ts';

/** No request waits for these statements. */
const backgroundDeadlineMs = 2_000;
/** Deposits of one transaction. */
const maxWrites = 250;
/** Rows of one statement. */
const maxRows = 100;
/** Deposits that are found not to be stalled yet, in one statement. */
const maxPutForward = 500;

export function createSqlDepositProgressStore(database: Database): DepositProgressStore {
  const query = ({ text, values }: Statement) => database.query(text, values, { deadlineMs: backgroundDeadlineMs });
  const records = async (statement: Statement) => (await query(statement)).map(depositColumns.read);
  async function write(statements: readonly Statement[], { lease, epochs }: RoundTerms, isLostWithPower = false) {
    const onlyIf = roundFence(database, lease, epochs);
    const written: (readonly unknown[])[] = [];
    const options = { onlyIf, deadlineMs: backgroundDeadlineMs, isLostWithPower };
    for (const some of inChunks(statements, maxWrites)) written.push(...(await database.transaction(some, options)));
    return written;
  }
  /** In the same order everywhere, so that two transactions that write the same rows do not deadlock. */
  const writeEach = <T extends { readonly deposit: DepositRecord }>(
    items: readonly T[],
    statementOf: (item: T) => Statement,
    fence: RoundTerms,
    isLostWithPower = false,
  ) => {
    const ordered = items.toSorted((one, other) => (one.deposit.depositId < other.deposit.depositId ? -1 : 1));
    return write(ordered.map(statementOf), fence, isLostWithPower);
  };

  return {
    async isAnyOpen(bridgeId) {
      const rows = await query(sql`SELECT bridge_id FROM (
          SELECT bridge_id FROM (
            SELECT bridge_id FROM bridge_deposits WHERE bridge_id = ${bridgeId} AND open_block IS NOT NULL LIMIT 1
          ) AS open_one UNION ALL SELECT bridge_id FROM (
            SELECT bridge_id FROM bridge_deposits WHERE bridge_id = ${bridgeId} AND reset_at IS NOT NULL LIMIT 1
          ) AS reset_one) AS any_one LIMIT 1`);
      return rows.length === 1;
    },

    async advance({ bridgeId, stalledAfterMs }, { confirmed, relaying }, limit, nowMs, fence) {
      const steps = [
        { from: 'pending', to: 'relaying', above: -1, upTo: relaying },
        { from: 'confirmed', to: 'relaying', above: -1, upTo: relaying },
        { from: 'pending', to: 'confirmed', above: relaying, upTo: confirmed },
      ];
      const found = await Promise.all(
        steps.map(({ from, above, upTo }) =>
          query(sql`SELECT deposit_id FROM bridge_deposits
            WHERE bridge_id = ${bridgeId} AND status = ${from} AND open_block > ${above} AND open_block <= ${upTo}
            ORDER BY open_block LIMIT ${limit}`),
        ),
      );
      const statements = steps.flatMap(({ from, to, upTo }, at) => {
        const ids = (found[at] ?? []).map((row) => textOf(row, 'deposit_id')).sort();
        if (ids.length === 0) return [];
        return sql`UPDATE bridge_deposits SET status = ${to}, look_at = ${nowMs + stalledAfterMs}, looked_at = NULL,
            stalled_reason = NULL, updated_at = ${nowMs}, status_changed_at = ${nowMs}
          WHERE deposit_id IN (${list(ids)}) AND status = ${from} AND open_block <= ${upTo} RETURNING deposit_id`;
      });
      const moved = await write(statements, fence);
      return moved.reduce((count, rows) => count + rows.length, 0);
    },

    async due(bridgeId, upTo, nowMs, limit) {
      const dueBy = (where: Fragment, order: string) =>
        records(sql`SELECT ${depositColumns.list} FROM bridge_deposits
          WHERE bridge_id = ${bridgeId} AND ${where} AND due_at <= ${nowMs} ORDER BY ${raw(order)} LIMIT ${limit}`);
      const [open, reset] = await Promise.all([
        dueBy(sql`open_block <= ${upTo}`, 'open_block'),
        dueBy(sql`reset_at IS NOT NULL`, 'reset_at'),
      ]);
      const byId = new Map([...reset, ...open].map((deposit) => [deposit.depositId, deposit]));
      return [...byId.values()].slice(0, limit);
    },

    async end(outcomes, nowMs, fence) {
      const ordered = outcomes.toSorted((one, other) => (one.deposit.depositId < other.deposit.depositId ? -1 : 1));
      const statements = [...Map.groupBy(ordered, ({ deposit }) => deposit.bridgeId)].flatMap(([bridgeId, of]) =>
        inChunks(of, maxRows).map((some) => ending(some, bridgeId, nowMs)),
      );
      await write(statements, fence);
    },

    async putOff(waits, limits, nowMs, fence) {
      const isBack = ({ deposit, isAbsent }: DepositWait) => isAbsent && deposit.resetAtMs !== undefined;
      await writeEach(waits.filter(isBack), (wait) => goingBack(wait, limits, nowMs), fence);
      await writeEach(
        waits.filter((wait) => !isBack(wait)),
        ({ deposit, dueAtMs }) =>
          sql`UPDATE bridge_deposits SET due_at = ${dueAtMs} WHERE deposit_id = ${deposit.depositId}`,
        fence,
        true,
      );
    },

    async lost(bridgeId, nowMs, limit) {
      return records(sql`SELECT ${depositColumns.list} FROM bridge_deposits
        WHERE bridge_id = ${bridgeId} AND lost_at IS NOT NULL AND due_at <= ${nowMs} ORDER BY lost_at LIMIT ${limit}`);
    },

    async giveUp(deposits, nowMs, fence) {
      await writeEach(
        deposits.map((deposit) => ({ deposit })),
        ({
          deposit,
        }) => sql`UPDATE bridge_deposits SET status = 'failed', failure_reason = 'reorganised', lost_at = NULL,
            look_at = NULL, looked_at = NULL, stalled_reason = NULL, updated_at = ${nowMs}, status_changed_at = ${nowMs}
          WHERE deposit_id = ${deposit.depositId} AND lost_at = ${deposit.lostAtMs ?? null}`,
        fence,
      );
    },

    async stalled({ bridgeId, stalledAfterMs }, limit, nowMs, fence) {
      const due = await records(sql`SELECT ${depositColumns.list} FROM bridge_deposits
        WHERE bridge_id = ${bridgeId} AND look_at <= ${nowMs} ORDER BY look_at LIMIT ${maxPutForward}`);
      const early = due.filter(({ statusChangedAtMs }) => nowMs - statusChangedAtMs < stalledAfterMs);
      await writeEach(
        early.map((deposit) => ({ deposit })),
        ({ deposit: { depositId, statusChangedAtMs } }) => sql`UPDATE bridge_deposits
          SET look_at = ${statusChangedAtMs + stalledAfterMs}
          WHERE deposit_id = ${depositId} AND status_changed_at = ${statusChangedAtMs} AND look_at IS NOT NULL`,
        fence,
        true,
      );
      return due.filter((deposit) => !early.includes(deposit)).slice(0, limit);
    },
  };
}

/** Applies only to ends in the block that L2's stream has read, if the stream remembers that block. All deposits are of one bridge. */
function ending(outcomes: readonly DepositOutcome[], bridgeId: string, nowMs: number): Statement {
  const rows = outcomes.map(
    ({ deposit: { depositId, l2Hash }, status, failureReason = null, l2Block, l2BlockHash }) =>
      sql`(CAST(${depositId} AS TEXT), CAST(${l2Hash} AS TEXT), CAST(${status} AS TEXT), CAST(${failureReason} AS TEXT),
        CAST(${l2Block} AS BIGINT), CAST(${l2BlockHash} AS TEXT))`,
  );
  const streamId = `${bridgeId}/l2`;
  return sql`UPDATE bridge_deposits SET
      status_changed_at = CASE WHEN status = ended.column3 THEN status_changed_at ELSE ${nowMs} END,
      status = ended.column3, failure_reason = ended.column4, l2_block = ended.column5, open_block = NULL,
      reset_at = NULL, look_at = NULL, looked_at = NULL, stalled_reason = NULL, updated_at = ${nowMs}
    FROM (VALUES ${list(rows)}) AS ended
    WHERE deposit_id = ended.column1 AND l2_hash = ended.column2 AND lost_at IS NULL
      AND (open_block IS NOT NULL OR reset_at IS NOT NULL)
      AND NOT EXISTS (SELECT 1 FROM bridge_blocks
        WHERE stream_id = ${streamId} AND number = ended.column5 AND hash <> ended.column6)
      AND EXISTS (SELECT 1 FROM bridge_streams WHERE stream_id = ${streamId} AND next_block > ended.column5)`;
}

/** The status that the chains imply, which may be an earlier one. */
function goingBack({ deposit, dueAtMs }: DepositWait, limits: ProgressLimits, nowMs: number): Statement {
  const { depositId, l2Hash, resetAtMs = null } = deposit;
  const status = sql`CASE WHEN l1_block <= ${limits.relaying} THEN 'relaying'
    WHEN l1_block <= ${limits.confirmed} THEN 'confirmed' ELSE 'pending' END`;
  return sql`UPDATE bridge_deposits SET
      status_changed_at = CASE WHEN status = ${status} THEN status_changed_at ELSE ${nowMs} END,
      status = ${status}, failure_reason = NULL, l2_block = NULL, open_block = l1_block, reset_at = NULL,
      due_at = ${dueAtMs}, look_at = ${nowMs}, updated_at = ${nowMs}
    WHERE deposit_id = ${depositId} AND l2_hash = ${l2Hash} AND reset_at = ${resetAtMs} AND lost_at IS NULL`;
}
