import { afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { systemClock } from '@flowgate/base/clock';
import { systemRandomBytes } from '@flowgate/base/random';
import { Unavailable } from '@flowgate/base/unavailable';
import { postgresMissing, type TestPostgres, testPostgres } from '@flowgate/testing/postgres';
import { startPostgresProxy } from '@flowgate/testing/postgres-proxy';
import { schema } from '../../../../../apps/gateway/src/storage/storage-schema.ts';
import type { Database } from '../database.ts';
import { UnusableDatabase } from '../unusable-database.ts';
import { openPostgresDatabase, type PostgresOptions } from './postgres-database.ts';

const secret = 'p4ssw%rd/x';

describe.skipIf(postgresMissing !== undefined)('PostgreSQL at start', () => {
  let postgres: TestPostgres;
  let opened: Database[] = [];
  beforeAll(async () => {
    postgres = await testPostgres();
  });
  afterEach(async () => {
    await Promise.all(opened.map((database) => database.close()));
    opened = [];
  });

  const open = async (url: string, more: Partial<PostgresOptions> = {}) => {
    const database = await openPostgresDatabase({
      schema,
      url,
      clock: systemClock,
      randomBytes: systemRandomBytes,
      openTimeoutMs: 5_000,
      deadlineMs: 5_000,
      ...more,
    });
    opened.push(database);
    return database;
  };
  const failure = async (url: string, more: Partial<PostgresOptions> = {}): Promise<Error> => {
    const error = await open(url, more).then(
      () => new Error('opened'),
      (reason: unknown) => (reason instanceof Error ? reason : new Error(String(reason))),
    );
    expect(error.message).not.toContain('p4ssw');
    expect(error.message.split('\n')).toHaveLength(1);
    return error;
  };
  /** Creates a user with a password, and returns the database's address for that user. */
  const asUser = async (url: string, change: (parts: URL) => void = () => undefined) => {
    const name = postgres.freshName();
    await postgres.admin(`CREATE ROLE ${name} LOGIN PASSWORD '${secret}'`);
    const parts = new URL(url);
    parts.username = name;
    parts.password = encodeURIComponent(secret);
    change(parts);
    return { name, url: parts.href, database: parts.pathname.slice(1) };
  };

  test('gateways that start concurrently on a new database migrate it once', async () => {
    const url = await postgres.freshDatabase();
    await Promise.all(Array.from({ length: 6 }, () => open(url, { maxConnections: 1 })));
    const [{ count } = {}] = await postgres.admin('SELECT COUNT(*) AS count FROM database_identity', databaseOf(url));
    expect(Number(count)).toBe(1);
  });

  test('text is compared by its bytes, for any locale of the server', async () => {
    const url = await postgres.freshDatabase();
    await open(url);
    const rows = await postgres.admin(
      `SELECT table_name, column_name FROM information_schema.columns
       WHERE table_schema = 'public' AND data_type = 'text' AND collation_name IS DISTINCT FROM 'C'`,
      databaseOf(url),
    );
    expect([...rows]).toEqual([]);
  });

  test('a user with nothing but its own database can run it', async () => {
    const { name, url, database } = await asUser(await postgres.freshDatabase());
    await postgres.admin(`ALTER DATABASE ${database} OWNER TO ${name}`);
    await expect((await open(url)).ping()).resolves.toBeUndefined();
  });

  test('a wrong password is reported, and never shown', async () => {
    const { url, name } = await asUser(await postgres.freshDatabase(), (parts) => {
      parts.password = 'p4sswrong';
    });
    const error = await failure(url);
    expect(error).toBeInstanceOf(UnusableDatabase);
    expect(error.message).toContain(`it does not accept the password of user ${name}`);
  });

  test('a wrong database and a wrong user are reported', async () => {
    const url = new URL(await postgres.freshDatabase());
    url.pathname = '/nowhere';
    expect((await failure(url.href)).message).toContain('database "nowhere" does not exist');
    url.username = 'unknown_user';
    url.password = 'p4ss';
    expect((await failure(url.href)).message).toContain('unknown_user');
  });

  test('a host without a listener, and one that does not answer, are unavailable', async () => {
    const silent = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } });
    const quick = { openTimeoutMs: 0, connectTimeoutMs: 200 };
    const error = await failure(`postgres://u:p4ss@127.0.0.1:${silent.port}/d`, quick);
    expect(error).toBeInstanceOf(Unavailable);
    expect(error.message).toContain('no answer in time while connecting');
    const { port } = silent;
    silent.stop(true);
    expect((await failure(`postgres://u:p4ss@127.0.0.1:${port}/d`, quick)).message).toContain('nothing listens');
  });

  test('missing privileges are reported: to create tables, and to use them', async () => {
    const fresh = await postgres.freshDatabase();
    const { url, name, database } = await asUser(fresh);
    expect((await failure(url)).message).toContain(`user ${name} lacks a right: permission denied for schema public`);
    await open(fresh);
    await postgres.admin(`GRANT SELECT ON ALL TABLES IN SCHEMA public TO ${name}`, database);
    expect((await failure(url)).message).toContain(`user ${name} lacks the right to INSERT on api_keys`);
    await postgres.admin(`GRANT INSERT, UPDATE, DELETE ON ${schema.tables.join(', ')} TO ${name}`, database);
    await open(url);
  });

  test('a server without free connections is reported, and waited for', async () => {
    const { url, name, database } = await asUser(await postgres.freshDatabase());
    await postgres.admin(`ALTER DATABASE ${database} OWNER TO ${name}; ALTER ROLE ${name} CONNECTION LIMIT 0`);
    const error = await failure(url, { openTimeoutMs: 0 });
    expect(error).toBeInstanceOf(Unavailable);
    expect(error.message).toContain('too many connections');
    const waiting = open(url);
    await postgres.admin(`ALTER ROLE ${name} CONNECTION LIMIT 5`);
    await (await waiting).ping();
  });

  test('a read-only database is refused', async () => {
    const url = await postgres.freshDatabase();
    await postgres.admin(`ALTER DATABASE ${databaseOf(url)} SET default_transaction_read_only = on`);
    expect((await failure(url)).message).toContain('it is read-only (default_transaction_read_only is on)');
  });

  test('a database whose encoding is not UTF-8 is refused', async () => {
    const name = postgres.freshName();
    await postgres.admin(`CREATE DATABASE ${name} ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0`);
    const url = new URL(await postgres.freshDatabase());
    url.pathname = `/${name}`;
    expect((await failure(url.href)).message).toContain('its encoding is LATIN1, Flowgate needs UTF8');
  });

  test('a database of another application is refused and not changed', async () => {
    const url = await postgres.freshDatabase();
    await postgres.admin('CREATE TABLE schema_migrations (version TEXT)', databaseOf(url));
    const error = await failure(url);
    expect(error).toBeInstanceOf(UnusableDatabase);
    expect(error.message).toContain('tables of another application');
    const tables = await postgres.admin("SELECT relname FROM pg_class WHERE relname = 'api_keys'", databaseOf(url));
    expect(tables).toHaveLength(0);
  });

  test('tables of extensions are ignored: managed services install them', async () => {
    const url = await postgres.freshDatabase();
    await postgres.admin('CREATE EXTENSION pg_buffercache', databaseOf(url));
    await expect((await open(url)).ping()).resolves.toBeUndefined();
  });

  test('a database that stops answering in the middle of the migration ends the start', async () => {
    const proxy = startPostgresProxy(await postgres.freshDatabase());
    proxy.mode = 'hold-commit';
    try {
      const error = await failure(proxy.url, { openTimeoutMs: 200 });
      expect(error).toBeInstanceOf(Unavailable);
    } finally {
      proxy.close();
    }
  });

  test('addresses in the environment change nothing: neither where to connect nor how', async () => {
    const url = await postgres.freshDatabase();
    const program = `
      import { openPostgresDatabase } from ${JSON.stringify(import.meta.resolve('./postgres-database.ts'))};
      import { schema } from ${JSON.stringify(import.meta.resolve('../../../../../apps/gateway/src/storage/storage-schema.ts'))};
      import { systemClock } from ${JSON.stringify(import.meta.resolve('@flowgate/base/clock'))};
      import { systemRandomBytes } from ${JSON.stringify(import.meta.resolve('@flowgate/base/random'))};
      const own = { clock: systemClock, randomBytes: systemRandomBytes };
      const database = await openPostgresDatabase({ schema, url: ${JSON.stringify(url)}, ...own, deadlineMs: 5_000 });
      const [row] = await database.query("SELECT current_database() AS name, current_setting('work_mem') AS memory", []);
      console.log(row.name, row.memory);
      await database.close();
      process.exit(0);`;
    const stray = 'postgres://unused:unused@127.0.0.1:1/other?work_mem=3MB&search_path=other&stray=true';
    const child = Bun.spawn([process.execPath, '-e', program], {
      env: { ...process.env, DATABASE_URL: stray, POSTGRES_URL: stray, TLS_DATABASE_URL: stray, PGDATABASE: 'other' },
      stderr: 'pipe',
    });
    const [said, trouble] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
    expect(trouble).toBe('');
    expect(said.trim()).toBe(`${databaseOf(url)} 4MB`);
  });

  test('a start whose connections for calls are refused leaves no retries behind', async () => {
    const url = await postgres.freshDatabase();
    const program = `
      import { openPostgresDatabase } from ${JSON.stringify(import.meta.resolve('./postgres-database.ts'))};
      import { schema } from ${JSON.stringify(import.meta.resolve('../../../../../apps/gateway/src/storage/storage-schema.ts'))};
      import { systemClock } from ${JSON.stringify(import.meta.resolve('@flowgate/base/clock'))};
      import { systemRandomBytes as randomBytes } from ${JSON.stringify(import.meta.resolve('@flowgate/base/random'))};
      import { startPostgresProxy } from ${JSON.stringify(import.meta.resolve('@flowgate/testing/postgres-proxy'))};
      const proxy = startPostgresProxy(${JSON.stringify(url)});
      // The migration reads the time on the connection of the start. From then on the proxy refuses new connections.
      const now = () => {
        proxy.mode = 'refuse';
        return systemClock.now();
      };
      const opening = openPostgresDatabase({ url: proxy.url, schema, clock: { ...systemClock, now }, randomBytes, openTimeoutMs: 500 });
      console.log(await opening.then(() => 'opened', (error) => error.message));
      proxy.close();`;
    const child = Bun.spawn([process.execPath, '-e', program], { stderr: 'pipe' });
    const [said, trouble] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
    expect(trouble).toBe('');
    expect(said).toContain('unavailable');
    expect(await child.exited).toBe(0);
  });

  test('a database of a newer Flowgate, or with another text of a migration, is refused', async () => {
    const url = await postgres.freshDatabase();
    await open(url);
    await postgres.admin("INSERT INTO schema_migrations VALUES (999, 'future', 'x', 0)", databaseOf(url));
    expect((await failure(url)).message).toContain('it has schema version 999');
    await postgres.admin('DELETE FROM schema_migrations WHERE version = 999', databaseOf(url));
    await postgres.admin("UPDATE schema_migrations SET checksum = 'x' WHERE version = 1", databaseOf(url));
    expect((await failure(url)).message).toContain('migration 1 differs');
  });

  test('an older schema gets the missing migrations, and its data stays', async () => {
    const url = await postgres.freshDatabase();
    await open(url);
    await postgres.admin(
      `DROP TABLE ${schema.tables.filter((table) => table !== 'api_keys').join(', ')}; DROP INDEX api_keys_by_revocation; DROP FUNCTION audit_entries_are_final; DELETE FROM schema_migrations WHERE version >= 2;
       INSERT INTO api_keys VALUES ('k', 'o', 'l', '[]', 'd', 'p', 1)`,
      databaseOf(url),
    );
    const database = await open(url);
    expect(await database.query('SELECT key_id FROM api_keys', [])).toHaveLength(1);
    expect(await database.query('SELECT name FROM leases', [])).toHaveLength(0);
  });

  test('an invalid address is refused without repeating text that may be its password', async () => {
    for (const [url, sentence] of [
      ['postgres://flow:p4ss@', 'must be postgres://user:password@host:port/database'],
      ['postgres://flow:p4ss@host', 'must name a user and a database'],
      ['postgres://:p4ss@host/db', 'must name a user and a database'],
      ['postgres://flow:p4ss%@host/db', 'two hexadecimal digits'],
      ['postgres://flow:p4ss@host/db?sslmode=perhaps', 'sslmode in the database address must be one of'],
      ['postgres://flow:p4ss@host/db?pool=3', 'sslmode and sslrootcert, not "pool"'],
    ] as const)
      expect((await failure(url)).message).toContain(sentence);
  });

  test('missing TLS of the server is reported', async () => {
    expect((await failure(`${await postgres.freshDatabase()}?sslmode=require`)).message).toContain(
      'it does not offer TLS',
    );
  });
});

function databaseOf(url: string): string {
  return new URL(url).pathname.slice(1);
}
