import { Database as Sqlite } from 'bun:sqlite';
import { afterEach, beforeEach, expect, test } from 'bun:test';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@flowgate/base/clock';
import { Unavailable } from '@flowgate/base/unavailable';
import { onceAvailable } from '@flowgate/testing/until';
import { keyRecord } from '../../../../../apps/gateway/src/identity/keys/api-key-store.contract.ts';
import { schema } from '../../../../../apps/gateway/src/storage/storage-schema.ts';
import { type AuditedKeyStore, auditedKeyStore } from '../../../../../apps/gateway/test/fixtures/audited-keys.ts';
import type { Database } from '../database.ts';
import { UnusableDatabase } from '../unusable-database.ts';
import { openSqliteDatabase, type SqliteOptions } from './sqlite-database.ts';

let root: string;
let directory: string;
let file: string;
let toClose: Database[] = [];

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'flowgate-sqlite-'));
  directory = join(root, 'data');
  file = join(directory, 'flowgate.db');
});
afterEach(async () => {
  await Promise.all(toClose.map((database) => database.close()));
  toClose = [];
  rmSync(root, { recursive: true, force: true });
});

async function open(
  options: Partial<SqliteOptions> = {},
): Promise<{ database: Database; store: AuditedKeyStore; troubles: (string | undefined)[] }> {
  const troubles: (string | undefined)[] = [];
  // A long deadline, so that a busy machine fails no test; tests about the deadline set their own.
  const database = await openSqliteDatabase({
    schema,
    file,
    clock: systemClock,
    deadlineMs: 5_000,
    onTrouble: (reason) => troubles.push(reason),
    ...options,
  });
  toClose.push(database);
  return { database, store: auditedKeyStore(database), troubles };
}

async function openWithKey(options: Partial<SqliteOptions> = {}) {
  const opened = await open(options);
  const record = keyRecord();
  await opened.store.insertIfUnder(record, 10, 0);
  return { ...opened, record };
}

/** The error of a failed call; fails the test when the call succeeds. */
async function failure(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    (value) => new Error(`answered ${JSON.stringify(value)}`),
    (error: unknown) => error,
  );
}

/** Makes a consistent copy as the operations pages describe it. */
function backup(to: string): void {
  const connection = new Sqlite(file);
  connection.run('VACUUM INTO ?', [to]);
  connection.close();
}

/** Takes the write lock and releases it when the test decides, like another process. */
function lock(statement = 'BEGIN EXCLUSIVE') {
  const connection = new Sqlite(file);
  connection.run(statement);
  return () => {
    connection.run('ROLLBACK');
    connection.close();
  };
}

test('a missing directory is created, and only their owner can read the files', async () => {
  directory = join(root, 'deep', 'er');
  file = join(directory, 'flowgate.db');
  await openWithKey();
  expect(statSync(directory).mode & 0o777).toBe(0o700);
  for (const suffix of ['', '-wal', '-shm']) expect(statSync(file + suffix).mode & 0o777).toBe(0o600);
});

test('an orderly close leaves one file with all data in it', async () => {
  const { database, record } = await openWithKey();
  await database.close();
  expect(existsSync(`${file}-wal`)).toBe(false);
  expect(await (await open()).store.find(record.keyId)).toEqual(record);
});

test('after close every call is unavailable, and closing again has no effect', async () => {
  const { database } = await open();
  await database.close();
  await database.close();
  expect(await failure(database.ping())).toBeInstanceOf(Unavailable);
});

test('a wrong statement is a bug, not an unavailable database, and other transactions in its commit succeed', async () => {
  const { database, store, record } = await openWithKey();
  const fresh = keyRecord();
  const [wrong, good] = await Promise.allSettled([
    store.insertIfUnder(record, 10, 0),
    store.insertIfUnder(fresh, 10, 0),
  ]);
  expect(wrong.status === 'rejected' && !(wrong.reason instanceof Unavailable)).toBe(true);
  expect(good).toEqual({ status: 'fulfilled', value: true });
  const syntax = await failure(database.query('SELEKT 1', []));
  expect(syntax).toBeInstanceOf(Error);
  expect(syntax).not.toBeInstanceOf(Unavailable);
});

test('a transaction is all or nothing', async () => {
  const { database, store, record } = await openWithKey();
  const remove = { text: 'DELETE FROM api_keys WHERE key_id = ?', values: [record.keyId] };
  expect(
    await failure(database.transaction([remove, { text: 'INSERT INTO api_keys (key_id) VALUES (?)', values: ['x'] }])),
  ).toBeInstanceOf(Error);
  expect(await store.find(record.keyId)).toEqual(record);
});

test('a deleted database is unavailable, is not created again, and serves again when it is back', async () => {
  const { database, store, record, troubles } = await openWithKey();
  renameSync(file, `${file}.away`);
  for (const call of [
    () => store.find(record.keyId),
    () => store.insertIfUnder(keyRecord(), 10, 0),
    () => database.ping(),
  ]) {
    expect(await failure(call())).toBeInstanceOf(Unavailable);
  }
  expect(existsSync(file)).toBe(false);
  renameSync(`${file}.away`, file);
  expect(await store.find(record.keyId)).toEqual(record);
  expect(troubles).toEqual(['the database file is gone', undefined]);
});

