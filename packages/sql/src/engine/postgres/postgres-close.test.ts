import { afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { systemClock } from '@flowgate/base/clock';
import { systemRandomBytes } from '@flowgate/base/random';
import { Unavailable } from '@flowgate/base/unavailable';
import { postgresMissing, type TestPostgres, testPostgres } from '@flowgate/testing/postgres';
import { startPostgresProxy } from '@flowgate/testing/postgres-proxy';
import { until } from '@flowgate/testing/until';
import { SQL } from 'bun';
import { keyRecord } from '../../../../../apps/gateway/src/identity/keys/api-key-store.contract.ts';
import { schema } from '../../../../../apps/gateway/src/storage/storage-schema.ts';
import { auditedKeyStore } from '../../../../../apps/gateway/test/fixtures/audited-keys.ts';
import { openPostgresDatabase, type PostgresOptions } from './postgres-database.ts';

/** A deadline that a server on a busy machine can meet. */
const patienceMs = 1_000;

describe.skipIf(postgresMissing !== undefined)('closing PostgreSQL', () => {
  let postgres: TestPostgres;
  let url: string;
  let ends: (() => unknown)[] = [];
  beforeAll(async () => {
    postgres = await testPostgres();
    url = await postgres.freshDatabase();
  });
  afterEach(async () => {
    await Promise.all(ends.map((end) => end()));
    ends = [];
  });

  const open = async (more: Partial<PostgresOptions> = {}) => {
    const proxy = startPostgresProxy(url);
    const troubles: (string | undefined)[] = [];
    const database = await openPostgresDatabase({
      schema,
      url: proxy.url,
      clock: systemClock,
      randomBytes: systemRandomBytes,
      deadlineMs: 5_000,
      maxConnections: 1,
      onTrouble: (reason) => troubles.push(reason),
      ...more,
    });
    ends.push(() => database.close().then(() => proxy.close()));
    return { proxy, database, store: auditedKeyStore(database), troubles };
  };
  const admin = (text: string) => postgres.admin(text, new URL(url).pathname.slice(1));
  const stored = async (keyId: string) =>
    (await admin(`SELECT key_id FROM api_keys WHERE key_id = '${keyId}'`)).length === 1;
  const failure = (call: Promise<unknown>) => call.then(String, (error: unknown) => error);
  /** Creates a key that is stored although its caller received an error; from then on no connection can be made. */
  const mintWithUnknownOutcome = async ({ proxy, store }: Awaited<ReturnType<typeof open>>) => {
    // Begins the chain of audit entries, so that the next commit is the key's.
    await store.insertIfUnder(keyRecord(), 1_000, 0);
    proxy.mode = 'lose-answer';
    const record = keyRecord();
    const minting = failure(store.insertIfUnder(record, 1_000, 0));
    await until(() => stored(record.keyId));
    proxy.mode = 'refuse';
    expect(await minting).toBeInstanceOf(Unavailable);
    return record;
  };

  test('closing waits until refused writes are compensated, also while the server is unavailable', async () => {
    const opened = await open({ deadlineMs: patienceMs, closeTimeoutMs: 60_000 });
    const record = await mintWithUnknownOutcome(opened);
    const closing = opened.database.close();
    const before = opened.proxy.connections();
    await until(() => opened.proxy.connections() > before + 2);
    expect(await stored(record.keyId)).toBe(true);
    opened.proxy.mode = 'pass';
    await closing;
    expect(await stored(record.keyId)).toBe(false);
    expect(opened.troubles.at(-1)).toBeUndefined();
  });

  test('a compensation that is pending at the end is reported', async () => {
    const opened = await open({ deadlineMs: patienceMs, closeTimeoutMs: 100 });
    await mintWithUnknownOutcome(opened);
    await opened.database.close();
    expect(opened.troubles.at(-1)).toContain('one pending compensation');
  });

  test('a commit that closing cuts off has an unknown outcome, which is reported', async () => {
    const { proxy, database, store, troubles } = await open({ closeTimeoutMs: 100 });
    // Begins the chain of audit entries, so that the next commit is the key's.
    await store.insertIfUnder(keyRecord(), 1_000, 0);
    proxy.mode = 'hold-commit';
    const minting = failure(store.insertIfUnder(keyRecord(), 1_000, 0));
    await until(
      async () => (await admin("SELECT pid FROM pg_stat_activity WHERE state = 'idle in transaction'")).length === 1,
    );
    await database.close();
    expect(await minting).toBeInstanceOf(Unavailable);
    expect(troubles.at(-1)).toContain('one pending compensation');
  });

  test('closing waits for calls in the queue', async () => {
    const { database } = await open({ closeTimeoutMs: 60_000 });
    const turn = () => database.transaction([{ text: 'SELECT 1 AS one', values: [] }], { serializeOn: 'in turn' });
    const holder = new SQL(url, { max: 1, tls: 'disable' });
    const link = await holder.reserve();
    await link.unsafe('BEGIN');
    await link.unsafe("SELECT pg_advisory_xact_lock(hashtextextended('in turn', 0))");
    const turns = [turn(), turn()];
    await until(
      async () => (await admin("SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND NOT granted")).length === 1,
    );
    const closing = database.close();
    await holder.close({ timeout: 0 });
    expect(await Promise.all(turns)).toEqual([[[{ one: 1 }]], [[{ one: 1 }]]]);
    await closing;
  });
});
