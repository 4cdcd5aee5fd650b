/** Mint, list and revoke on a real database, with the verifier of the gateway. */

import { afterEach, beforeEach, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@flowgate/base/clock';
import { Unavailable } from '@flowgate/base/unavailable';
import type { BodyOf } from '@flowgate/body-schema/body-schema';
import type { Database } from '@flowgate/sql/engine/database';
import { openSqliteDatabase } from '@flowgate/sql/engine/sqlite/sqlite-database';
import { actorNamed } from '../../../test/fixtures/audited.ts';
import { auditedKeyStore } from '../../../test/fixtures/audited-keys.ts';
import { schema } from '../../storage/storage-schema.ts';
import { createPeppers } from './api-key-digest.ts';
import type { mintedApiKey } from './api-key-wire.ts';
import { KeyCache } from './key-cache.ts';
import { createKeyVerifier } from './key-verifier.ts';
import { KnownKeys } from './known-keys.ts';
import { createLastUsed } from './last-used.ts';
import { listKeys } from './list-keys.ts';
import { mintKey } from './mint-key.ts';
import { revokeKey } from './revoke-key.ts';

const start = Date.UTC(2027, 0, 1);
let directory: string;
let database: Database;
let time: { wallMs: number; monotonicMs: number };

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'flowgate-uses-'));
  database = await openSqliteDatabase({
    schema,
    file: join(directory, 'flowgate.db'),
    clock: systemClock,
    deadlineMs: 5_000,
  });
  time = { wallMs: start, monotonicMs: 0 };
});
afterEach(async () => {
  await database.close();
  rmSync(directory, { recursive: true, force: true });
});

function gateway() {
  const clock = { now: () => time.wallMs, monotonic: () => time.monotonicMs };
  const randomBytes = (length: number) => crypto.getRandomValues(Buffer.alloc(length));
  const peppers = createPeppers(['a pepper for tests']);
  const store = auditedKeyStore(database);
  const lastUsed = createLastUsed(store);
  const known = new KnownKeys(new KeyCache(clock));
  const verifier = createKeyVerifier({ store, peppers, known, lastUsed });
  const forget = (keyId: string) => known.forget(keyId);
  const parts = { store, verifier, forget, peppers, clock, creationTime: clock.now, randomBytes, lastUsed };
  return {
    ...parts,
    parts,
    mint: (body: unknown, owner = 'alice') => mintKey(parts, actorNamed(owner), body),
    list: async (query = '', owner = 'alice') => {
      const page = await listKeys(parts, owner, new URLSearchParams(query));
      if (!page.ok) throw new Error(page.detail);
      return page.value;
    },
    revoke: (keyId: string, owner = 'alice') => revokeKey(parts, actorNamed(owner), keyId),
  };
}

function mintedBy(result: Awaited<ReturnType<typeof mintKey>>): BodyOf<typeof mintedApiKey> {
  if (!result.ok) throw new Error(result.detail);
  return result.value;
}

test('the mint returns the raw key once, and all members as submitted (contract/keys#mint)', async () => {
  const { mint, list, verifier } = gateway();
  const minted = mintedBy(await mint({ label: 'laptop', expiresAt: '2027-06-01T02:00:00+02:00' }));
  const { apiKey, ...record } = minted;
  expect(record).toEqual({
    keyId: apiKey.slice(3, 19),
    label: 'laptop',
    scopes: ['rpc'],
    createdAt: '2027-01-01T00:00:00.000Z',
    expiresAt: '2027-06-01T00:00:00.000Z',
  });
  expect(await list()).toEqual({ data: [record] });
  expect(await verifier.verify(apiKey)).toMatchObject({
    kind: 'valid',
    caller: { userId: 'alice', keyId: record.keyId },
  });
});

test('expiresAt is absent when not given, lastUsedAt before the first use, revokedAt before the revocation (contract/keys#revocation)', async () => {
  const { mint, list, verifier, revoke } = gateway();
  const minted = mintedBy(await mint({ label: 'x' }));
  const { apiKey, ...record } = minted;
  expect(Object.keys(minted).sort()).toEqual(['apiKey', 'createdAt', 'keyId', 'label', 'scopes']);
  expect(await list()).toEqual({ data: [record] });
  time.wallMs += 5;
  await verifier.verify(apiKey);
  const used = { ...record, lastUsedAt: '2027-01-01T00:00:00.005Z' };
  expect(await list()).toEqual({ data: [used] });
  time.wallMs += 5;
  await revoke(record.keyId);
  expect(await list()).toEqual({ data: [{ ...used, revokedAt: '2027-01-01T00:00:00.010Z' }] });
});

