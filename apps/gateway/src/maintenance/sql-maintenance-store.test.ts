import { afterEach, beforeEach, expect, test } from 'bun:test';
import type { Database } from '@flowgate/sql/engine/database';
import { auditedOn, auditNote } from '../../test/fixtures/audited.ts';
import { patientDeadlineMs } from '../../test/fixtures/open-address.ts';
import { type OpenedEngine, onEveryEngine } from '../../test/fixtures/sql-engines.ts';
import { createSqlMaintenanceStore } from './sql-maintenance-store.ts';

onEveryEngine((_, open) => {
  let opened: OpenedEngine;
  beforeEach(async () => {
    opened = await open();
  });
  afterEach(() => opened.close());

  const maintenanceOn = (database: Database) =>
    createSqlMaintenanceStore(database, auditedOn(database, patientDeadlineMs));
  const entries = async () => (await opened.database.query('SELECT action FROM audit_entries', [])).length;
  const note = auditNote();

  test('maintenance is what was set last, with a revision that each change increases, from this process or another', async () => {
    const store = maintenanceOn(opened.database);
    expect([await store.load(), await store.revision()]).toEqual([{ revision: 0, value: undefined }, 0]);
    const first = {
      active: true,
      message: 'Ünïcödé',
      retryAfterSeconds: 7,
      surfaces: ['rpc'],
      networks: ['a/b'],
    } as const;
    await store.set(first, note);
    expect(await maintenanceOn(opened.other).load()).toEqual({ revision: 1, value: first });
    await store.set({ active: false, retryAfterSeconds: 60 }, note);
    expect(await store.load()).toEqual({ revision: 2, value: { active: false, retryAfterSeconds: 60 } });
    expect([await store.revision(), await entries()]).toEqual([2, 2]);
  });
});
