/**
 * Adds up usage, a bounded part at a time, so that other requests wait for one statement at most. A part is a range of buckets and series, so no point moves
 * to another part while it is rolled up.
 */

import type { Row, Statement } from '@flowgate/sql/engine/database';
import type { Fragment } from '@flowgate/sql/engine/dialect';
import { integerOf, textOf } from '@flowgate/sql/engine/row';
import { raw, sql } from '@flowgate/sql/engine/sql-text';
import type { UsageAnswer, UsageLevel, UsageQuestion, UsageReadBounds, UsageSum } from './usage-store.ts';
import { binColumns } from './usage-tables.ts';

/** Points of one part: adding them up takes some tens of milliseconds. */
const pointsAtOnce = 8_000;
/** The number of parts into which a part that is too large is split. */
const split = 4;
/** Ids of series are distributed evenly over their first two characters, in byte order. */
const digits = '-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz';
const beginnings = digits.length ** 2;

/** Series of one user that one statement reads: some milliseconds, with or without points. */
const seriesAtOnce = 2_000;
/** A user with more has changed keys and labels for weeks. */
const maxSeries = 100_000;

const bucketMs: Readonly<Record<UsageLevel, number>> = { minute: 60_000, hour: 3_600_000, day: 86_400_000 };

/** Where the points of a bucket are: on its own level, and those not yet rolled up on the levels below. */
const sources: Readonly<Record<UsageLevel, readonly { readonly table: string; readonly isPending: boolean }[]>> = {
  minute: [{ table: 'usage_minutes', isPending: false }],
  hour: [
    { table: 'usage_hours', isPending: false },
    { table: 'usage_minutes', isPending: true },
  ],
  day: [
    { table: 'usage_days', isPending: false },
    { table: 'usage_hours', isPending: true },
    { table: 'usage_minutes', isPending: true },
  ],
};

const labels: Readonly<Record<UsageQuestion['by'], string>> = {
  total: "''",
  user: 's.user_id',
  key: 's.key_id',
  surface: 's.surface',
  network: 's.network',
  method: 's.method',
  app: 's.app',
  outcome: 's.outcome',
  call: "s.surface || ' ' || s.key_id || ' ' || s.network || ' ' || s.method",
};

const counted = ['cached', 'refused', 'failed', 'limited'] as const;

const sumOf = (of: string, name: string) => `CAST(SUM(${of}) AS BIGINT) AS ${name}`;
const sums = [
  sumOf('requests', 'requests'),
  ...counted.map((outcome) => sumOf(`CASE WHEN outcome = '${outcome}' THEN requests ELSE 0 END`, outcome)),
  ...binColumns.map((name) => sumOf(name, name)),
  'CAST(SUM(COUNT(*)) OVER () AS BIGINT) AS points',
].join(', ');

type Query = (statement: Statement, options: { readonly deadlineMs: number }) => Promise<readonly Row[]>;

/** Ranges of buckets and of beginnings of series ids: from inclusive, to exclusive. */
type Part = {
  readonly fromMs: number;
  readonly toMs: number;
  readonly first: number;
  readonly end: number;
};

/** The deadline of all parts together, because the caller waits for all of them. */
const deadlineMs = 3_000;

export async function readUsage(query: Query, question: UsageQuestion, bounds: UsageReadBounds): Promise<UsageAnswer> {
  const series = question.userId === undefined ? 0 : await seriesOf(query, question.userId);
  if (series > maxSeries) return { kind: 'too-many-points' };
  const found = new Map<string, UsageSum>();
  const whole = { fromMs: question.fromMs, toMs: question.toMs, first: 0, end: beginnings };
  const parts = [...bySeries(whole, Math.max(1, Math.ceil(series / seriesAtOnce)))];
  let points = 0;
  for (let part = parts.pop(); part !== undefined; part = parts.pop()) {
    const rows = await query(statementFor(question, part, bounds.sums), { deadlineMs });
    const [some] = rows;
    if (some === undefined) continue;
    const here = integerOf(some, 'points');
    if (here > pointsAtOnce) {
      const smaller = partsOf(part, bucketMs[question.bucket]);
      if (smaller.length === 0) return { kind: 'too-many-points' };
      parts.push(...smaller);
      continue;
    }
    points += here;
    if (points > bounds.points) return { kind: 'too-many-points' };
    for (const row of rows) addTo(found, sumIn(row));
    if (found.size > bounds.sums) break;
  }
  return { kind: 'sums', sums: [...found.values()].sort(byTimeAndLabel) };
}

/** Splits by time if the part has more than one bucket, otherwise by series. The oldest is last. */
function partsOf({ fromMs, toMs, first, end }: Part, size: number): readonly Part[] {
  const buckets = Math.ceil((toMs - fromMs) / size);
  if (buckets > 1) {
    const step = Math.ceil(buckets / split) * size;
    const count = Math.ceil((toMs - fromMs) / step);
    return Array.from({ length: count }, (_, at) => {
      const fromHere = fromMs + at * step;
      return { fromMs: fromHere, toMs: Math.min(toMs, fromHere + step), first, end };
    }).reverse();
  }
  return end - first <= 1 ? [] : bySeries({ fromMs, toMs, first, end }, split);
}

