import { afterEach, beforeEach, expect, test } from 'bun:test';
import { systemClock } from '@flowgate/base/clock';
import { patientDeadlineMs } from '../../../../test/contracts/open-address.ts';
import { type OpenedEngine, onEveryEngine } from '../../../../test/contracts/sql-engines.ts';
import { auditedOn, auditNote } from '../../../../test/fixtures/audited.ts';
import type { Database, SqlValue } from '../engine/database.ts';
import { createSqlMaintenanceStore } from './maintenance-store.ts';
import { createSqlUserLimitsStore } from './user-limits-store.ts';
import { createSqlUserListStore } from './user-list-store.ts';

onEveryEngine((_, open) => {
  let opened: OpenedEngine;
  beforeEach(async () => {
    opened = await open();
  });
  afterEach(() => opened.close());

  const limitsOn = (database: Database) =>
    createSqlUserLimitsStore(database, auditedOn(database, patientDeadlineMs), systemClock);
  const maintenanceOn = (database: Database) =>
    createSqlMaintenanceStore(database, auditedOn(database, patientDeadlineMs));
  const entries = async () => (await opened.database.query('SELECT action FROM audit_entries', [])).length;
  const note = auditNote();

  test('maintenance is what was set last, with a revision that each change raises, here and from elsewhere', async () => {
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

  test('of thirty users at once, through two processes, as many as there is room for get limits, and one who has some keeps them', async () => {
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

  test('users are found in keys and in usage, each once, in order, page by page, with their active keys', async () => {
    const { database } = opened;
    const write = (text: string, values: readonly SqlValue[]) => database.transaction([{ text, values }]);
    const key = (keyId: string, owner: string, more: readonly (number | null)[]) =>
      write(
        `INSERT INTO api_keys (key_id, owner_id, label, scopes, digest, pepper_version, created_at, expires_at, last_used_at, revoked_at)
         VALUES (?, ?, 'l', 'rpc', 'd', 'p', 1, ?, ?, ?)`,
        [keyId, owner, ...more],
      );
    const used = (id: string, user: string, seenAt: number) =>
      write(
        `INSERT INTO usage_series (series_id, user_id, key_id, surface, network, app, method, outcome, seen_at)
         VALUES (?, ?, 'token', 'rpc', 'a/b', 'none', 'm', 'ok', ?)`,
        [id, user, seenAt],
      );
    await key('k1', 'ann', [null, 70, null]);
    await key('k2', 'ann', [100, null, null]);
    await key('k3', 'ann', [null, null, 90]);
    await key('k4', 'cem', [null, null, null]);
    for (let nth = 0; nth < 30; nth++) await used(`b${nth}`, 'bob_%', 50 + nth);
    await used('a', 'ann', 60);
    const store = createSqlUserListStore(database);
    const list = (search: string, limit = 10, after?: string) =>
      store.list({ search, limit, nowMs: 100, ...(after === undefined ? {} : { after }) });
    const ann = { userId: 'ann', lastSeenAtMs: 70, keys: 1 };
    const bob = { userId: 'bob_%', lastSeenAtMs: 79, keys: 0 };
    expect(await list('')).toEqual({ users: [ann, bob, { userId: 'cem', keys: 1 }] });
    expect(await list('', 2)).toEqual({ users: [ann, bob], next: 'bob_%' });
    expect(await list('', 2, 'bob_%')).toEqual({ users: [{ userId: 'cem', keys: 1 }] });
    expect(await list('_%')).toEqual({ users: [bob] });
    expect(await list('ANN')).toEqual({ users: [ann] });
    expect(await list('nobody')).toEqual({ users: [] });
  });
});
