/** Usage in SQL: the same text of each query for every engine. The guarantees are in `usage-store.ts`. */

import type { RandomBytes } from '@flowgate/base/random';
import { fence } from '@flowgate/sql/coordination/sql-lease-store';
import type { Database, Row, SqlValue, Statement } from '@flowgate/sql/engine/database';
import type { Fragment } from '@flowgate/sql/engine/dialect';
import { integerOf, textOf } from '@flowgate/sql/engine/row';
import { list, raw, sql } from '@flowgate/sql/engine/sql-text';
import { selection } from '@flowgate/sql/engine/table';
import { readUsage } from './sql-usage-sums.ts';
import type { RollUpPlace, StoredSeries, UsageLevel, UsagePoint, UsageStore } from './usage-store.ts';
import { binColumns, usageSeriesTable } from './usage-tables.ts';

const series = selection(usageSeriesTable);
const bins = binColumns.join(', ');

/** No request waits for this write. */
const background = { deadlineMs: 5_000 };
/** Points that are added to the next level in one transaction; all points of the last series are included. */
const rolledAtOnce = 2_000;

const levels = {
  minute: { table: 'usage_minutes', above: 'usage_hours', aboveMs: 3_600_000 },
  hour: { table: 'usage_hours', above: 'usage_days', aboveMs: 86_400_000 },
} as const;

const tables: Readonly<Record<UsageLevel, string>> = {
  minute: 'usage_minutes',
  hour: 'usage_hours',
  day: 'usage_days',
};

export function createSqlUsageStore(database: Database, randomBytes: RandomBytes): UsageStore {
  const query = ({ text, values }: Statement, options = {}) => database.query(text, values, options);
  /** A number that identifies the rows of a piece, different from that of any other piece. */
  const newPiece = () => Buffer.from(randomBytes(6)).readUIntBE(0, 6) + 1;
  return {
    async write(given, points, nowMs) {
      const statements = given.length === 0 ? [] : [seriesStatement(given, nowMs)];
      if (points.length > 0) statements.push(pointsStatement(points));
      if (statements.length === 0) return [];
      const results = await database.transaction(statements, background);
      const stored = new Set((points.length === 0 ? [] : (results.at(-1) ?? [])).map((row) => textOf(row, 'point_id')));
      return points.flatMap(({ pointId }) => (stored.has(pointId) ? [] : [pointId]));
    },

    async stored(pointIds) {
      const rows = await query(
        sql`SELECT point_id, requests, ${raw(bins)} FROM usage_minutes WHERE point_id IN (${list(pointIds)})`,
        background,
      );
      return new Map(
        rows.map((row) => [textOf(row, 'point_id'), { requests: integerOf(row, 'requests'), bins: binsOf(row) }]),
      );
    },

    async rollUp(from, beforeMs, place, lease) {
      const { table, above, aboveMs } = levels[from];
      const after = place === undefined ? sql`` : sql`AND series_id > ${place.seriesId}`;
      const [found] = await query(
        sql`SELECT MAX(series_id) AS series_id, MIN(at) AS oldest FROM (
            SELECT series_id, at FROM ${raw(table)} WHERE rolled = 0 AND at < ${beforeMs} ${after}
            ORDER BY series_id, at LIMIT ${rolledAtOnce}
          ) AS piece`,
        background,
      );
      if (found === undefined || found['series_id'] === null) return undefined;
      const next: RollUpPlace = { seriesId: textOf(found, 'series_id') };
      const within = sql`at >= ${integerOf(found, 'oldest')} AND at < ${beforeMs} ${after} AND series_id <= ${next.seriesId}`;
      const piece = newPiece();
      // An incomplete hour receives further points: its row passes on its id and gets a new one.
      const renamed = from === 'hour' ? sql`, point_id = point_id || ${`:${piece}`}` : sql``;
      await database.transaction(
        [
          sql`UPDATE ${raw(table)} SET rolled = ${piece} ${renamed} WHERE rolled = 0 AND ${within}`,
          additionTo(
            above,
            aboveMs,
            from === 'minute',
            sql`SELECT * FROM ${raw(table)} WHERE rolled = ${piece} AND ${within}`,
          ),
        ],
        { ...background, onlyIf: fence(database, lease) },
      );
      return next;
    },

    async removePoints(level, beforeMs, limit) {
      const table = raw(tables[level]);
      const isRolled = level === 'day' ? sql`` : sql`AND rolled <> 0`;
      const [removed = []] = await database.transaction(
        [
          sql`DELETE FROM ${table} WHERE point_id IN (
              SELECT point_id FROM ${table} WHERE at < ${beforeMs} ${isRolled} ORDER BY at LIMIT ${limit}
            ) RETURNING point_id`,
        ],
        background,
      );
      return removed.length;
    },

    async removeSeries(beforeMs, limit) {
      const unused = Object.values(tables).map(
        (table) => `NOT EXISTS (SELECT 1 FROM ${table} WHERE ${table}.series_id = usage_series.series_id)`,
      );
      const isUnused = sql`seen_at < ${beforeMs} AND ${raw(unused.join(' AND '))}`;
      const [removed = []] = await database.transaction(
        [
          sql`DELETE FROM usage_series WHERE ${isUnused} AND series_id IN (
              SELECT series_id FROM usage_series WHERE ${isUnused} LIMIT ${limit}
            ) RETURNING series_id`,
        ],
        background,
      );
      return removed.length;
    },

    read: (question, bounds) => readUsage(query, question, bounds),
  };
}

