/**
 * Leases in SQL, and the fence that other stores put before their own writes.
 * `packages/sql/src/coordination/lease-store.ts` states the guarantees.
 */

import type { Database, Row, Statement } from '../engine/database.ts';
import { integerOf, textOf } from '../engine/row.ts';
import { raw, sql } from '../engine/sql-text.ts';
import type { Lease, LeaseStore } from './lease-store.ts';

export function createSqlLeaseStore(database: Database): LeaseStore {
  const { dialect } = database;
  const changed = async (statement: Statement) => {
    const [rows = []] = await database.transaction([statement], { isLostWithPower: true });
    return rows.length === 1;
  };
  return {
    async acquire(name, holder, ttlMs) {
      const [granted = [], present = []] = await database.transaction(
        [
          acquisition(database, name, holder, ttlMs),
          sql`SELECT holder, expires_at - ${dialect.now()} AS expires_in FROM leases WHERE name = ${name}`,
        ],
        { isLostWithPower: true },
      );
      const [lease] = granted;
      if (lease !== undefined) return { acquired: true, lease: { name, token: integerOf(lease, 'token') } };
      return { acquired: false, ...holderOf(present) };
    },

    renew: ({ name, token }, ttlMs) =>
      changed(
        sql`UPDATE leases SET expires_at = ${dialect.now()} + ${ttlMs}
          WHERE name = ${name} AND token = ${token} AND holder IS NOT NULL RETURNING name`,
      ),

    release: (lease) => changed(releasing(lease)),
  };
}

/** One row with the lease's `token` when it was granted, otherwise none. Later statements of the transaction see everything that earlier holders have committed. */
export function acquisition({ dialect }: Database, name: string, holder: string, ttlMs: number): Statement {
  const expiry = sql`${dialect.now()} + ${ttlMs}`;
  return sql`INSERT INTO leases (name, holder, token, expires_at) VALUES (${name}, ${holder}, 1, ${expiry})
    ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, token = leases.token + 1, expires_at = ${expiry}
    WHERE leases.holder IS NULL OR leases.holder = excluded.holder OR leases.expires_at <= ${dialect.now()}
    RETURNING token`;
}

/** Returns one row when the lease was still valid, otherwise none. */
export function releasing({ name, token }: Lease): Statement {
  return sql`UPDATE leases SET holder = NULL WHERE name = ${name} AND token = ${token} AND holder IS NOT NULL RETURNING name`;
}

/**
 * For `onlyIf` of a transaction: the transaction does nothing unless this lease is still the latest of its name, and no
 * other holder can acquire the name before the transaction has ended.
 */
export function fence(database: Database, { name, token }: Lease): Statement {
  return sql`SELECT name FROM leases WHERE name = ${name} AND token = ${token} AND holder IS NOT NULL ${raw(database.dialect.forShare)}`;
}

function holderOf([row]: readonly Row[]): { holder: string; expiresInMs: number } {
  if (row === undefined || row['holder'] === null) return { holder: '', expiresInMs: 0 };
  return { holder: textOf(row, 'holder'), expiresInMs: Math.max(0, integerOf(row, 'expires_in')) };
}
