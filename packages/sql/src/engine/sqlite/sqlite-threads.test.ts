import { afterEach, beforeEach, expect, test } from 'bun:test';
import { existsSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@flowgate/base/clock';
import { Unavailable } from '@flowgate/base/unavailable';
import { onceAvailable, until } from '@flowgate/testing/until';
import { keyRecord } from '../../../../../apps/gateway/src/identity/keys/api-key-store.contract.ts';
import { schema } from '../../../../../apps/gateway/src/storage/storage-schema.ts';
import { auditedKeyStore } from '../../../../../apps/gateway/test/fixtures/audited-keys.ts';
import type { Database } from '../database.ts';
import { openSqliteDatabase, type SqliteOptions } from './sqlite-database.ts';

let root: string;
let file: string;
let opened: Database[] = [];

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'flowgate-threads-'));
  file = join(root, 'data', 'flowgate.db');
});
afterEach(async () => {
  await Promise.all(opened.map((database) => database.close()));
  opened = [];
  rmSync(root, { recursive: true, force: true });
});

async function openWithKey(options: Partial<SqliteOptions> = {}) {
  const database = await openSqliteDatabase({ schema, file, clock: systemClock, deadlineMs: 5_000, ...options });
  opened.push(database);
  const store = auditedKeyStore(database);
  const record = keyRecord();
  await store.insertIfUnder(record, 10, 0);
  return { database, store, record };
}

async function failure(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    (value) => new Error(`answered ${JSON.stringify(value)}`),
    (error: unknown) => error,
  );
}

/** A query that takes a large part of a second. */
const long = {
  text: 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000000) SELECT MAX(i) AS i FROM n',
  values: [],
};

test('reads continue during a long write, and see earlier commits', async () => {
  const { database, store, record } = await openWithKey({ deadlineMs: 30_000 });
  let isWriting = true;
  const writing = database.transaction([long]).finally(() => {
    isWriting = false;
  });
  for (let reads = 0; reads < 20; reads++) expect(await store.find(record.keyId)).toEqual(record);
  // None of the reads waited for the writer.
  expect(isWriting).toBe(true);
  await writing;
  for (let round = 0; round < 50; round++) {
    const fresh = keyRecord({ ownerId: `owner ${round}` });
    await store.insertIfUnder(fresh, 10, 0);
    expect(await store.find(fresh.keyId)).toEqual(fresh);
    await store.revoke(fresh.ownerId, fresh.keyId, 7);
    expect((await store.find(fresh.keyId))?.revokedAtMs).toBe(7);
  }
});

test('the reader refuses to write', async () => {
  const { database, store, record } = await openWithKey();
  expect(await failure(database.query('DELETE FROM api_keys RETURNING key_id', []))).not.toBeInstanceOf(Unavailable);
  expect(await store.find(record.keyId)).toEqual(record);
});

test('writes that a request waits for do not wait for all large writes before them', async () => {
  const { database } = await openWithKey();
  const large = { text: 'UPDATE api_keys SET label = ? WHERE key_id = ?', values: ['x'.repeat(900_000), 'absent'] };
  const done: string[] = [];
  const writes = Array.from({ length: 20 }, () =>
    database.transaction([large], { deadlineMs: 60_000 }).then(() => done.push('large')),
  );
  const small = database.transaction([{ ...large, values: ['x', 'no one'] }]).then(() => done.push('small'));
  await Promise.all([...writes, small]);
  expect(done.indexOf('small')).toBeLessThan(5);
});

test('an event loop that was blocked beyond the deadline fails no call that was answered meanwhile', async () => {
  const { database, record } = await openWithKey({ deadlineMs: 500 });
  const store = auditedKeyStore(database);
  const calls = [store.find(record.keyId), store.revoke(record.ownerId, record.keyId, 9)] as const;
  await Promise.resolve();
  // Real time: the event loop is blocked.
  Bun.sleepSync(1_200);
  const [found, revoked] = await Promise.all(calls);
  expect(found?.keyId).toBe(record.keyId);
  expect(revoked).toBe('revoked');
});

test('files that are moved away and back repeatedly lose and mix up no data', async () => {
  const { store, record } = await openWithKey();
  const [here, away] = [join(root, 'data'), join(root, 'elsewhere')];
  const minted = [record];
  for (let round = 0; round < 10; round++) {
    renameSync(here, away);
    expect(await failure(store.find(record.keyId))).toBeInstanceOf(Unavailable);
    expect(await failure(store.insertIfUnder(keyRecord(), 10, 0))).toBeInstanceOf(Unavailable);
    renameSync(away, here);
    const fresh = keyRecord({ ownerId: `owner ${round}` });
    expect(await onceAvailable(() => store.insertIfUnder(fresh, 10, 0))).toBe(true);
    minted.push(fresh);
    for (const each of minted) expect(await store.find(each.keyId)).toEqual(each);
  }
});