test('neither the raw key nor its secret is stored or listed (contract/keys)', async () => {
  const { mint, list } = gateway();
  const { apiKey } = mintedBy(await mint({ label: 'x' }));
  const secret = apiKey.slice(20);
  const rows = await database.query('SELECT * FROM api_keys', []);
  expect(JSON.stringify([rows, await list()])).not.toContain(secret.slice(0, 20));
});

test('the eleventh active key is a conflict, and expired and revoked keys do not count (contract/limits)', async () => {
  const { mint, revoke, list } = gateway();
  const first = mintedBy(await mint({ label: 'first' }));
  await mint({ label: 'short', expiresAt: '2027-01-01T00:00:01Z' });
  for (let at = 0; at < 8; at++) mintedBy(await mint({ label: `more ${at}` }));
  expect(await mint({ label: 'eleventh' })).toMatchObject({ ok: false, reason: 'conflict' });
  mintedBy(await mint({ label: 'of another user' }, 'bob'));
  time.wallMs += 1_000;
  mintedBy(await mint({ label: 'after expiry' }));
  expect(await mint({ label: 'eleventh' })).toMatchObject({ ok: false, reason: 'conflict' });
  await revoke(first.keyId);
  mintedBy(await mint({ label: 'after revocation' }));
  expect((await list()).data).toHaveLength(12);
});

test('fifty concurrent mints with nine active keys create exactly one (contract/keys#mint)', async () => {
  const { mint } = gateway();
  for (let at = 0; at < 9; at++) mintedBy(await mint({ label: `${at}` }));
  const results = await Promise.all(Array.from({ length: 50 }, () => mint({ label: 'x' })));
  expect(results.filter(({ ok }) => ok)).toHaveLength(1);
  expect(results.filter((result) => !result.ok && result.reason === 'conflict')).toHaveLength(49);
});

test('a bad request stores nothing', async () => {
  const { mint, list } = gateway();
  expect(await mint({ label: '' })).toMatchObject({ ok: false, reason: 'bad-request' });
  expect(await list()).toEqual({ data: [] });
});

test('a key is refused once its revocation has answered, cached or not (contract/keys#revocation)', async () => {
  const { mint, revoke, verifier } = gateway();
  const [cached, cold] = [mintedBy(await mint({ label: 'cached' })), mintedBy(await mint({ label: 'cold' }))];
  await verifier.verify(cached.apiKey);
  expect(await revoke(cached.keyId)).toEqual({ ok: true, value: undefined });
  expect(await verifier.verify(cached.apiKey)).toEqual({ kind: 'invalid' });
  await revoke(cold.keyId);
  expect(await verifier.verify(cold.apiKey)).toEqual({ kind: 'invalid' });
});

test('a look-up in progress never answers valid after the key is revoked (contract/keys#revocation)', async () => {
  const { parts, mint, revoke } = gateway();
  const { apiKey, keyId } = mintedBy(await mint({ label: 'x' }));
  const gate = Promise.withResolvers<void>();
  const slow = {
    find: async (id: string) => {
      const found = await parts.store.find(id);
      await gate.promise;
      return found;
    },
  };
  const known = new KnownKeys(new KeyCache(parts.clock));
  const verifier = createKeyVerifier({ ...parts, store: slow, known });
  const early = verifier.verify(apiKey);
  // The store serves look-ups in order: when a second look-up has answered, the first has read.
  await parts.store.find(keyId);
  expect(await revokeKey({ ...parts, forget: (id) => known.forget(id) }, actorNamed('alice'), keyId)).toMatchObject({
    ok: true,
  });
  gate.resolve();
  expect(await early).toEqual({ kind: 'invalid' });
  expect(await revoke(keyId)).toMatchObject({ ok: true });
});

