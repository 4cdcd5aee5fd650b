/** The guarantees of `ApiKeyStore` as tests that every engine runs. */

import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import type { AuditedKeyStore } from '../../../test/fixtures/audited-keys.ts';
import type { ApiKeyPosition, ApiKeyRecord } from './api-key-store.ts';

export type OpenedStore = {
  readonly store: AuditedKeyStore;
  /** A second connection to the same storage, like that of another process. */
  readonly other: AuditedKeyStore;
  readonly close: () => Promise<void>;
};

const nowMs = 1_800_000_000_000;
let minted = 0;

export function keyRecord(more: Partial<ApiKeyRecord> = {}): ApiKeyRecord {
  minted += 1;
  return {
    keyId: `K${String(minted).padStart(15, '0')}`,
    ownerId: 'alice',
    label: 'a label',
    scopes: ['rpc'],
    digest: 'ab'.repeat(32),
    pepperVersion: '0123456789ab',
    createdAtMs: nowMs + minted,
    ...more,
  };
}

export function apiKeyStoreContract(engine: string, open: () => Promise<OpenedStore>): void {
  describe(`API key store on ${engine}`, () => {
    let opened: OpenedStore;
    let store: AuditedKeyStore;

    beforeEach(async () => {
      opened = await open();
      store = opened.store;
    });
    afterEach(() => opened.close());

    const insert = async (more: Partial<ApiKeyRecord> = {}, limit = 1_000) => {
      const record = keyRecord(more);
      return { record, stored: await store.insertIfUnder(record, limit, nowMs) };
    };

    test('an inserted record is found with all members, also over another connection', async () => {
      const full = {
        label: 'Ünïcödé 🔑 \' " ; --',
        expiresAtMs: nowMs + 5,
        lastUsedAtMs: nowMs + 6,
        revokedAtMs: nowMs + 7,
        scopes: ['rpc'],
        ownerId: 'auth0|"x"',
      };
      for (const more of [{}, full]) {
        const { record, stored } = await insert(more);
        expect(stored).toBe(true);
        expect(await store.find(record.keyId)).toEqual(record);
        expect(await opened.other.find(record.keyId)).toEqual(record);
      }
    });

    test('an unknown keyId is undefined', async () => {
      expect(await store.find('K_is_not_there_0')).toBeUndefined();
      expect(await store.find("' OR 1=1 --     ")).toBeUndefined();
    });

    test('a keyId is unique: the second insertion is an error and changes nothing', async () => {
      const { record } = await insert();
      const [again] = await Promise.allSettled([store.insertIfUnder({ ...record, ownerId: 'mallory' }, 10, nowMs)]);
      expect(again).toMatchObject({ status: 'rejected' });
      expect(await store.find(record.keyId)).toEqual(record);
    });

    test('the limit counts active keys only: revoked and expired ones do not count (contract/keys#revocation)', async () => {
      await insert({ revokedAtMs: nowMs - 1 });
      await insert({ expiresAtMs: nowMs });
      await insert({ expiresAtMs: nowMs - 1 });
      await insert({ ownerId: 'bob' });
      expect((await insert({}, 2)).stored).toBe(true);
      expect((await insert({ expiresAtMs: nowMs + 1 }, 2)).stored).toBe(true);
      const { record, stored } = await insert({}, 2);
      expect(stored).toBe(false);
      expect(await store.find(record.keyId)).toBeUndefined();
    });

    test('revoking makes another key possible', async () => {
      const { record } = await insert({}, 1);
      expect((await insert({}, 1)).stored).toBe(false);
      await store.revoke('alice', record.keyId, nowMs);
      expect((await insert({}, 1)).stored).toBe(true);
    });

    test('fifty concurrent insertions with nine of ten keys stored, over two connections, store exactly one (contract/keys)', async () => {
      for (let at = 0; at < 9; at++) await insert({}, 10);
      const attempts = Array.from({ length: 50 }, (_, at) =>
        (at % 2 === 0 ? store : opened.other).insertIfUnder(keyRecord(), 10, nowMs),
      );
      expect((await Promise.all(attempts)).filter(Boolean)).toHaveLength(1);
      expect((await store.list('alice', { limit: 100 })).records).toHaveLength(10);
    });

    test('the list has all keys that the owner ever minted, newest first', async () => {
      const [first, second] = [await insert(), await insert({ revokedAtMs: nowMs })];
      await insert({ ownerId: 'bob' });
      const third = await insert({ expiresAtMs: nowMs - 1 });
      expect(await store.list('alice', { limit: 100 })).toEqual({
        records: [third.record, second.record, first.record],
      });
      expect(await store.list('unknown', { limit: 100 })).toEqual({ records: [] });
    });

    test('pages visit every record once, also when times are equal and while keys are minted and revoked (contract/conventions)', async () => {
      const present = new Set<string>();
      for (let at = 0; at < 11; at++)
        present.add((await insert({ createdAtMs: nowMs + Math.floor(at / 4) })).record.keyId);
      const visited: string[] = [];
      let after: ApiKeyPosition | undefined;
      for (let pages = 0; pages < 10; pages++) {
        const page = await store.list('alice', after === undefined ? { limit: 3 } : { limit: 3, after });
        visited.push(...page.records.map(({ keyId }) => keyId));
        await insert();
        await store.revoke('alice', visited[0] ?? '', nowMs);
        after = page.next;
        if (after === undefined) break;
        expect(page.records).toHaveLength(3);
      }
      expect(visited).toHaveLength(11);
      expect(new Set(visited)).toEqual(present);
    });

    test('a page that ends with the last record has no next', async () => {
      await insert();
      await insert();
      expect((await store.list('alice', { limit: 2 })).next).toBeUndefined();
      expect((await store.list('alice', { limit: 1 })).next).toBeDefined();
    });

    test('a key is revoked once, and repeated revocations do not change its time (contract/keys#revocation)', async () => {
      const { record } = await insert();
      expect(await store.revoke('alice', record.keyId, nowMs + 10)).toBe('revoked');
      expect(await store.revoke('alice', record.keyId, nowMs + 20)).toBe('already-revoked');
      expect(await opened.other.revoke('alice', record.keyId, nowMs + 10)).toBe('already-revoked');
      expect(await opened.other.find(record.keyId)).toEqual({ ...record, revokedAtMs: nowMs + 10 });
    });

    test('one of many concurrent revocations revokes the key', async () => {
      const { record } = await insert();
      const outcomes = await Promise.all(
        Array.from({ length: 20 }, (_, at) =>
          (at % 2 === 0 ? store : opened.other).revoke('alice', record.keyId, nowMs + at),
        ),
      );
      expect(outcomes.filter((outcome) => outcome === 'revoked')).toHaveLength(1);
      expect(outcomes.filter((outcome) => outcome === 'already-revoked')).toHaveLength(19);
    });

    test('an expired key can be revoked', async () => {
      const { record } = await insert({ expiresAtMs: nowMs - 1 });
      expect(await store.revoke('alice', record.keyId, nowMs)).toBe('revoked');
    });

    test('another user’s key is absent and unchanged (contract/conventions)', async () => {
      const { record } = await insert();
      expect(await store.revoke('mallory', record.keyId, nowMs)).toBe('absent');
      expect(await store.revoke('alice', 'K_is_not_there_0', nowMs)).toBe('absent');
      expect(await store.find(record.keyId)).toEqual(record);
    });

    test('revokedSince names the keys of all owners that were revoked at that time or later (contract/keys#revocation, contract/many-gateways)', async () => {
      const [early, atTheTime, late] = [await insert(), await insert({ ownerId: 'bob' }), await insert()];
      await insert();
      await store.revoke('alice', early.record.keyId, nowMs - 1);
      await store.revoke('bob', atTheTime.record.keyId, nowMs);
      await store.revoke('alice', late.record.keyId, nowMs + 3_600_000);
      const named = [atTheTime.record.keyId, late.record.keyId].sort();
      expect([...(await store.revokedSince(nowMs, 10))].sort()).toEqual(named);
      expect([...(await opened.other.revokedSince(nowMs, 10))].sort()).toEqual(named);
      expect(await store.revokedSince(nowMs + 3_600_001, 10)).toEqual([]);
      expect(await store.revokedSince(nowMs, 1)).toEqual([late.record.keyId]);
    });

    test('touch raises the last use, never lowers it, and ignores unknown keys (contract/keys)', async () => {
      const [used, unused] = [await insert(), await insert()];
      const { keyId } = used.record;
      await store.touch(new Map([[keyId, nowMs + 5]]));
      await opened.other.touch(
        new Map([
          ['K_is_not_there_0', 1],
          [keyId, nowMs + 3],
        ]),
      );
      expect((await store.find(keyId))?.lastUsedAtMs).toBe(nowMs + 5);
      await store.touch(new Map([[keyId, nowMs + 9]]));
      expect((await store.find(keyId))?.lastUsedAtMs).toBe(nowMs + 9);
      expect(await store.find(unused.record.keyId)).toEqual(unused.record);
      await store.touch(new Map());
    });

    test('a touch of hundreds of keys updates all of them', async () => {
      const records = Array.from({ length: 250 }, () => keyRecord());
      // In sequence: 250 concurrent inserts would wait longer than the deadline of a write.
      for (const record of records) await store.insertIfUnder(record, 1_000, nowMs);
      await store.touch(new Map(records.map(({ keyId }, at) => [keyId, nowMs + at])));
      const found = await Promise.all(records.map(({ keyId }) => store.find(keyId)));
      expect(found.map((record) => record?.lastUsedAtMs)).toEqual(records.map((_, at) => nowMs + at));
    });
  });
}