test('a call waits for a thread that is not scheduled, and not for one that works too long', async () => {
  // Blocks before it receives the call, like a thread that is not scheduled.
  const leaseState = () => {
    const url = URL.createObjectURL(
      new Blob([
        `import ${JSON.stringify(new URL('./sqlite-worker.ts', import.meta.url).href)};
        const serve = self.onmessage;
        self.onmessage = (event) => {
          // Real time: the thread is blocked.
          if ('run' in event.data) Bun.sleepSync(400);
          serve(event);
        };`,
      ]),
    );
    return new Worker(url);
  };
  const database = await openSqliteDatabase({
    schema,
    file,
    clock: systemClock,
    deadlineMs: 5_000,
    writeDeadlineMs: 300,
    spawn: leaseState,
  });
  opened.push(database);
  expect(await database.transaction([{ text: 'SELECT 1 AS one', values: [] }])).toEqual([[{ one: 1 }]]);
  const [worked] = await Promise.allSettled([database.transaction([long])]);
  expect(worked).toMatchObject({ status: 'rejected', reason: expect.any(Unavailable) });
});

/**
 * Creates writing threads. The first one runs the script `after` in its first commit of a key, once that is durable.
 */
function faulty(after: () => string, later = '') {
  let made = 0;
  return () => {
    made += 1;
    const fault = `import { Database } from 'bun:sqlite';
      const run = Database.prototype.run;
      let inserts = 0;
      const { query } = Database.prototype;
      Database.prototype.query = function (text) {
        if (text.startsWith('INSERT INTO api_keys')) inserts += 1;
        return query.call(this, text);
      };
      Database.prototype.run = function (text, ...values) {
        const result = run.call(this, text, ...values);
        if (text !== 'COMMIT' || inserts === 0) return result;
        inserts = 0;
        require('node:fs').writeFileSync(${JSON.stringify(happened())}, '');
        ${after()}
        return result;
      };`;
    const worker = `import ${JSON.stringify(new URL('./sqlite-worker.ts', import.meta.url).href)};`;
    return new Worker(URL.createObjectURL(new Blob([worker + (made === 1 ? fault : later)])));
  };
}

/** The file whose presence shows that the fault has happened. */
const happened = () => join(root, 'happened');
/** The file whose presence ends a commit that takes as long as the test decides. */
const ends = () => join(root, 'ends');
// Real time: the pause between two looks.
const untilItEnds = () => `while (!require('node:fs').existsSync(${JSON.stringify(ends())})) Bun.sleepSync(5);`;

test('a commit for which the disk takes longer than the deadline is awaited, and so are the calls behind it', async () => {
  const writeDeadlineMs = 400;
  const database = await openSqliteDatabase({
    ...{ schema, file, clock: systemClock, deadlineMs: 5_000, writeDeadlineMs },
    spawn: faulty(untilItEnds),
  });
  opened.push(database);
  const store = auditedKeyStore(database);
  const [first, second] = [keyRecord(), keyRecord()];
  const mints = [store.insertIfUnder(first, 10, 0)];
  await until(() => existsSync(happened()));
  mints.push(store.insertIfUnder(second, 10, 0));
  // Real time: longer than the deadline.
  await Bun.sleep(1.5 * writeDeadlineMs);
  writeFileSync(ends(), '');
  expect(await Promise.all(mints)).toEqual([true, true]);
  expect(await store.find(second.keyId)).toEqual(second);
});

const faults = [
  ['whose thread dies before it can reply', () => 'process.exit();'],
  [
    'whose log could not be synced, and is read again',
    () => "throw Object.assign(new Error('disk I/O error'), { code: 'SQLITE_IOERR_FSYNC' });",
  ],
  ['that succeeds after its caller received an error', untilItEnds],
] as const;

for (const [what, fault] of faults)
  test(`a write ${what} is compensated: the refused key is deleted (contract/errors#availability)`, async () => {
    const database = await openSqliteDatabase({
      schema,
      file,
      clock: systemClock,
      writeDeadlineMs: 500,
      spawn: faulty(fault),
    });
    opened.push(database);
    const store = auditedKeyStore(database);
    const record = keyRecord();
    expect(await failure(store.insertIfUnder(record, 10, 0))).toBeInstanceOf(Unavailable);
    writeFileSync(ends(), '');
    await until(() => existsSync(happened()));
    // Closing waits until all compensations are done.
    await database.close();
    const again = await openSqliteDatabase({ schema, file, clock: systemClock, deadlineMs: 5_000 });
    opened.push(again);
    expect(await auditedKeyStore(again).find(record.keyId)).toBeUndefined();
    expect(await auditedKeyStore(again).insertIfUnder(record, 10, 0)).toBe(true);
  });

test('a compensation for which closing cannot wait is reported', async () => {
  const troubles: (string | undefined)[] = [];
  const database = await openSqliteDatabase({
    schema,
    file,
    clock: systemClock,
    deadlineMs: 5_000,
    closeTimeoutMs: 0,
    // Later threads end at once as well, so no compensation can succeed.
    spawn: faulty(() => 'process.exit();', 'process.exit();'),
    onTrouble: (reason) => troubles.push(reason),
  });
  opened.push(database);
  expect(await failure(auditedKeyStore(database).insertIfUnder(keyRecord(), 10, 0))).toBeInstanceOf(Unavailable);
  await database.close();
  expect(troubles.at(-1)).toContain('one pending compensation');
});