test('revoking again succeeds and leaves revokedAt unchanged (contract/keys#revocation)', async () => {
  const { mint, revoke, list } = gateway();
  const { keyId } = mintedBy(await mint({ label: 'x' }));
  await revoke(keyId);
  time.wallMs += 60_000;
  expect(await revoke(keyId)).toEqual({ ok: true, value: undefined });
  expect((await list()).data[0]?.revokedAt).toBe('2027-01-01T00:00:00.000Z');
});

test('unknown, malformed and other users’ keys are not found, and other users’ keys stay valid (contract/conventions, contract/keys)', async () => {
  const { mint, revoke, verifier, list } = gateway();
  const { apiKey, keyId } = mintedBy(await mint({ label: 'x' }, 'bob'));
  for (const id of [keyId, 'AAAAAAAAAAAAAAAA', '', apiKey, '../x', "' OR 1=1 --"])
    expect(await revoke(id)).toMatchObject({ ok: false, reason: 'not-found' });
  expect(await verifier.verify(apiKey)).toMatchObject({ kind: 'valid' });
  expect(await list()).toEqual({ data: [] });
});

test('a revocation whose write timed out takes effect in spite of the cache', async () => {
  const { parts, mint, verifier } = gateway();
  const { apiKey, keyId } = mintedBy(await mint({ label: 'x' }));
  await verifier.verify(apiKey);
  const store = {
    revoke: async (owner: string, id: string, atMs: number) => {
      await parts.store.revoke(owner, id, atMs);
      throw new Unavailable('database', 'late');
    },
  };
  const [outcome] = await Promise.allSettled([revokeKey({ ...parts, store }, actorNamed('alice'), keyId)]);
  expect(outcome).toMatchObject({ status: 'rejected', reason: { name: 'Unavailable' } });
  expect(await verifier.verify(apiKey)).toEqual({ kind: 'invalid' });
});

test('a list on this node is exact before and after the batch is written (contract/keys#the-ten-keys)', async () => {
  const { mint, list, verifier, lastUsed } = gateway();
  const { apiKey } = mintedBy(await mint({ label: 'x' }));
  const shown = async () => (await list()).data[0]?.lastUsedAt;
  await verifier.verify(apiKey);
  expect(await shown()).toBe('2027-01-01T00:00:00.000Z');
  await lastUsed.flush();
  expect(await shown()).toBe('2027-01-01T00:00:00.000Z');
  time.wallMs += 1;
  await verifier.verify(apiKey);
  const [, during] = await Promise.all([lastUsed.flush(), shown()]);
  expect(during).toBe('2027-01-01T00:00:00.001Z');
});

test('lists are newest first and paged with limit and cursor (contract/conventions#lists)', async () => {
  const { mint, list } = gateway();
  for (let at = 0; at < 5; at++) {
    mintedBy(await mint({ label: `${at}` }));
    time.wallMs += at % 2;
  }
  const labels: string[] = [];
  let query = 'limit=2';
  for (let pages = 0; pages < 3; pages++) {
    const { data, nextCursor } = await list(query);
    labels.push(...data.map(({ label }) => label));
    query = `limit=2&cursor=${nextCursor}`;
    expect(nextCursor === undefined).toBe(pages === 2);
  }
  expect(labels.sort()).toEqual(['0', '1', '2', '3', '4']);
  expect((await list()).data[0]?.label).toBe('4');
  expect(await list()).not.toHaveProperty('nextCursor');
});

test('a list with a bad limit or cursor is a bad request (contract/conventions#lists)', async () => {
  const { parts } = gateway();
  for (const query of [
    'limit=0',
    'limit=101',
    'cursor=x',
    `cursor=${Buffer.from('1.notakeyid').toString('base64url')}`,
  ])
    expect(await listKeys(parts, 'alice', new URLSearchParams(query))).toMatchObject({
      ok: false,
      reason: 'bad-request',
    });
});

test('while the store is unavailable, all functions throw Unavailable', async () => {
  const { mint, list, revoke, verifier } = gateway();
  const { apiKey, keyId } = mintedBy(await mint({ label: 'x' }));
  await database.close();
  const outcomes = await Promise.allSettled([mint({ label: 'y' }), list(), revoke(keyId)]);
  for (const outcome of outcomes)
    expect(outcome).toMatchObject({ status: 'rejected', reason: { name: 'Unavailable' } });
  expect(await verifier.verify(apiKey)).toEqual({ kind: 'unavailable' });
});