function seriesStatement(given: readonly StoredSeries[], nowMs: number): Statement {
  const rows = [...given]
    .sort((left, right) => (left.seriesId < right.seriesId ? -1 : 1))
    .map((each) => sql`(${series.values({ ...each, seenAtMs: nowMs })})`);
  return sql`INSERT INTO usage_series (${series.list}) VALUES ${list(rows)}
    ON CONFLICT (series_id) DO UPDATE SET seen_at = excluded.seen_at WHERE usage_series.seen_at < excluded.seen_at`;
}

const pointRow = `(?, ?, ?, ?, 0${', ?'.repeat(binColumns.length)})`;
const replacedBins = binColumns.map((name) => `${name} = excluded.${name}`).join(', ');

/** An older state of a point that arrives late changes nothing, and neither does a point that was already rolled up. */
function pointsStatement(points: readonly UsagePoint[]): Statement {
  const values: SqlValue[] = [];
  for (const { pointId, seriesId, atMs, requests, bins: counts } of points) {
    values.push(pointId, seriesId, atMs, requests);
    for (let bin = 0; bin < binColumns.length; bin++) values.push(counts[bin] || null);
  }
  const rows: Fragment = { text: points.map(() => pointRow).join(', '), values };
  return sql`INSERT INTO usage_minutes (point_id, series_id, at, requests, rolled, ${raw(bins)}) VALUES ${rows}
    ON CONFLICT (point_id) DO UPDATE SET requests = excluded.requests, ${raw(replacedBins)}
    WHERE usage_minutes.rolled = 0 AND usage_minutes.requests <= excluded.requests
    RETURNING point_id`;
}

/** Adds these points to those of the level above. */
function additionTo(above: string, aboveMs: number, hasRolled: boolean, points: Statement): Statement {
  const sums = binColumns.map((name) => `SUM(${name})`).join(', ');
  const added = binColumns.map(
    (name) => `${name} = COALESCE(${above}.${name} + excluded.${name}, ${above}.${name}, excluded.${name})`,
  );
  const [rolledColumn, zero] = hasRolled ? ['rolled, ', '0, '] : ['', ''];
  return sql`INSERT INTO ${raw(above)} (point_id, series_id, at, ${raw(rolledColumn)} requests, ${raw(bins)})
    SELECT series_id || ':' || CAST(began AS TEXT), series_id, began, ${raw(zero)} SUM(requests), ${raw(sums)}
    FROM (SELECT (at / ${raw(String(aboveMs))}) * ${raw(String(aboveMs))} AS began, piece.* FROM (${points}) AS piece) AS placed
    WHERE true GROUP BY series_id, began
    ON CONFLICT (point_id) DO UPDATE SET requests = ${raw(above)}.requests + excluded.requests, ${raw(added.join(', '))}`;
}

function binsOf(row: Row): readonly number[] {
  return binColumns.map((name) => (row[name] === null ? 0 : integerOf(row, name)));
}
