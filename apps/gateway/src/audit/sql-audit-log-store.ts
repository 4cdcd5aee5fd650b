/** Reads pages of the audit log: the same text of each query for every engine. The guarantees are in `audit-log-store.ts`. */

import type { Position } from '@flowgate/base/page';
import { boundedPage, readPage } from '@flowgate/sql/engine/bounded-page';
import type { Database } from '@flowgate/sql/engine/database';
import type { Fragment } from '@flowgate/sql/engine/dialect';
import { sql } from '@flowgate/sql/engine/sql-text';
import { selection } from '@flowgate/sql/engine/table';
import type { AuditFilter, AuditLogStore, AuditRecord } from './audit-log-store.ts';
import { auditEntriesTable } from './audit-tables.ts';

const entries = selection(
  auditEntriesTable,
  ...(['auditId', 'createdAtMs', 'actor', 'via', 'action', 'target', 'requestId', 'details'] as const),
);

const maxListedBytes = 1_048_576;
/** Rows that one statement reads by an index and then filters here, and the maximum number of such statements. */
const scannedRows = 200;
const maxScans = 10;

export function createSqlAuditLogStore(database: Pick<Database, 'query'>): AuditLogStore {
  async function read(where: Fragment, limit: number, after: Position | undefined) {
    const older = after === undefined ? sql`` : sql`AND (created_at, audit_id) < (${after.atMs}, ${after.id})`;
    const { text, values } = boundedPage({
      table: 'audit_entries',
      key: 'audit_id',
      columns: entries.list,
      where: sql`${where} ${older}`,
      size: sql`octet_length(details)`,
      limit,
      maxBytes: maxListedBytes,
    });
    return readPage(await database.query(text, values), entries.read, ({ auditId }) => auditId);
  }

  return {
    async list(filter, { limit, after }) {
      const { lead, rest } = divided(filter);
      if (rest.length === 0) return read(lead, limit, after);
      const records: AuditRecord[] = [];
      let next = after;
      for (let scans = 0; scans < maxScans; scans++) {
        const scanned = await read(lead, scannedRows, next);
        for (const record of scanned.records) {
          if (!rest.every((member) => record[member] === filter[member])) continue;
          records.push(record);
          const position = { atMs: record.createdAtMs, id: record.auditId };
          if (records.length === limit) return { records, next: position };
        }
        if (scanned.next === undefined) return { records };
        next = scanned.next;
      }
      return next === undefined ? { records } : { records, next };
    },
  };
}

const indexed = ['target', 'actor', 'action'] as const;

/** The member whose index is used, which probably has the fewest entries; the other members are matched afterwards. */
function divided(filter: AuditFilter): { readonly lead: Fragment; readonly rest: readonly (typeof indexed)[number][] } {
  const { fromMs, beforeMs } = filter;
  const [first, ...rest] = indexed.filter((member) => filter[member] !== undefined);
  const from = fromMs === undefined ? sql`` : sql` AND created_at >= ${fromMs}`;
  const before = beforeMs === undefined ? sql`` : sql` AND created_at < ${beforeMs}`;
  const lead = first === undefined ? sql`1 = 1` : equal(first, filter[first] ?? '');
  return { lead: sql`${lead}${from}${before}`, rest };
}

function equal(member: (typeof indexed)[number], value: string): Fragment {
  if (member === 'target') return sql`target = ${value}`;
  return member === 'actor' ? sql`actor = ${value}` : sql`action = ${value}`;
}
