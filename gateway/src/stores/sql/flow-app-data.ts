/** What Flow Apps keep for their users, in SQL: one row for each name. */

import type { AppDataChange, SessionStore } from '../../flow/sessions/session-store.ts';
import type { Database, Statement } from './database.ts';
import type { Fragment } from './dialect.ts';
import { textOf } from './row.ts';
import { sql } from './sql-text.ts';

/** Names and values in one statement. */
const rowsPerStatement = 100;

type Owner = { readonly userId: string; readonly appId: string };

export async function readAppData(
  database: Database,
  userId: string,
  appId: string,
): ReturnType<SessionStore['appData']> {
  const { text, values } =
    sql`SELECT name, value FROM flow_app_data WHERE user_id = ${userId} AND app_id = ${appId} ORDER BY name`;
  const rows = await database.query(text, values);
  return Object.fromEntries(rows.map((row) => [textOf(row, 'name'), JSON.parse(textOf(row, 'value'))]));
}

/** Deletes first: a name that is in both is set. */
export function appDataStatements(owner: Owner, change: AppDataChange): Statement[] {
  const { userId, appId } = owner;
  const deletes = inParts(change.delete).map(
    (names) => sql`DELETE FROM flow_app_data WHERE id IN (${list(names.map((name) => sql`${idOf(owner, name)}`))})`,
  );
  const sets = inParts(Object.entries(change.set)).map((entries) => {
    const rows = entries.map(
      ([name, value]) => sql`(${idOf(owner, name)}, ${userId}, ${appId}, ${name}, ${JSON.stringify(value)})`,
    );
    return sql`INSERT INTO flow_app_data (id, user_id, app_id, name, value) VALUES ${list(rows)}
      ON CONFLICT (id) DO UPDATE SET value = excluded.value`;
  });
  return [...deletes, ...sets];
}

/** Spelled so that no two owners and names have one id. */
function idOf({ userId, appId }: Owner, name: string): string {
  return JSON.stringify([userId, appId, name]);
}

function inParts<T>(all: readonly T[]): (readonly T[])[] {
  return Array.from({ length: Math.ceil(all.length / rowsPerStatement) }, (_, at) =>
    all.slice(at * rowsPerStatement, (at + 1) * rowsPerStatement),
  );
}

function list(parts: readonly Fragment[]): Fragment {
  return { text: parts.map(({ text }) => text).join(', '), values: parts.flatMap(({ values }) => values) };
}
