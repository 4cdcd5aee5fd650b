/** Maintenance in SQL: one row, and a revision by which every gateway finds its changes. */

import { bumpRevision, readRevision, revisionOf } from '@flowgate/sql/coordination/revisions';
import type { Database } from '@flowgate/sql/engine/database';
import { integerOf } from '@flowgate/sql/engine/row';
import { sql } from '@flowgate/sql/engine/sql-text';
import { selection } from '@flowgate/sql/engine/table';
import type { AuditedTransaction } from '../audit/sql-audited-transaction.ts';
import type { MaintenanceStore } from './maintenance-store.ts';
import { maintenanceTable } from './maintenance-table.ts';

const columns = selection(maintenanceTable);
const name = 'maintenance';
/** No request waits for a load. */
const deadlineMs = 2_000;

export function createSqlMaintenanceStore(database: Database, audited: AuditedTransaction): MaintenanceStore {
  return {
    async load() {
      const { text, values } =
        sql`SELECT ${columns.list}, ${revisionOf(name)} AS revision FROM maintenance WHERE id = ${name}`;
      const [row] = await database.query(text, values, { deadlineMs });
      if (row === undefined) return { revision: 0, value: undefined };
      return { revision: integerOf(row, 'revision'), value: columns.read(row).value };
    },
    revision: () => readRevision(database, name),
    async set(value, note) {
      const row = sql`INSERT INTO maintenance (${columns.list}) VALUES (${columns.values({ id: name, value })})
        ON CONFLICT (id) DO UPDATE SET value = excluded.value RETURNING id`;
      await audited([bumpRevision(name), row], { note, done: 1 });
    },
  };
}
