import { afterEach, beforeEach, expect, test } from 'bun:test';
import type { SqlValue } from '@flowgate/sql/engine/database';
import { type OpenedEngine, onEveryEngine } from '../../../test/fixtures/sql-engines.ts';
import { createSqlUserListStore } from './sql-user-list-store.ts';

onEveryEngine((_, open) => {
  let opened: OpenedEngine;
  beforeEach(async () => {
    opened = await open();
  });
  afterEach(() => opened.close());

  test('users with keys or usage are listed once, in order, page by page, with their active keys', async () => {
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
    expect(await list('unknown')).toEqual({ users: [] });
  });
});
