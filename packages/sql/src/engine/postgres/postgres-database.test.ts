import { afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { systemClock } from '@flowgate/base/clock';
import { systemRandomBytes } from '@flowgate/base/random';
import { Unavailable } from '@flowgate/base/unavailable';
import { type OwnPostgres, ownPostgres, postgresMissing } from '@flowgate/testing/postgres';
import { startPostgresProxy } from '@flowgate/testing/postgres-proxy';
import { onceAvailable, until } from '@flowgate/testing/until';
import { SQL } from 'bun';
import { keyRecord } from '../../../../../apps/gateway/src/identity/keys/api-key-store.contract.ts';
import { schema } from '../../../../../apps/gateway/src/storage/storage-schema.ts';
import { auditedKeyStore } from '../../../../../apps/gateway/test/fixtures/audited-keys.ts';
import { openPostgresDatabase, type PostgresOptions } from './postgres-database.ts';

/** A deadline that a server on a busy machine can meet. */
const patienceMs = 400;

describe.skipIf(postgresMissing !== undefined)('PostgreSQL', () => {
  let postgres: OwnPostgres;
  let url: string;
  let ends: (() => unknown)[] = [];
  beforeAll(async () => {
    postgres = await ownPostgres();
    url = await postgres.freshDatabase();
  });
  afterEach(async () => {
    await Promise.all(ends.map((end) => end()));
    ends = [];
  });

  const open = async (more: Partial<PostgresOptions> = {}) => {
    const troubles: (string | undefined)[] = [];
    // A long deadline, so that a busy machine fails no test; tests about the deadline set their own.
    const options = { url, clock: systemClock, randomBytes: systemRandomBytes, deadlineMs: 5_000, ...more };
    const database = await openPostgresDatabase({ schema, ...options, onTrouble: (reason) => troubles.push(reason) });
    ends.push(() => database.close());
    return { database, store: auditedKeyStore(database), troubles };
  };
  const openWithKey = async (more: Partial<PostgresOptions> = {}) => {
    const opened = await open(more);
    const record = keyRecord();
    await opened.store.insertIfUnder(record, 1_000, 0);
    return { ...opened, record };
  };
  const proxied = () => {
    const proxy = startPostgresProxy(url);
    ends.push(() => proxy.close());
    return proxy;
  };
  const admin = (text: string) => postgres.admin(text, new URL(url).pathname.slice(1));
  const endConnections = () =>
    admin("SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE application_name = 'flowgate'");
  const stored = async (keyId: string) =>
    (await admin(`SELECT key_id FROM api_keys WHERE key_id = '${keyId}'`)).length === 1;

  test('fifty concurrent mints for an owner with nine of ten keys, from three gateways, create exactly one (contract/keys#the-ten-keys)', async () => {
    const gateways = [await open(), await open(), await open()];
    const own = { ownerId: 'nine' };
    for (let at = 0; at < 9; at++) await gateways[0]?.store.insertIfUnder(keyRecord(own), 10, 0);
    const mints = await Promise.all(
      Array.from({ length: 50 }, (_, at) => gateways[at % 3]?.store.insertIfUnder(keyRecord(own), 10, 0)),
    );
    expect(mints.filter(Boolean)).toHaveLength(1);
    expect(await admin("SELECT key_id FROM api_keys WHERE owner_id = 'nine'")).toHaveLength(10);
  });

  test('the number of connections stays within its limit, for any number of calls', async () => {
    const { database } = await open({ maxConnections: 3 });
    await Promise.all(Array.from({ length: 200 }, () => database.query('SELECT pg_sleep(0.001)', [])));
    const others = await admin(
      "SELECT pid FROM pg_stat_activity WHERE application_name = 'flowgate' AND datname = current_database()",
    );
    expect(others.length).toBeGreaterThan(1);
    expect(others.length).toBeLessThanOrEqual(3);
  });

  test('a transaction is all or nothing, and a wrong statement is a bug, not an unavailable database', async () => {
    const { database, store, record } = await openWithKey({ maxConnections: 1 });
    const remove = { text: 'DELETE FROM api_keys WHERE key_id = ?', values: [record.keyId] };
    for (const wrong of ['INSERT INTO api_keys (key_id) VALUES (?)', 'SELEKT ?', 'SELECT CAST(? AS BIGINT)']) {
      const error = await failure(database.transaction([remove, { text: wrong, values: ['x'] }, remove]));
      expect(error).toBeInstanceOf(Error);
      expect(error).not.toBeInstanceOf(Unavailable);
    }
    expect(await failure(database.query('SELEKT 1', []))).not.toBeInstanceOf(Unavailable);
    expect(await store.find(record.keyId)).toEqual(record);
  });

  test('a statement behind a condition without a row is not run', async () => {
    const { database, store, record } = await openWithKey();
    const remove = { text: 'DELETE FROM api_keys WHERE key_id = ?', values: [record.keyId] };
    const never = { onlyIf: { text: 'SELECT 1 WHERE 1 = 0', values: [] } };
    expect(await database.transaction([remove], never)).toEqual([]);
    // The statement may not run at all, since it would fail.
    expect(await database.transaction([{ text: 'SELECT 1 / 0', values: [] }], never)).toEqual([]);
    expect(await store.find(record.keyId)).toEqual(record);
    expect(await database.transaction([remove], { onlyIf: { text: 'SELECT 1', values: [] } })).toEqual([[]]);
    expect(await store.find(record.keyId)).toBeUndefined();
  });

  test('after close every call is unavailable, and closing again has no effect', async () => {
    const { database } = await open();
    await database.close();
    await database.close();
    expect(await failure(database.ping())).toBeInstanceOf(Unavailable);
  });

  test('a server that was killed is unavailable at once and serves again by itself', async () => {
    const { store, record, troubles } = await openWithKey();
    await postgres.kill();
    expect(await failure(store.find(record.keyId))).toBeInstanceOf(Unavailable);
    expect(await failure(store.insertIfUnder(keyRecord(), 10, 0))).toBeInstanceOf(Unavailable);
    await postgres.start();
    expect(await onceAvailable(() => store.find(record.keyId))).toEqual(record);
    expect(troubles.at(0)).toBeString();
    expect(troubles.at(-1)).toBeUndefined();
  });

  test('a server that was paused is unavailable within the deadline, and serves again by itself', async () => {
    const { store, record } = await openWithKey({ deadlineMs: 150, connectTimeoutMs: 300 });
    postgres.pause();
    try {
      const late = keyRecord();
      expect(await failure(store.insertIfUnder(late, 1_000, 0))).toBeInstanceOf(Unavailable);
      expect(await failure(store.find(record.keyId))).toBeInstanceOf(Unavailable);
      postgres.resume();
      expect(await onceAvailable(() => store.find(record.keyId))).toEqual(record);
      // A call that timed out is not executed later either.
      expect(await stored(late.keyId)).toBe(false);
    } finally {
      postgres.resume();
    }
  });

  test('a paused server is detected by its missing answer to BEGIN, even for a call with a long deadline', async () => {
    const { database, store, record } = await openWithKey({ deadlineMs: 150, beginDeadlineMs: 100 });
    for (const call of [
      () => database.query('SELECT 1', [], { deadlineMs: 600_000 }),
      () => database.transaction([{ text: 'SELECT 1', values: [] }], { deadlineMs: 600_000 }),
    ]) {
      await onceAvailable(() => store.find(record.keyId));
      postgres.pause();
      try {
        expect(await failure(call())).toBeInstanceOf(Unavailable);
      } finally {
        postgres.resume();
      }
    }
  });

  test('a write whose BEGIN was answered waits for a lock until its own deadline', async () => {
    const { store } = await open({ deadlineMs: 60_000, beginDeadlineMs: 100 });
    const holding = holdLock(url, 'api-keys of patient');
    await holding.locked;
    const minting = store.insertIfUnder(keyRecord({ ownerId: 'patient' }), 10, 0);
    await until(
      async () => (await admin("SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND NOT granted")).length === 1,
    );
    // Real time: longer than the time for BEGIN.
    await Bun.sleep(300);
    holding.release();
    expect(await minting).toBe(true);
    await holding.done;
  });

  test('a commit has its own deadline, after statements that took nearly all of theirs', async () => {
    const proxy = proxied();
    const { database } = await open({ url: proxy.url, deadlineMs: 2_000, maxConnections: 1 });
    proxy.mode = 'hold-commit';
    const writing = database.transaction([{ text: 'SELECT pg_sleep(1.2)', values: [] }]);
    await until(
      async () => (await admin("SELECT pid FROM pg_stat_activity WHERE state = 'idle in transaction'")).length === 1,
    );
    // Real time: both together are longer than the deadline.
    await Bun.sleep(1_200);
    proxy.mode = 'pass';
    proxy.release();
    expect(await writing).toHaveLength(1);
  });

  test('connections that the server ended while they were idle are replaced, with at most one failed call', async () => {
    const { store, record } = await openWithKey();
    await endConnections();
    expect(await onceAvailable(() => store.find(record.keyId))).toEqual(record);
  });

  test('an event loop that was blocked beyond the deadline fails no call that was answered meanwhile', async () => {
    const { database, store, record } = await openWithKey({ deadlineMs: patienceMs });
    const turn = { serializeOn: 'a name' };
    const select = { text: 'SELECT 1', values: [] };
    for (let round = 0; round < 2; round++) {
      const calls = [
        store.find(record.keyId),
        store.revoke(record.ownerId, record.keyId, 9),
        database.transaction([select], turn),
        database.transaction([select], turn),
      ];
      await Bun.sleep(0);
      // Real time: the event loop is blocked.
      Bun.sleepSync(2 * patienceMs);
      const outcomes = await Promise.allSettled(calls);
      expect(outcomes.map(({ status }) => status)).toEqual(calls.map(() => 'fulfilled'));
    }
  });

  test('a call waits 150 ms for a lock and no longer, is not executed later, and its connection stays open', async () => {
    const { database, store, record } = await openWithKey({ deadlineMs: 150, maxConnections: 1 });
    const backend = () => database.query('SELECT pg_backend_pid() AS pid', []);
    const before = await onceAvailable(backend);
    const holding = holdLock(url, `api-keys of ${record.ownerId}`);
    await holding.locked;
    const waiting = keyRecord();
    expect(await failure(store.insertIfUnder(waiting, 1_000, 0))).toBeInstanceOf(Unavailable);
    holding.release();
    await holding.done;
    expect(await onceAvailable(backend)).toEqual(before);
    expect(await stored(waiting.keyId)).toBe(false);
  });

  test('a commit whose answer is lost is compensated: the refused key is deleted (contract/errors#availability)', async () => {
    const proxy = proxied();
    const { store } = await open({ url: proxy.url, deadlineMs: patienceMs, maxConnections: 1 });
    // Begins the chain of audit entries, so that the next commit is the key's.
    await store.insertIfUnder(keyRecord(), 1_000, 0);
    proxy.mode = 'lose-answer';
    const record = keyRecord();
    const minting = failure(store.insertIfUnder(record, 1_000, 0));
    await until(() => stored(record.keyId));
    expect(await minting).toBeInstanceOf(Unavailable);
    proxy.mode = 'pass';
    await until(async () => !(await stored(record.keyId)));
  });

  test('a commit that is still in flight when its caller received an error is never committed later', async () => {
    const proxy = proxied();
    const { database, store } = await open({ url: proxy.url, deadlineMs: patienceMs, maxConnections: 1 });
    const sessions = () => admin("SELECT pid FROM pg_stat_activity WHERE state = 'idle in transaction'");
    // Begins the chain of audit entries, so that the next commit is the key's.
    await store.insertIfUnder(keyRecord(), 1_000, 0);
    proxy.mode = 'hold-commit';
    const record = keyRecord();
    expect(await failure(store.insertIfUnder(record, 1_000, 0))).toBeInstanceOf(Unavailable);
    expect(await sessions()).toHaveLength(1);
    proxy.mode = 'pass';
    // Closing waits until all compensations are done.
    await database.close();
    proxy.release();
    await until(async () => (await sessions()).length === 0);
    expect(await stored(record.keyId)).toBe(false);
  });

  test('a write whose answers come after its deadline is not committed, and its connection stays open', async () => {
    const proxy = proxied();
    const { database, record } = await openWithKey({ url: proxy.url, maxConnections: 1 });
    const backend = () => database.query('SELECT pg_backend_pid() AS pid', []);
    const before = await backend();
    proxy.mode = 'hold-answers';
    const write = { text: 'UPDATE api_keys SET label = ? WHERE key_id = ?', values: ['late', record.keyId] };
    expect(await failure(database.transaction([write], { deadlineMs: 50 }))).toBeInstanceOf(Unavailable);
    proxy.mode = 'pass';
    proxy.release();
    expect(await onceAvailable(backend)).toEqual(before);
    expect(await admin(`SELECT label FROM api_keys WHERE key_id = '${record.keyId}' AND label = 'late'`)).toHaveLength(
      0,
    );
  });

  test('connections that were lost without notice cost a few calls, not one each', async () => {
    const proxy = proxied();
    const { database, store, record } = await openWithKey({ url: proxy.url, deadlineMs: patienceMs });
    // How many connections are opened at once depends on the pool and the machine, so the test repeats the calls until there are enough.
    await until(async () => {
      await onceAvailable(() =>
        Promise.all(Array.from({ length: 10 }, () => database.query('SELECT pg_sleep(0.03)', []))),
      );
      return proxy.connections() > 8;
    });
    const opened = proxy.connections();
    proxy.freeze();
    let failed = 0;
    await until(async () => {
      const error = await failure(store.find(record.keyId));
      // Only calls on a dead connection count, and not those that are refused at once because the machine is too busy to connect.
      if (String(error).includes('no answer within')) failed += 1;
      return !(error instanceof Unavailable);
    });
    expect(failed).toBeGreaterThan(0);
    expect(failed).toBeLessThan(opened - 1);
  });

  test('while the server refuses, few connections are tried under any load, and calls fail at once', async () => {
    const proxy = proxied();
    const { store, record } = await openWithKey({ url: proxy.url });
    proxy.mode = 'refuse';
    await endConnections();
    await until(async () => (await failure(store.find(record.keyId))) instanceof Unavailable);
    const before = proxy.connections();
    const refused = await Promise.all(Array.from({ length: 2_000 }, () => failure(store.find(record.keyId))));
    expect(refused.every((error) => error instanceof Unavailable)).toBe(true);
    expect(proxy.connections() - before).toBeLessThan(10);
    proxy.mode = 'pass';
    expect(await onceAvailable(() => store.find(record.keyId))).toEqual(record);
  });

  test('when the server has no room for another connection, the existing ones continue to serve', async () => {
    const role = new URL(url);
    role.username = postgres.freshName();
    role.password = 'x';
    const { database: owner } = await open();
    await owner.ping();
    await admin(
      `CREATE ROLE ${role.username} LOGIN PASSWORD 'x' CONNECTION LIMIT 2;
       GRANT ALL ON ALL TABLES IN SCHEMA public TO ${role.username}`,
    );
    const { database } = await open({ url: role.href });
    const sleeps = Array.from({ length: 40 }, () => database.query('SELECT pg_sleep(0.005)', []));
    expect(await Promise.all(sleeps)).toHaveLength(40);
  });

  test('a database that became read-only refuses writes and continues to serve reads', async () => {
    const { store, record, troubles } = await openWithKey();
    const name = new URL(url).pathname.slice(1);
    await postgres.admin(`ALTER DATABASE ${name} SET default_transaction_read_only = on`);
    await endConnections();
    expect(await onceAvailable(() => store.find(record.keyId))).toEqual(record);
    expect(String(await failure(store.insertIfUnder(keyRecord(), 1_000, 0)))).toContain('read-only');
    expect(await store.find(record.keyId)).toEqual(record);
    expect(troubles.at(-1)).toContain('read-only');
    await postgres.admin(`ALTER DATABASE ${name} RESET default_transaction_read_only`);
    await endConnections();
    expect(await onceAvailable(() => store.insertIfUnder(keyRecord(), 1_000, 0))).toBe(true);
    expect(troubles.at(-1)).toBeUndefined();
  });

  test('a server that has become a replica is unavailable: its revocations may be outdated', async () => {
    const { store, record } = await openWithKey();
    await postgres.stop();
    await postgres.startAsReplica();
    try {
      const errors: string[] = [];
      await until(async () => {
        errors.push(String(await failure(store.find(record.keyId))));
        return errors.at(-1)?.includes('replica') === true;
      });
      expect(errors.every((error) => error.includes('unavailable'))).toBe(true);
      expect(
        String(
          await failure(openPostgresDatabase({ schema, url, clock: systemClock, randomBytes: systemRandomBytes })),
        ),
      ).toContain('it is a read-only replica');
    } finally {
      await postgres.stop();
      await postgres.start();
    }
    expect(await onceAvailable(() => store.find(record.keyId))).toEqual(record);
  });

  test('a revoked privilege makes the calls that need it unavailable, until it is granted again', async () => {
    const role = new URL(url);
    const name = postgres.freshName();
    role.username = name;
    role.password = 'x';
    await open();
    await admin(`CREATE ROLE ${name} LOGIN PASSWORD 'x'; GRANT ALL ON ALL TABLES IN SCHEMA public TO ${name}`);
    const { store, record } = await openWithKey({ url: role.href });
    await admin(`REVOKE INSERT ON api_keys FROM ${name}`);
    expect(await failure(store.insertIfUnder(keyRecord(), 1_000, 0))).toBeInstanceOf(Unavailable);
    expect(await store.find(record.keyId)).toEqual(record);
    await admin(`GRANT INSERT ON api_keys TO ${name}`);
    expect(await store.insertIfUnder(keyRecord(), 1_000, 0)).toBe(true);
  });

  test('dropped tables, or another database at this address, are unavailable, not a database without keys', async () => {
    const { store, record } = await openWithKey();
    await admin('ALTER TABLE api_keys RENAME TO keys_away');
    expect(await failure(store.find(record.keyId))).toBeInstanceOf(Unavailable);
    await admin('ALTER TABLE keys_away RENAME TO api_keys');
    expect(await onceAvailable(() => store.find(record.keyId))).toEqual(record);
    await admin("UPDATE database_identity SET id = 'another ' || id");
    await endConnections();
    expect(String(await failure(store.find(record.keyId)))).toContain('unavailable');
    await until(async () => String(await failure(store.find(record.keyId))).includes('replaced by another'));
    await admin("UPDATE database_identity SET id = REPLACE(id, 'another ', '')");
    expect(await onceAvailable(() => store.find(record.keyId))).toEqual(record);
  });

  test('a gateway that is suspended in a transaction has its lock for seconds, not forever', async () => {
    const { store } = await open({ deadlineMs: 10_000 });
    const holding = holdLock(url, 'api-keys of slow', 'SET idle_in_transaction_session_timeout = 200');
    await holding.locked;
    expect(await store.insertIfUnder(keyRecord({ ownerId: 'slow' }), 10, 0)).toBe(true);
    holding.release();
    const { database } = await open();
    const [row] = await database.query("SELECT current_setting('idle_in_transaction_session_timeout') AS it", []);
    expect(row).toEqual({ it: '2s' });
  });
});

/** The error of a failed call; fails the test when the call succeeds. */
async function failure(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    (value) => new Error(`answered ${JSON.stringify(value)}`),
    (error: unknown) => error,
  );
}

/** Takes the lock and releases it when the test decides, like a transaction of another gateway. */
function holdLock(url: string, name: string, first = 'SELECT 1') {
  const client = new SQL(url, { max: 1, tls: 'disable' });
  const locked = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const hold = async () => {
    const link = await client.reserve();
    await link.unsafe(first);
    await link.unsafe('BEGIN');
    await link.unsafe(`SELECT pg_advisory_xact_lock(hashtextextended('${name}', 0))`);
    locked.resolve();
    await released.promise;
    await client.close({ timeout: 0 });
  };
  return { locked: locked.promise, release: () => released.resolve(), done: hold() };
}
