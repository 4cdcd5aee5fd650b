/** A page of the records in which any of some addresses sends or receives, newest first: one short read of an index for each address and role, whatever the others have. */

import type { PageRequest } from '../../../platform/page.ts';
import type { Fragment } from '../engine/dialect.ts';
import { raw, sql } from '../engine/sql-text.ts';

/** Where an address may stand in a record. The index on the role's column, `partition`, `created_at` and the id serves it. */
export type WalletRole = {
  /** The column: `from_address`. */
  readonly column: string;
  /** Pairs of an address, in lower case, and the partition in which it is looked for: for every pair one read. */
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
  /** Equalities that the index has between the partition and the time. */
  readonly equal?: readonly { readonly column: string; readonly value: string }[];
  readonly page: PageRequest;
};

/** Rows of `id` and `created_at`, one more than the page's limit, each record once. Undefined when nothing is looked for. SQLite takes at most 500 reads in one. */
export function walletPage(terms: WalletPageTerms): Fragment | undefined {
  const { table, id, partition, roles, equal = [], page } = terms;
  const { limit, after } = page;
  const filters = equal.map(({ column, value }) => sql`AND ${raw(column)} = ${value}`);
  const filter = filters.reduce((all, each) => sql`${all} ${each}`, sql``);
  const older = after === undefined ? sql`` : sql`AND (created_at, ${raw(id)}) < (${after.atMs}, ${after.id})`;
  const reads = roles.flatMap(({ column, places }) =>
    places.map(
      (place) => sql`SELECT * FROM (SELECT ${raw(id)} AS record_id, created_at FROM ${raw(table)}
        WHERE ${raw(column)} = ${place.address} AND ${raw(partition)} = ${place.partition} ${filter} ${older}
        ORDER BY created_at DESC, ${raw(id)} DESC LIMIT ${limit + 1}) AS part`,
    ),
  );
  const [first, ...others] = reads;
  if (first === undefined) return undefined;
  const all = others.reduce((text, each) => sql`${text} UNION ${each}`, first);
  return sql`SELECT record_id, created_at FROM (${all}) AS every ORDER BY created_at DESC, record_id DESC LIMIT ${limit + 1}`;
}
