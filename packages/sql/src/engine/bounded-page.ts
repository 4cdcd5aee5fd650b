/**
 * Pages that are bounded by bytes as well as by rows. Lengths are known without reading the texts, so texts beyond the
 * bound are never read.
 */

import type { Position } from '@flowgate/base/page';
import type { Row, Statement } from './database.ts';
import type { Fragment } from './dialect.ts';
import { integerOf } from './row.ts';
import { raw, sql } from './sql-text.ts';

export type PageQuery = {
  readonly table: string;
  /** The table's primary key. The page is ordered by `created_at` and then by this key, newest first. */
  readonly key: string;
  readonly columns: Fragment;
  readonly where: Fragment;
  /** The bytes of a row, as an expression that reads no text. */
  readonly size: Fragment;
  readonly limit: number;
  /** The maximum number of bytes of a page, not counting its last row: a page has at least one. */
  readonly maxBytes: number;
};

export function boundedPage({ table, key, columns, where, size, limit, maxBytes }: PageQuery): Statement {
  const order = raw(`created_at DESC, ${key} DESC`);
  return sql`WITH sized AS (
      SELECT ${raw(key)}, created_at, ${size} AS size FROM ${raw(table)} WHERE ${where} ORDER BY ${order} LIMIT ${limit + 1}
    ), placed AS (
      SELECT ${raw(key)} AS placed_key, SUM(size) OVER (ORDER BY ${order}) - size AS before FROM sized
    )
    SELECT ${columns}, (SELECT COUNT(*) FROM sized) AS there FROM placed JOIN ${raw(table)} ON ${raw(key)} = placed_key
    WHERE before <= ${maxBytes} ORDER BY ${order} LIMIT ${limit}`;
}

/** Makes the page from the rows of a `boundedPage` query. */
export function readPage<T extends { readonly createdAtMs: number }>(
  rows: readonly Row[],
  recordOf: (row: Row) => T,
  idOf: (record: T) => string,
): { readonly records: readonly T[]; readonly next?: Position } {
  const records = rows.map(recordOf);
  const [[first], last] = [rows, records.at(-1)];
  return first !== undefined && last !== undefined && integerOf(first, 'there') > rows.length
    ? { records, next: { atMs: last.createdAtMs, id: idOf(last) } }
    : { records };
}
