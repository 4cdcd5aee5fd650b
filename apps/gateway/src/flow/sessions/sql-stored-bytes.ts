/** Counts the bytes that are stored for a user of Flow Apps, in the transaction that changes them, and enforces the limits there. */

import type { Statement } from '@flowgate/sql/engine/database';
import type { Fragment } from '@flowgate/sql/engine/dialect';
import { list, raw, sql } from '@flowgate/sql/engine/sql-text';
import type { SessionRecord, StorageBounds, Transition } from './session-store.ts';
import { appDataUsageId, idOfAppData } from './sql-app-data.ts';

/** The bytes of a row of `flow_sessions`. The database knows lengths without reading the texts. */
export const sessionRowBytes = 'octet_length(step) + octet_length(state) + COALESCE(octet_length(launch_context), 0)';
/** The bytes of a row of `flow_app_data`, as a member of a JSON object. */
const appDataRowBytes = 'octet_length(name) + octet_length(value) + 4';

/** The sizes of the rows that a transition writes, and the query for the size of the rows that it replaces. */
export type UsageChange = {
  readonly userId: string;
  /** The bytes of the session's row, the response and the events. Those of the old row, which is replaced, are not subtracted. */
  readonly sessionBytes: number;
  readonly isNew: boolean;
  readonly sessionId: string;
  readonly appData: AppDataUsage | undefined;
};

type AppDataUsage = {
  /** The id of the row in `flow_app_data_usage`. */
  readonly id: string;
  readonly bytes: number;
  readonly names: number;
  /** A query that returns one row: `bytes` and `names` of the replaced or deleted rows. */
  readonly replaced: Statement;
};

/** `isNew`: the session's row is inserted, and nothing is replaced. */
export function usageChange(transition: Transition, isNew: boolean): UsageChange {
  const { session, appData, events, response } = transition;
  const { userId, appId, sessionId } = session;
  const set = Object.entries(appData.set);
  const changed = [...new Set([...set.map(([name]) => name), ...appData.delete])];
  const responseBytes =
    response === undefined ? 0 : lengthOf(response.body) + lengthOf(JSON.stringify(response.headers));
  const eventBytes = events.reduce((sum, { data }) => sum + lengthOf(JSON.stringify(data)), 0);
  return {
    userId,
    sessionId,
    isNew,
    sessionBytes: rowBytes(session, isNew) + responseBytes + eventBytes,
    appData:
      changed.length === 0
        ? undefined
        : {
            id: appDataUsageId({ userId, appId }),
            bytes: set.reduce((sum, [name, value]) => sum + lengthOf(name) + lengthOf(JSON.stringify(value)) + 4, 0),
            names: set.length,
            replaced: sql`SELECT CAST(COALESCE(SUM(${raw(appDataRowBytes)}), 0) AS BIGINT) AS bytes, COUNT(*) AS names
              FROM flow_app_data WHERE id IN (${list(changed.map((name) => idOfAppData({ userId, appId }, name)))})`,
          },
  };
}

/** Without `launchContext` if the commit ends the session, because it is deleted then. */
function rowBytes({ status, step, state, launchContext }: SessionRecord, isNew: boolean): number {
  const isStored = launchContext !== undefined && (isNew || status === 'active');
  const launchBytes = isStored ? lengthOf(JSON.stringify(launchContext)) : 0;
  return lengthOf(JSON.stringify(step)) + lengthOf(JSON.stringify(state)) + launchBytes;
}

function lengthOf(text: string): number {
  return Buffer.byteLength(text);
}

/** A condition: whether the app data has room. Evaluate it before anything else is changed, and under `serializeOn` of the user. A change that does not increase the data always has room. */
export function appDataHasRoom({ appData }: UsageChange, bounds: StorageBounds | undefined): Fragment {
  // Deletions without additions always fit.
  if (bounds === undefined || appData === undefined || appData.names === 0) return sql`1 = 1`;
  const { id, bytes, names, replaced } = appData;
  const fits = (column: 'bytes' | 'names', added: number, max: number) => {
    const grown = sql`CAST(${added} AS BIGINT) - replaced.${raw(column)}`;
    const present = sql`COALESCE((SELECT ${raw(column)} FROM flow_app_data_usage WHERE id = ${id}), 0)`;
    return sql`(${grown} <= 0 OR ${present} + ${grown} <= ${max})`;
  };
  return sql`EXISTS (SELECT 1 FROM (${replaced}) AS replaced
    WHERE ${fits('bytes', bytes, bounds.appDataBytes)} AND ${fits('names', names, bounds.appDataNames)})`;
}

/** The same as `appDataHasRoom`, for all data of the user. */
export function userHasRoom(change: UsageChange, bounds: StorageBounds | undefined): Fragment {
  if (bounds === undefined) return sql`1 = 1`;
  const present = sql`COALESCE((SELECT bytes FROM flow_usage WHERE user_id = ${change.userId}), 0)`;
  return sql`EXISTS (SELECT 1 FROM (${grownBytes(change)}) AS grown
    WHERE grown.bytes <= 0 OR ${present} + grown.bytes <= CAST(${bounds.userBytes} AS BIGINT))`;
}

/** Updates the counters. The statements must run before the rows of `change` are written, because they read the rows that are replaced. */
export function usageStatements(change: UsageChange): Statement[] {
  const { appData } = change;
  const ofApp =
    appData === undefined
      ? []
      : [
          sql`INSERT INTO flow_app_data_usage (id, bytes, names)
            SELECT CAST(${appData.id} AS TEXT), CAST(${appData.bytes} AS BIGINT) - replaced.bytes, CAST(${appData.names} AS BIGINT) - replaced.names
            FROM (${appData.replaced}) AS replaced WHERE TRUE
            ON CONFLICT (id) DO UPDATE SET bytes = flow_app_data_usage.bytes + excluded.bytes,
              names = flow_app_data_usage.names + excluded.names`,
        ];
  return [
    ...ofApp,
    sql`INSERT INTO flow_usage (user_id, bytes)
      SELECT CAST(${change.userId} AS TEXT), grown.bytes FROM (${grownBytes(change)}) AS grown WHERE TRUE
      ON CONFLICT (user_id) DO UPDATE SET bytes = flow_usage.bytes + excluded.bytes`,
  ];
}

/** A query that returns one row: `bytes`, by which the user's total grows. */
function grownBytes({ sessionBytes, isNew, sessionId, appData }: UsageChange): Fragment {
  const added = sql`CAST(${sessionBytes + (appData?.bytes ?? 0)} AS BIGINT)`;
  const oldRow = isNew
    ? sql``
    : sql`- COALESCE((SELECT ${raw(sessionRowBytes)} FROM flow_sessions WHERE session_id = ${sessionId}), 0)`;
  const oldData = appData === undefined ? sql`` : sql`- (SELECT bytes FROM (${appData.replaced}) AS replaced)`;
  return sql`SELECT ${added} ${oldRow} ${oldData} AS bytes`;
}
