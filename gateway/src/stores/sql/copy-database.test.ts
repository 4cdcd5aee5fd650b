import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { keyRecord } from '../../../test/contracts/api-key-store-contract.ts';
import { openAddress } from '../../../test/contracts/open-address.ts';
import { postgresMissing, testPostgres } from '../../../test/fixtures/postgres.ts';
import { createSqlApiKeyStore } from './api-key-store.ts';
import { copyDatabase } from './copy-database.ts';
import type { Database } from './database.ts';
import { createSqlLeaseStore } from './lease-store.ts';
import { UnusableDatabase } from './migrations.ts';
import { enqueue } from './outbox-store.ts';

let directory: string;
let files = 0;
let opened: Database[] = [];
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'flowgate-copy-'));
});
afterEach(async () => {
  await Promise.all(opened.map((database) => database.close()));
  opened = [];
  rmSync(directory, { recursive: true, force: true });
});

const sqlite = () => {
  files += 1;
  return `sqlite:${join(directory, `${files}.db`)}`;
};
const postgres = async () => (await testPostgres()).freshDatabase();
async function open(address: string): Promise<Database> {
  const database = await openAddress(address);
  opened.push(database);
  return database;
}

async function fill(database: Database, keys: number) {
  const store = createSqlApiKeyStore(database);
  const odd = { label: 'Ünïcödé 🔑 \' " ; --', ownerId: 'auth0|"x"', expiresAtMs: 5, revokedAtMs: 6, lastUsedAtMs: 7 };
  const records = Array.from({ length: keys }, (_, at) => keyRecord(at % 3 === 0 ? odd : {}));
  // Keys whose order depends on the collation: by bytes, capitals come first.
  for (const keyId of ['aaaaaaaaaaaaaaaa', 'AAAAAAAAAAAAAAAA', 'Zzzzzzzzzzzzzzzz']) records.push(keyRecord({ keyId }));
  await Promise.all(records.map((record) => store.insertIfUnder(record, 1_000_000, 0)));
  await createSqlLeaseStore(database).acquire('job', 'me', 1_000);
  await database.transaction([enqueue(database, 'q', { id: 'i', payload: '{}', lane: 'lane' })]);
  return records;
}

describe.skipIf(postgresMissing !== undefined)('copying a database', () => {
  test('from SQLite to PostgreSQL and back again nothing is lost and nothing changed (issue 3)', async () => {
    const [from, to, back] = [await open(sqlite()), await open(await postgres()), await open(sqlite())];
    const records = await fill(from, 120);
    const progress: number[] = [];
    const there = await copyDatabase(from, to, {
      batch: 50,
      onProgress: ({ table, copied }) => table === 'api_keys' && progress.push(copied),
    });
    expect(progress).toEqual([0, 50, 100, 123]);
    expect(there.map(({ table, rows }) => [table, rows])).toEqual([
      ['api_keys', 123],
      ['leases', 1],
      ['outbox', 1],
    ]);
    expect(await copyDatabase(to, back)).toEqual(there);
    for (const database of [to, back]) {
      const store = createSqlApiKeyStore(database);
      for (const record of records) expect(await store.find(record.keyId)).toEqual(record);
    }
    // The fencing token goes on where it was, and nothing of the copy is left behind.
    expect(await createSqlLeaseStore(to).acquire('job', 'me', 1)).toMatchObject({ lease: { token: 2 } });
    expect(await failure(to.query('SELECT 1 FROM data_copy', []))).toContain('data_copy');
  });

  test('a copy that was killed goes on where it stopped', async () => {
    const [fromAddress, toAddress] = [sqlite(), await postgres()];
    const from = await open(fromAddress);
    const records = await fill(from, 400);
    const script = new URL('../../../test/contracts/copy-in-child.ts', import.meta.url).pathname;
    const child = Bun.spawn([process.execPath, script, fromAddress, toAddress], { stdout: 'pipe', stderr: 'inherit' });
    let text = '';
    for await (const chunk of child.stdout) {
      text += new TextDecoder().decode(chunk);
      if (text.includes('api_keys 40\n')) child.kill('SIGKILL');
    }
    await child.exited;
    expect(child.signalCode).toBe('SIGKILL');
    const to = await open(toAddress);
    let first: number | undefined;
    await copyDatabase(from, to, { onProgress: ({ copied }) => (first ??= copied) });
    expect(first).toBeGreaterThanOrEqual(40);
    expect(first).toBeLessThan(403);
    const store = createSqlApiKeyStore(to);
    for (const record of records) expect(await store.find(record.keyId)).toEqual(record);
  }, 20_000);

  test('a target with data of its own is refused and left as it was', async () => {
    const [from, to] = [await open(sqlite()), await open(await postgres())];
    await fill(from, 3);
    const own = keyRecord();
    await createSqlApiKeyStore(to).insertIfUnder(own, 10, 0);
    expect(await failure(copyDatabase(from, to))).toContain('the target already has data in api_keys');
    expect(await createSqlApiKeyStore(to).find(own.keyId)).toEqual(own);
    expect(await to.query('SELECT key_id FROM api_keys', [])).toHaveLength(1);
    expect(await failure(copyDatabase(from, from))).toContain('the same database');
  });

  test('an unfinished copy is continued from its own source only', async () => {
    const [from, other, to] = [await open(sqlite()), await open(sqlite()), await open(await postgres())];
    await fill(from, 30);
    await fill(other, 30);
    expect(await failure(copyDatabase(from, to, { batch: 5, onProgress: failAfter(3) }))).toContain('stopped');
    expect(await failure(copyDatabase(other, to))).toContain('an unfinished copy of another database');
    expect(await copyDatabase(from, to)).toHaveLength(3);
  });

  test('a row that was changed or lost behind the copy’s back is found out', async () => {
    for (const damage of ["UPDATE api_keys SET label = 'x'", "DELETE FROM api_keys WHERE key_id LIKE 'Z%'"]) {
      const [from, to] = [await open(sqlite()), await open(await postgres())];
      await fill(from, 10);
      const hurt = () => to.transaction([{ text: damage, values: [] }]);
      let hurting: Promise<unknown> | undefined;
      const onProgress = ({ table }: { table: string }) => {
        if (table === 'outbox') hurting ??= hurt();
      };
      const error = await copyDatabase(
        from,
        slowed(to, () => hurting),
        { onProgress },
      ).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(UnusableDatabase);
      expect(String(error)).toContain('api_keys');
    }
  });
});

/** Not `rejects`: it waits without serving the messages of a second worker thread. */
function failure(call: Promise<unknown>): Promise<string> {
  return call.then(
    () => 'it was done',
    (error: unknown) => String(error),
  );
}

function failAfter(calls: number) {
  let seen = 0;
  return () => {
    seen += 1;
    if (seen > calls) throw new Error('stopped');
  };
}

/** Each call waits for what is under way. */
function slowed(database: Database, waitFor: () => Promise<unknown> | undefined): Database {
  return {
    dialect: database.dialect,
    async query(...args) {
      await waitFor();
      return database.query(...args);
    },
    async transaction(...args) {
      await waitFor();
      return database.transaction(...args);
    },
    ping: () => database.ping(),
    close: () => database.close(),
  };
}
