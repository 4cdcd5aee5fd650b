/** Makes PostgreSQL analyze the bridge's tables during a back-fill. By itself it does so once a minute, and until then it plans as if they were empty, with full scans. */

import { Unavailable } from '@flowgate/base/unavailable';
import type { Database } from '@flowgate/sql/engine/database';
import { raw, sql } from '@flowgate/sql/engine/sql-text';
import type { RangeFacts } from '../facts/range-facts.ts';
import type { FactKind } from '../facts/sql-fact-statements.ts';

const firstRows = 200;
const deadlineMs = 10_000;

/** Returns a function to call for each stored range. A table is analyzed whenever the number of its stored rows has doubled. A storage that fails causes no error: only plans would be slower. */
export function createSqlTableStatistics(
  database: Database,
  kinds: readonly Pick<FactKind, 'tables'>[],
): (facts: RangeFacts) => Promise<void> {
  const { analyze } = database.dialect;
  const tables = kinds.flatMap((kind) => kind.tables);
  const stored = new Map<string, { rows: number; next: number }>();
  return async (facts) => {
    if (analyze === undefined) return;
    const due: string[] = [];
    for (const [kind, table] of tables) {
      const added = facts[kind].length;
      const count = stored.get(table) ?? { rows: 0, next: firstRows };
      count.rows += added;
      stored.set(table, count);
      if (added === 0 || count.rows < count.next) continue;
      count.next = count.rows * 2;
      due.push(table);
    }
    if (due.length === 0) return;
    try {
      await database.transaction(
        due.map((table) => sql`${raw(analyze)} ${raw(table)}`),
        { deadlineMs },
      );
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error;
    }
  };
}
