/** App data in SQL: one row for each name that a Flow App stores for a user. */

import { inChunks } from '@flowgate/base/in-chunks';
import type { Database, Row, Statement } from '@flowgate/sql/engine/database';
import { integerOf } from '@flowgate/sql/engine/row';
import { list, sql } from '@flowgate/sql/engine/sql-text';
import { selection } from '@flowgate/sql/engine/table';
import { appDataTable } from './app-data-table.ts';
import type { AppData, AppDataChange, SessionStore } from './session-store.ts';

const columns = selection(appDataTable);
const members = selection(appDataTable, 'name', 'value');
const member = selection(appDataTable, 'value');

/** Maximum bytes of one read, without the last name. Users who store more, from before the limit was exact, get a part. */
const maxReadBytes = 2_097_152;
const maxReadNames = 10_001;
/** Maximum bytes of a user's data with an app that the transaction reads which acquires the lease. Reading that much takes microseconds. */
const maxSmallBytes = 16_384;
/** Maximum number of names and values that one statement writes. */
const rowsPerStatement = 100;

type Owner = { readonly userId: string; readonly appId: string };

export async function readAppData(
  database: Database,
  userId: string,
  appId: string,
): ReturnType<SessionStore['appData']> {
  // The database knows lengths without reading the texts, so it never reads texts beyond the limit.
  const { text, values } = sql`WITH sized AS (
      SELECT id, name, octet_length(value) AS size FROM flow_app_data
      WHERE user_id = ${userId} AND app_id = ${appId} ORDER BY id LIMIT ${maxReadNames}
    ), placed AS (SELECT id, SUM(size) OVER (ORDER BY id) - size AS before FROM sized)
    SELECT ${members.of('kept')}, (SELECT COUNT(*) FROM sized) AS there
    FROM placed JOIN flow_app_data AS kept ON kept.id = placed.id
    WHERE placed.before <= ${maxReadBytes} ORDER BY kept.id LIMIT ${maxReadNames - 1}`;
  const rows = await database.query(text, values);
  const [first] = rows;
  return {
    members: membersOf(rows),
    isWhole: first === undefined || integerOf(first, 'there') === rows.length,
  };
}

/**
 * Reads all of a user's app data if it is small, otherwise only its size. It must be one statement: between two statements of a transaction another session could add data, and
 * an empty result must not be mistaken for a complete one.
 */
export function smallAppData({ userId, appId }: Owner): Statement {
  const usage = sql`SELECT bytes FROM flow_app_data_usage WHERE id = ${appDataUsageId({ userId, appId })}`;
  return sql`SELECT counted.bytes AS counted_bytes, ${members.of('kept')} FROM (SELECT COALESCE((${usage}), 0) AS bytes) AS counted
    LEFT JOIN flow_app_data AS kept ON kept.user_id = ${userId} AND kept.app_id = ${appId} AND counted.bytes <= ${maxSmallBytes}
    ORDER BY kept.id LIMIT ${maxReadNames}`;
}

/** `undefined` if there is more data than `smallAppData` reads. */
export function readSmallAppData(rows: readonly Row[]): AppData | undefined {
  const [first] = rows;
  if (first === undefined || integerOf(first, 'counted_bytes') > maxSmallBytes) return undefined;
  return { members: membersOf(rows.filter(({ name }) => name !== null)), isWhole: true };
}

function membersOf(rows: readonly Row[]): AppData['members'] {
  return Object.fromEntries(rows.map(members.read).map(({ name, value }) => [name, value]));
}

/** The id of a row of `flow_app_data_usage`. */
export function appDataUsageId({ userId, appId }: Owner): string {
  return `${appId} ${userId}`;
}

export async function readAppDatum(
  database: Database,
  owner: Owner,
  name: string,
): ReturnType<SessionStore['appDatum']> {
  const { text, values } = sql`SELECT ${member.list} FROM flow_app_data WHERE id = ${idOfAppData(owner, name)}`;
  const [row] = await database.query(text, values);
  return row === undefined ? undefined : member.read(row).value;
}

/** Deletes first, so that a name in both lists is set. */
export function appDataStatements(owner: Owner, change: AppDataChange): Statement[] {
  const { userId, appId } = owner;
  const deletes = inChunks(change.delete, rowsPerStatement).map(
    (names) => sql`DELETE FROM flow_app_data WHERE id IN (${list(names.map((name) => idOfAppData(owner, name)))})`,
  );
  const sets = inChunks(Object.entries(change.set), rowsPerStatement).map((entries) => {
    const rows = entries.map(
      ([name, value]) => sql`(${columns.values({ id: idOfAppData(owner, name), userId, appId, name, value })})`,
    );
    return sql`INSERT INTO flow_app_data (${columns.list}) VALUES ${list(rows)}
      ON CONFLICT (id) DO UPDATE SET value = excluded.value`;
  });
  return [...deletes, ...sets];
}

/** Unique for each owner and name. */
export function idOfAppData({ userId, appId }: Owner, name: string): string {
  return JSON.stringify([userId, appId, name]);
}
