/** A page of the records in which any of some addresses sends or receives, newest first. Each address, role and partition costs one short index read, regardless of the others. */

import type { PageRequest, Position } from '@flowgate/base/page';
import type { Database, Statement } from '@flowgate/sql/engine/database';
import type { Fragment } from '@flowgate/sql/engine/dialect';
import { integerOf, textOf } from '@flowgate/sql/engine/row';
import { raw, sql } from '@flowgate/sql/engine/sql-text';

/** A role of an address in a record. An index on the role's column, the partition, `created_at` and the id serves it. */
export type WalletRole = {
  /** The column: `from_address`. */
  readonly column: string;
  /** Pairs of an address, in lower case, and a partition to search: one read for each pair. */
  readonly places: readonly { readonly address: string; readonly partition: string }[];
};

export type WalletPageTerms = {
  /** The table: `bridge_deposits`. */
  readonly table: string;
  /** The column of the id. */
  readonly id: string;
  /** The column of the partition: `bridge_id`. */
  readonly partition: string;
  readonly roles: readonly WalletRole[];
  /** A column that the index has between the partition and the time, with the requested values: one read for each value. */
  readonly oneOf?: { readonly column: string; readonly values: readonly string[] } | undefined;
  /** Only records with these ids, in a column `wanted_id`: few, each once. They are looked up first, so the cost does not depend on the wallets' other records. */
  readonly within?: Statement | undefined;
  /** The condition of the index, if it is a partial one. */
  readonly only?: Fragment;
  /** Only records later than this: milliseconds since the Unix epoch. */
  readonly newerThanMs?: number | undefined;
  readonly page: PageRequest;
};

export type WalletPage = {
  /** Each record once, newest first. */
  readonly records: readonly Position[];
  /** Present when there is more. */
  readonly next?: Position;
};

/**
 * Numbers of places of a role in a statement. The next larger number is used; `nowhere`, which matches no record, fills it up. A text for each number of wallets would be a prepared statement
 * each, and PostgreSQL stores those of every connection.
 */
const placeCounts = [1, 2, 3, 4, 6, 8, 12, 16, 20];
const nowhere = { address: '', partition: '' };
/** The same for values: a repeated value finds nothing new. */
const valueCounts = [1, 2, 4, 8];

/** SQLite accepts at most 500 reads in one statement, and PostgreSQL plans each of them. */
const readsInStatement = 100;

/**
 * The ids of a page and their times. The cost depends on the number of addresses, roles and partitions and on the page's limit, not on the number of stored records. With
 * many parts it takes several statements. Throws `Unavailable`.
 */
export async function readWalletPage(database: Database, terms: WalletPageTerms): Promise<WalletPage> {
  const { limit } = terms.page;
  const rows = await Promise.all(walletPageStatements(terms).map(({ text, values }) => database.query(text, values)));
  const found = new Map<string, Position>();
  for (const row of rows.flat()) {
    const id = textOf(row, 'record_id');
    found.set(id, { atMs: integerOf(row, 'created_at'), id });
  }
  return cutPage([...found.values()], limit);
}

/** The newest records. `records` has at least one more than `limit` when there are more. */
export function cutPage(found: readonly Position[], limit: number): WalletPage {
  const records = found.toSorted(newestFirst).slice(0, limit);
  const last = records.at(-1);
  return found.length > limit && last !== undefined ? { records, next: last } : { records };
}

/** Each statement returns rows of `record_id` and `created_at`: one more than the page's limit, each record once. */
export function walletPageStatements(terms: WalletPageTerms): readonly Statement[] {
  const reads = partsOf(terms);
  const statements: Statement[] = [];
  for (let at = 0; at < reads.length; at += readsInStatement)
    statements.push(pageAmong(reads.slice(at, at + readsInStatement), terms.page.limit));
  return statements;
}

function partsOf(terms: WalletPageTerms): Fragment[] {
  const { table, id, partition, roles, oneOf, only, within, newerThanMs, page } = terms;
  const { limit, after } = page;
  const [from, key] = [raw(table), raw(id)];
  // SQLite reads the left side of a CROSS JOIN first.
  const source = within === undefined ? from : sql`(${within}) AS wanted CROSS JOIN ${from}`;
  const filters = [
    ...(within === undefined ? [] : [sql`AND ${key} = wanted.wanted_id`]),
    ...(only === undefined ? [] : [sql`AND ${only}`]),
    ...(after === undefined ? [] : [sql`AND (created_at, ${key}) < (${after.atMs}, ${after.id})`]),
    ...(newerThanMs === undefined ? [] : [sql`AND created_at > ${newerThanMs}`]),
  ].reduce((all, each) => sql`${all} ${each}`, sql``);
  const wanted = roles.map(({ column, places }) => ({ column, places: filled(places) }));
  const choices =
    oneOf === undefined ? [sql``] : repeated(oneOf.values).map((value) => sql`AND ${raw(oneOf.column)} = ${value}`);
  return wanted.flatMap(({ column, places }) =>
    places.flatMap((place) =>
      choices.map(
        (choice) => sql`SELECT * FROM (SELECT ${key} AS record_id, created_at FROM ${source}
        WHERE ${raw(column)} = ${place.address} AND ${raw(partition)} = ${place.partition} ${choice} ${filters}
        ORDER BY created_at DESC, ${key} DESC LIMIT ${limit + 1}) AS part`,
      ),
    ),
  );
}

function repeated(values: readonly string[]): readonly string[] {
  const count = valueCounts.find((each) => each >= values.length) ?? values.length;
  return Array.from({ length: count }, (_, at) => values[at] ?? values[0] ?? '');
}

function filled(places: WalletRole['places']): WalletRole['places'] {
  const { length } = places;
  if (length === 0) return places;
  const count = placeCounts.find((each) => each >= length) ?? Math.ceil(length / 20) * 20;
  return [...places, ...Array.from({ length: count - length }, () => nowhere)];
}

function pageAmong(reads: readonly Fragment[], limit: number): Statement {
  const [first = sql``, ...others] = reads;
  const all = others.reduce((text, each) => sql`${text} UNION ${each}`, first);
  return sql`SELECT record_id, created_at FROM (${all}) AS every ORDER BY created_at DESC, record_id DESC LIMIT ${limit + 1}`;
}

/** The order in which the statements sort texts: by their bytes. */
function newestFirst(one: Position, other: Position): number {
  if (one.atMs !== other.atMs) return other.atMs - one.atMs;
  return one.id < other.id ? 1 : -1;
}
