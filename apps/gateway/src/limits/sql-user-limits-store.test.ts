import { afterEach, beforeEach, expect, test } from 'bun:test';
import { systemClock } from '@flowgate/base/clock';
import type { Database } from '@flowgate/sql/engine/database';
import { auditedOn, auditNote } from '../../test/fixtures/audited.ts';
import { patientDeadlineMs } from '../../test/fixtures/open-address.ts';
import { type OpenedEngine, onEveryEngine } from '../../test/fixtures/sql-engines.ts';
import { createSqlUserLimitsStore } from './sql-user-limits-store.ts';

onEveryEngine((_, open) => {
  let opened: OpenedEngine;
  beforeEach(async () => {
    opened = await open();
  });
  afterEach(() => opened.close());

  const limitsOn = (database: Database) =>
    createSqlUserLimitsStore(database, auditedOn(database, patientDeadlineMs), systemClock);
  const entries = async () => (await opened.database.query('SELECT action FROM audit_entries', [])).length;
  const note = auditNote();

  test('limits are replaced whole, found one by one and all together, and removed', async () => {
    const store = limitsOn(opened.database);
    expect(await store.load()).toEqual({ revision: 0, value: new Map() });
    const all = { userPerMinute: 1, sessionPerMinute: 2, maxActiveKeys: 3, nodes: 4 };
    expect(await store.set('a', all, 10, note)).toBe('set');
    expect(await store.set('auth0|"b"', { nodes: 1 }, 10, note)).toBe('set');
    expect(await store.set('a', { maxActiveKeys: 5 }, 10, note)).toBe('set');
    const expected = new Map<string, object>([
      ['a', { maxActiveKeys: 5 }],
      ['auth0|"b"', { nodes: 1 }],
    ]);
    expect(await limitsOn(opened.other).load()).toEqual({ revision: 3, value: expected });
    expect([await store.find('a'), await store.find('c')]).toEqual([{ maxActiveKeys: 5 }, undefined]);
    await store.remove('a', note);
    expect(await store.find('a')).toBeUndefined();
    expect(await entries()).toBe(4);
    await store.remove('a', note);
    expect(await entries()).toBe(4);
  });

  test('thirty concurrent users through two processes: as many get limits as the maximum allows, and existing limits stay', async () => {
    const stores = [limitsOn(opened.database), limitsOn(opened.other)];
    const outcomes = await Promise.all(
      Array.from({ length: 30 }, (_, user) => stores[user % 2]?.set(`user ${user}`, { nodes: 1 }, 7, note)),
    );
    expect(outcomes.filter((outcome) => outcome === 'set')).toHaveLength(7);
    expect([(await stores[0]?.load())?.value.size, await entries()]).toEqual([7, 7]);
    const known = [...((await stores[0]?.load())?.value.keys() ?? [])];
    expect(await stores[1]?.set(known[0] ?? '', { nodes: 2 }, 7, note)).toBe('set');
    expect(await stores[1]?.set('another', { nodes: 2 }, 7, note)).toBe('full');
  });
});
