/** The history in SQL, with one query text for every engine. The guarantees are in `bridge/history/history-store.ts`. */

import type { Database } from '@flowgate/sql/engine/database';
import { list, raw, sql } from '@flowgate/sql/engine/sql-text';
import { cutPage, readWalletPage, type WalletPage } from '../lists/sql-wallet-page.ts';
import type { HistoryRecord, HistoryType } from './history-record.ts';
import type { HistoryPageRequest, HistoryRole, HistorySearch, HistoryStore } from './history-store.ts';
import { type HistoryKind, historyKinds } from './sql-history-kinds.ts';

const columnOf: Readonly<Record<HistoryRole, string>> = {
  from: 'from_address',
  sender: 'sender_address',
  to: 'to_address',
};

export function createSqlHistoryStore(database: Database): HistoryStore {
  return {
    async page(searches, request) {
      const types = [...Map.groupBy(searches, ({ type }) => type)];
      const pages = await Promise.all(types.map(([type, some]) => pageOfType(database, type, some, request)));
      const { records: places, next } = merged(pages, request.page.limit);
      const ids = new Set(places.map(({ id }) => id));
      const found = await Promise.all(
        types.map(([type], at) => {
          const wanted = (pages[at]?.records ?? []).filter(({ id }) => ids.has(id)).map(({ id }) => id);
          return readRecords(database, historyKinds[type], wanted);
        }),
      );
      const byId = new Map(found.flat().map((record) => [record.id, record]));
      const records = places.flatMap(({ id }) => byId.get(id) ?? []);
      return next === undefined ? { records } : { records, next };
    },
  };
}

function pageOfType(
  database: Database,
  type: HistoryType,
  searches: readonly HistorySearch[],
  { page, newerThanMs }: HistoryPageRequest,
): Promise<WalletPage> {
  const { table, id, partition, only } = historyKinds[type];
  const roles = searches.map(({ role, places }) => ({ column: columnOf[role], places }));
  return readWalletPage(database, {
    ...{ table, id, partition, roles, page },
    ...(only === undefined ? {} : { only }),
    ...(newerThanMs === undefined ? {} : { newerThanMs }),
  });
}

/** When one type has more records, the whole list has more. */
function merged(pages: readonly WalletPage[], limit: number): WalletPage {
  const all = cutPage(
    pages.flatMap(({ records }) => records),
    limit,
  );
  const last = all.records.at(-1);
  const hasMore = all.next !== undefined || pages.some(({ next }) => next !== undefined);
  return hasMore && last !== undefined ? { records: all.records, next: last } : { records: all.records };
}

async function readRecords(
  database: Database,
  kind: HistoryKind,
  ids: readonly string[],
): Promise<readonly HistoryRecord[]> {
  if (ids.length === 0) return [];
  const { table, id, columns, only = sql`1 = 1`, read } = kind;
  const { text, values } = sql`SELECT ${columns} FROM ${raw(table)} WHERE ${raw(id)} IN (${list(ids)}) AND ${only}`;
  return (await database.query(text, values)).map(read);
}
