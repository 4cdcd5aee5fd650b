/** Builds the statements with which a transaction appends its audit entry exactly when its action was executed. */

import type { Statement } from '@flowgate/sql/engine/database';
import type { Dialect } from '@flowgate/sql/engine/dialect';
import { sql } from '@flowgate/sql/engine/sql-text';
import { selection, selectionWithout } from '@flowgate/sql/engine/table';
import { auditChainsTable, auditEntriesTable } from './audit-tables.ts';
import type { AuditChainRecord, AuditEntry, EntryPlace } from './sql-entry-hash.ts';

/**
 * How to know that an action was executed: the index of its statement (which returns a row exactly when it changed something), or a query that then returns a
 * row. An earlier action must not satisfy the query, so it is for new ids only.
 */
export type Done = number | Statement;

const chains = selection(auditChainsTable);
const others = selectionWithout(auditEntriesTable, 'chainId');

/**
 * The statements including the entry's, the index of each given statement among them, and the index of the one that returns rows when the entry was appended.
 */
export function withEntry(
  { engine }: Dialect,
  statements: readonly Statement[],
  done: Done,
  { entry, before, after }: { readonly entry: AuditEntry; readonly before: EntryPlace; readonly after: EntryPlace },
): { readonly all: readonly Statement[]; readonly places: readonly number[]; readonly proof: number } {
  const advance = advanceChain(before, after, isThere(entry));
  const places = statements.map((_, at) => at);
  if (typeof done !== 'number') {
    const all = [...statements, insertEntry(entry, before, sql`EXISTS (${done})`), advance];
    return { all, places, proof: all.length - 1 };
  }
  const action = statements[done];
  if (action === undefined || action.idleUnless !== undefined) throw new Error(`statement ${done} is no action`);
  const [earlier, later] = [statements.slice(0, done), statements.slice(done + 1)];
  // SQLite reports the rows of the last change; PostgreSQL lets one statement use the result of another.
  return engine === 'sqlite'
    ? {
        all: [...earlier, action, insertEntry(entry, before, sql`changes() > 0`), ...later, advance],
        places: places.map((at) => (at > done ? at + 1 : at)),
        proof: statements.length + 1,
      }
    : { all: [...earlier, togetherWith(action, entry, before, after), ...later], places, proof: done };
}

/** One statement, because each costs a round trip. */
function togetherWith(action: Statement, entry: AuditEntry, before: EntryPlace, after: EntryPlace): Statement {
  const isDone = sql`EXISTS (SELECT 1 FROM audited_action)`;
  return sql`WITH audited_action AS (${action}), audit_entry AS (${insertEntry(entry, before, isDone)}),
    audit_chain AS (${advanceChain(before, after, isDone)}) SELECT * FROM audited_action`;
}

/** Unless the chain ends at `before`, the chain's id is NULL here, and the statement and its transaction fail. */
function insertEntry(entry: AuditEntry, before: EntryPlace, condition: Statement): Statement {
  return sql`INSERT INTO audit_entries (chain_id, ${others.list})
    SELECT (
      SELECT chain_id FROM audit_chains
      WHERE chain_id = ${before.chainId} AND sequence = ${before.sequence} AND hash = ${storedHash(before)}
    ), ${others.typedValues(entry)} WHERE ${condition}`;
}

/** The hash of a chain without entries is empty: its beginning contains the chain's number, which the database assigns. */
function storedHash({ sequence, hash }: EntryPlace): string {
  return sequence === 0 ? '' : hash;
}

function advanceChain(before: EntryPlace, after: EntryPlace, condition: Statement): Statement {
  return sql`UPDATE audit_chains SET sequence = ${after.sequence}, hash = ${after.hash}
    WHERE chain_id = ${before.chainId} AND sequence = ${before.sequence} AND ${condition} RETURNING chain_id`;
}

function isThere({ auditId }: AuditEntry): Statement {
  return sql`EXISTS (SELECT 1 FROM audit_entries WHERE audit_id = ${auditId})`;
}

/** For the compensation of a transaction: appends `entry` once if the transaction's own entry exists. */
export function compensation(compensated: AuditEntry, entry: AuditEntry, before: EntryPlace, after: EntryPlace) {
  const isNew = sql`${isThere(compensated)} AND NOT ${isThere(entry)}`;
  return [insertEntry(entry, before, isNew), advanceChain(before, after, isThere(entry))];
}

/** Chains are numbered consecutively, so this must be serialized. */
export function insertChain(chain: Omit<AuditChainRecord, 'number'>): Statement {
  const { chainId, begunAtMs, follows = null } = chain;
  return sql`INSERT INTO audit_chains (chain_id, number, begun_at, follows, sequence, hash)
    SELECT CAST(${chainId} AS TEXT), COALESCE(MAX(number), 0) + 1, CAST(${begunAtMs} AS BIGINT), CAST(${follows} AS TEXT), 0, ''
    FROM audit_chains RETURNING ${chains.list}`;
}
