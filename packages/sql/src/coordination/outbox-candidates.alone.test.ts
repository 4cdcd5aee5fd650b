import { expect, test } from 'bun:test';
import { onEveryEngine } from '../../../../apps/gateway/test/fixtures/sql-engines.ts';
import type { Database, Statement } from '../engine/database.ts';
import { sql } from '../engine/sql-text.ts';
import { partitionByPartition } from './outbox-candidates.ts';

const queue = 'q';
const deadlineMs = 60_000;

/** Inserts due items, one for each partition and five partitions for each owner. */
async function fill(database: Database, items: number): Promise<void> {
  const rows = sql`INSERT INTO outbox (id, queue, owner, lane, payload, enqueued_at, due_at, claim, claimed_until)
    SELECT 'f' || n.i, CAST(${queue} AS TEXT), 'owner ' || (n.i / 5), 'partition ' || n.i, 'e', 1, 1, 0, CAST(NULL AS BIGINT)
    FROM (
      WITH RECURSIVE counted(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM counted WHERE i < ${items}) SELECT i FROM counted
    ) AS n`;
  await database.transaction([{ text: 'DELETE FROM outbox', values: [] }, rows, { text: 'ANALYZE', values: [] }], {
    deadlineMs,
  });
}

function candidates({ dialect }: Database): Statement {
  const request = { queue, now: dialect.now(), limit: 64, share: { max: 3, inFlight: new Map([['owner 7', 2]]) } };
  return partitionByPartition({ owner: '', key: '' })(request);
}

onEveryEngine((engine, open) => {
  test('with a large backlog, partitions and owners are found in an index, without reading all rows', async () => {
    const { database, close } = await open();
    await fill(database, 5_000);
    const explain = engine === 'SQLite' ? 'EXPLAIN QUERY PLAN' : 'EXPLAIN (ANALYZE, VERBOSE)';
    const planOf = async ({ text, values }: Statement) => {
      const rows = await database.query(`${explain} ${text}`, values, { deadlineMs });
      return rows.map((row) => String(row['detail'] ?? row['QUERY PLAN'])).join('\n');
    };
    const plan = await planOf(candidates(database));
    expect(plan).toContain('outbox_by_owner');
    expect(plan).toContain('outbox_by_lane_due');
    expect(plan).not.toMatch(/SCAN (outbox|next|due|leased)\b|Seq Scan/);
    const orphans = sql`SELECT 1 FROM outbox WHERE queue = ${queue} AND due_at <= 5 AND owner IS NULL AND lane IS NOT NULL`;
    expect(await planOf(orphans)).toContain('outbox_without_owner');
    await close();
  });

  test('the cost of leasing does not grow with the number of partitions with due items', async () => {
    const { database, close } = await open();
    const costOf = async (partitions: number) => {
      await fill(database, partitions);
      // The query that leasing uses.
      const { text, values } = sql`WITH candidate AS MATERIALIZED (${candidates(database)})
        SELECT id FROM outbox WHERE id IN (SELECT candidate_id FROM candidate)`;
      let best = Number.POSITIVE_INFINITY;
      for (let round = 0; round < 15; round++) {
        const startedAtMs = performance.now();
        expect(await database.query(text, values, { deadlineMs })).toHaveLength(64);
        best = Math.min(best, performance.now() - startedAtMs);
      }
      return best;
    };
    const few = await costOf(500);
    // There are eighty times as many items; reading all of them would take about as many times as long.
    expect((await costOf(40_000)) / few).toBeLessThan(10);
    await close();
  });
});