test('a directory that was moved away and back is the same database again', async () => {
  const { store, record } = await openWithKey();
  renameSync(directory, `${directory}.away`);
  expect(await failure(store.find(record.keyId))).toBeInstanceOf(Unavailable);
  mkdirSync(directory);
  expect(await failure(store.find(record.keyId))).toBeInstanceOf(Unavailable);
  rmSync(directory, { recursive: true });
  renameSync(`${directory}.away`, directory);
  expect(await store.insertIfUnder(keyRecord(), 10, 0)).toBe(true);
  expect(await store.find(record.keyId)).toEqual(record);
});

test('a deleted database that is restored from a backup serves again', async () => {
  const { store, record } = await openWithKey();
  backup(join(root, 'backup'));
  for (const suffix of ['', '-wal', '-shm']) unlinkSync(file + suffix);
  expect(await failure(store.find(record.keyId))).toBeInstanceOf(Unavailable);
  renameSync(join(root, 'backup'), file);
  expect(await onceAvailable(() => store.find(record.keyId))).toEqual(record);
  expect(await store.insertIfUnder(keyRecord(), 10, 0)).toBe(true);
});

test('a backup that replaces the running database is used, but not the old log next to it', async () => {
  const { store, record } = await openWithKey();
  backup(join(root, 'backup'));
  const later = keyRecord();
  await store.insertIfUnder(later, 10, 0);
  renameSync(join(root, 'backup'), file);
  expect(await onceAvailable(() => store.find(record.keyId))).toEqual(record);
  expect(await store.find(later.keyId)).toBeUndefined();
  const connection = new Sqlite(file);
  expect(connection.query('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
  connection.close();
});

test('an empty database at its path is unavailable, not a database without keys', async () => {
  const { store, record } = await openWithKey();
  const own = file;
  const stranger = await open({ file: join(root, 'other', 'flowgate.db') });
  await stranger.database.close();
  renameSync(own, `${own}.away`);
  renameSync(join(root, 'other', 'flowgate.db'), own);
  expect(await failure(store.find(record.keyId))).toBeInstanceOf(Unavailable);
  writeFileSync(`${own}.empty`, '');
  renameSync(`${own}.empty`, own);
  expect(await failure(store.find(record.keyId))).toBeInstanceOf(Unavailable);
  renameSync(`${own}.away`, own);
  expect(await onceAvailable(() => store.find(record.keyId))).toEqual(record);
});

test('an invalid file at its path is unavailable until the database is back', async () => {
  const { store, record } = await openWithKey();
  renameSync(file, `${file}.away`);
  writeFileSync(file, 'rubbish '.repeat(2_000));
  expect(await failure(store.find(record.keyId))).toBeInstanceOf(Unavailable);
  expect(await failure(store.insertIfUnder(keyRecord(), 10, 0))).toBeInstanceOf(Unavailable);
  renameSync(`${file}.away`, file);
  expect(await onceAvailable(() => store.find(record.keyId))).toEqual(record);
});

test('a file overwritten with random bytes in place is never read as an absent key, and serves again once it is readable', async () => {
  const first = await openWithKey();
  await first.database.close();
  const { store } = await open();
  const content = readFileSync(file);
  writeFileSync(file, Buffer.alloc(content.length, 'rubbish '));
  const answer = await store.find(first.record.keyId).catch((error: unknown) => error);
  expect(answer instanceof Unavailable || JSON.stringify(answer) === JSON.stringify(first.record)).toBe(true);
  writeFileSync(file, content);
  expect(await onceAvailable(() => store.find(first.record.keyId))).toEqual(first.record);
});

test('a lost write-ahead log is created again and committed data stays', async () => {
  const { store, record } = await openWithKey();
  unlinkSync(`${file}-wal`);
  unlinkSync(`${file}-shm`);
  expect(await onceAvailable(() => store.find(record.keyId))).toEqual(record);
  const later = keyRecord();
  await store.insertIfUnder(later, 10, 0);
  await toClose.pop()?.close();
  const again = await open();
  expect(await again.store.find(record.keyId)).toEqual(record);
  expect(await again.store.find(later.keyId)).toEqual(later);
});

test('while another process has locked the database writes are unavailable, reads continue, and later writes succeed', async () => {
  const { database, store, record } = await openWithKey();
  const release = lock();
  const write = { text: 'UPDATE api_keys SET label = ? WHERE key_id = ?', values: ['late', record.keyId] };
  const writing = failure(database.transaction([write], { deadlineMs: 100 }));
  expect(await store.find(record.keyId)).toEqual(record);
  expect(await writing).toBeInstanceOf(Unavailable);
  release();
  // A write that timed out is not executed later either.
  expect(await store.insertIfUnder(keyRecord(), 10, 0)).toBe(true);
  expect(await store.find(record.keyId)).toEqual(record);
});

test('a request waits 150 ms for a read and a second for a write, and no longer', async () => {
  const { database } = await openWithKey();
  await database.close();
  const own = await openSqliteDatabase({ schema, file, clock: systemClock });
  toClose.push(own);
  const store = auditedKeyStore(own);
  const release = lock();
  expect(String(await failure(store.insertIfUnder(keyRecord(), 10, 0)))).toContain('no answer within 1000 ms');
  release();
  const endless =
    'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000000) SELECT MAX(i) AS i FROM n';
  expect(String(await failure(own.query(endless, [])))).toContain('no answer within 150 ms');
});

// Revocations on a full disk: sqlite-reserve.test.ts.
/** Pages for the empty schema, which has about 190, and for a hundred more. */
const fewPages = 300;

test('a full disk makes mints unavailable; finding continues, and acknowledged keys stay', async () => {
  const { store, database, troubles } = await open({ maxPages: fewPages });
  const committed: string[] = [];
  const fill = async () => {
    for (;;) {
      const record = keyRecord({ label: 'x'.repeat(1_000) });
      await store.insertIfUnder(record, 1_000, 0);
      committed.push(record.keyId);
    }
  };
  expect(await failure(fill())).toBeInstanceOf(Unavailable);
  const [first = ''] = committed;
  expect(troubles).toEqual(['database or disk is full']);
  expect(await store.find(first)).toBeDefined();
  await database.close();

  const roomy = await open();
  expect(await roomy.store.insertIfUnder(keyRecord(), 1_000, 0)).toBe(true);
  for (const keyId of committed) expect(await roomy.store.find(keyId)).toBeDefined();
});

test('a transaction in a group with one that cannot be written is written', async () => {
  const { store } = await open({ maxPages: fewPages });
  const small = keyRecord();
  await store.insertIfUnder(small, 10, 0);
  const [big, revoked] = await Promise.allSettled([
    store.insertIfUnder(keyRecord({ label: 'x'.repeat(1_000_000) }), 10, 0),
    store.revoke('alice', small.keyId, 7),
  ]);
  expect(big.status === 'rejected' && big.reason instanceof Unavailable).toBe(true);
  expect(revoked).toEqual({ status: 'fulfilled', value: 'revoked' });
});

test('a database thread that dies is replaced, and the calls it had are unavailable', async () => {
  const workers: Worker[] = [];
  const spawn = () => {
    const worker = new Worker(new URL('./sqlite-worker.ts', import.meta.url).href, { smol: true });
    workers.push(worker);
    return worker;
  };
  const { store, record } = await openWithKey({ spawn });
  const release = lock();
  const waiting = failure(store.insertIfUnder(keyRecord(), 10, 0));
  workers[0]?.terminate();
  expect(await waiting).toBeInstanceOf(Unavailable);
  release();
  expect(await onceAvailable(() => store.find(record.keyId))).toEqual(record);
  expect(workers).toHaveLength(2);
});

test('a database of a newer Flowgate is refused at start', async () => {
  const { database } = await open();
  await database.close();
  const connection = new Sqlite(file);
  connection.run("INSERT INTO schema_migrations VALUES (999, 'future', 'x', 0)");
  connection.close();
  const error = await failure(open());
  expect(error).toBeInstanceOf(UnusableDatabase);
  expect(String(error)).toContain(`${file}: it has schema version 999`);
});

test('a database with a different migration is refused at start', async () => {
  const { database } = await open();
  await database.close();
  const connection = new Sqlite(file);
  connection.run("UPDATE schema_migrations SET checksum = 'other' WHERE version = 1");
  connection.close();
  expect(String(await failure(open()))).toContain('migration 1 differs');
});

test('a database of another application is refused at start and not changed', async () => {
  mkdirSync(directory);
  const connection = new Sqlite(file);
  connection.run('CREATE TABLE precious (value TEXT)');
  connection.close();
  const before = readFileSync(file);
  const error = await failure(open());
  expect(error).toBeInstanceOf(UnusableDatabase);
  expect(String(error)).toContain('not a Flowgate database');
  expect(readFileSync(file).equals(before)).toBe(true);
});

test('a file that is not a database is refused at start and not changed', async () => {
  mkdirSync(directory);
  writeFileSync(file, 'a letter to my aunt, long enough to be looked at as a header of a hundred bytes. '.repeat(9));
  const before = readFileSync(file);
  expect(await failure(open())).toBeInstanceOf(UnusableDatabase);
  expect(readFileSync(file).equals(before)).toBe(true);
});

test('a file that cannot be opened is reported at start, not later', async () => {
  mkdirSync(file, { recursive: true });
  expect(String(await failure(open({ openTimeoutMs: 50 })))).toContain(file);
  const unlocked = join(root, 'locked.db');
  const connection = new Sqlite(unlocked);
  connection.run('BEGIN EXCLUSIVE');
  expect(await failure(open({ file: unlocked, openTimeoutMs: 50 }))).toBeInstanceOf(Unavailable);
  connection.close();
});