function bySeries({ fromMs, toMs, first, end }: Part, pieces: number): readonly Part[] {
  const step = Math.ceil((end - first) / pieces);
  const count = Math.ceil((end - first) / step);
  return Array.from({ length: count }, (_, at) => {
    const fromHere = first + at * step;
    return { fromMs, toMs, first: fromHere, end: Math.min(end, fromHere + step) };
  });
}

/** At most one more than `maxSeries`. */
async function seriesOf(query: Query, userId: string): Promise<number> {
  const [row] = await query(
    sql`SELECT COUNT(*) AS series FROM (SELECT 1 FROM usage_series WHERE user_id = ${userId} LIMIT ${maxSeries + 1}) AS own`,
    { deadlineMs },
  );
  return row === undefined ? 0 : integerOf(row, 'series');
}

function statementFor(question: UsageQuestion, part: Part, maxSums: number): Statement {
  const { bucket, by, fromMs, isFolded = false } = question;
  const points = sources[bucket].map((source) => pointsIn(source, question, part));
  const all = points.reduce((left, right) => sql`${left} UNION ALL ${right}`);
  const size = raw(String(bucketMs[bucket]));
  const label = raw(by === 'total' ? "''" : 'label');
  const began = isFolded ? sql`CAST(${fromMs} AS BIGINT)` : sql`(at / ${size}) * ${size}`;
  return sql`SELECT began, label, ${raw(sums)} FROM (
      SELECT ${began} AS began, ${label} AS label, outcome, requests, ${raw(binColumns.join(', '))}
      FROM (${all} LIMIT ${pointsAtOnce + 1}) AS points
    ) AS placed GROUP BY began, label ORDER BY began, label LIMIT ${maxSums + 1}`;
}

function pointsIn(
  { table, isPending }: { readonly table: string; readonly isPending: boolean },
  { by, userId, keyId, network }: UsageQuestion,
  { fromMs, toMs, first, end }: Part,
): Fragment {
  const ofUser = userId === undefined ? sql`` : sql`AND s.user_id = ${userId}`;
  const ofKey = keyId === undefined ? sql`` : sql`AND s.key_id = ${keyId}`;
  const ofNetwork = network === undefined ? sql`` : sql`AND s.network = ${network}`;
  // For one user the statement reads the series first, and only those of the part.
  const id = raw(userId === undefined ? 'p.series_id' : 's.series_id');
  const after = first === 0 ? sql`` : sql`AND ${id} >= ${beginning(first)}`;
  const before = end === beginnings ? sql`` : sql`AND ${id} < ${beginning(end)}`;
  const pending = isPending ? sql`AND p.rolled = 0` : sql``;
  const bins = binColumns.map((name) => `p.${name}`).join(', ');
  return sql`SELECT p.at, ${raw(labels[by])} AS label, s.outcome, p.requests, ${raw(bins)}
    FROM usage_series AS s JOIN ${raw(table)} AS p ON p.series_id = s.series_id
    WHERE p.at >= ${fromMs} AND p.at < ${toMs} ${pending} ${ofUser} ${ofKey} ${ofNetwork} ${after} ${before}`;
}

function beginning(at: number): string {
  return digits.charAt(Math.floor(at / digits.length)) + digits.charAt(at % digits.length);
}

function addTo(found: Map<string, UsageSum>, more: UsageSum): void {
  const key = `${more.atMs} ${more.by}`;
  const known = found.get(key);
  const sum = known === undefined ? more : joined(known, more);
  found.set(key, sum);
}

function joined(left: UsageSum, right: UsageSum): UsageSum {
  const [one, other] = [left.byOutcome, right.byOutcome];
  return {
    ...left,
    requests: left.requests + right.requests,
    byOutcome: {
      cached: one.cached + other.cached,
      refused: one.refused + other.refused,
      failed: one.failed + other.failed,
      limited: one.limited + other.limited,
    },
    bins: left.bins.map((count, bin) => count + (right.bins[bin] ?? 0)),
  };
}

function byTimeAndLabel(left: UsageSum, right: UsageSum): number {
  return left.atMs - right.atMs || (left.by < right.by ? -1 : 1);
}

function sumIn(row: Row): UsageSum {
  const of = (name: string) => (row[name] === null ? 0 : integerOf(row, name));
  return {
    atMs: integerOf(row, 'began'),
    by: textOf(row, 'label'),
    requests: of('requests'),
    byOutcome: { cached: of('cached'), refused: of('refused'), failed: of('failed'), limited: of('limited') },
    bins: binColumns.map(of),
  };
}
