/**
 * Revisions of data that every gateway has a copy of (`@flowgate/sql/coordination/shared-copy`): a change raises its
 * data's revision in its own transaction.
 */

import type { Database, Statement } from '../engine/database.ts';
import type { Fragment } from '../engine/dialect.ts';
import { integerOf } from '../engine/row.ts';
import { sql } from '../engine/sql-text.ts';

/**
 * Put it before the statements that change the data `name`. Transactions that raise the same revision run one after
 * another until their commit, so revisions become visible in their order: a reader that sees one sees the changes of
 * every lower one. Raising it without a change costs each gateway one load.
 */
export function bumpRevision(name: string): Statement {
  return sql`INSERT INTO revisions (name, revision) VALUES (${name}, 1)
    ON CONFLICT (name) DO UPDATE SET revision = revisions.revision + 1 RETURNING revision`;
}

/**
 * The revision of `name`; after `bumpRevision`, in the same transaction, the revision of that change. For rows that
 * store the revision of their last change.
 */
export function revisionOf(name: string): Fragment {
  return sql`(SELECT revision FROM revisions WHERE name = ${name})`;
}

/** The current revision of `name`; 0 when it was never raised. */
export async function readRevision(database: Database, name: string): Promise<number> {
  const { text, values } = sql`SELECT revision FROM revisions WHERE name = ${name}`;
  const [row] = await database.query(text, values);
  return row === undefined ? 0 : integerOf(row, 'revision');
}
