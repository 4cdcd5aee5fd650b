import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database, Statement } from '@flowgate/sql/engine/database';
import type { Table } from '@flowgate/sql/engine/table';
import { postgresMissing } from '@flowgate/testing/postgres';
import { migratedDatabase } from '../../test/fixtures/migrated-database.ts';
import { openAddress } from '../../test/fixtures/open-address.ts';
import { MoveRefused, moveData } from './move-data.ts';
import { movedTables } from './storage-tables.ts';

let directory: string;
let opened: Database[];
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'flowgate-move-'));
  opened = [];
});
afterEach(async () => {
  await Promise.all(opened.map((database) => database.close()));
  rmSync(directory, { recursive: true, force: true });
});

async function sqlite(name: string): Promise<Database> {
  const database = await openAddress(`sqlite:${join(directory, name)}`);
  opened.push(database);
  return database;
}

async function postgres(): Promise<Database> {
  const database = await openAddress(await migratedDatabase());
  opened.push(database);
  return database;
}

const pad = (at: number) => String(at).padStart(16, '0');

function key(at: number, label = `label ${at} – ключ 🔑 "'\\`): Statement {
  return {
    text: `INSERT INTO api_keys (key_id, owner_id, label, scopes, digest, pepper_version, created_at, expires_at, last_used_at, revoked_at)
      VALUES (?, ?, ?, '["rpc"]', ?, 'abc', ?, ?, ?, ?)`,
    values: [
      pad(at),
      `user-${at % 7}`,
      label,
      'd'.repeat(64),
      1_800_000_000_000 + at,
      at % 2 ? 1_900_000_000_000 : null,
      at % 3 ? at : null,
      at % 5 ? null : 0,
    ],
  };
}

async function fill(database: Database, keys: number): Promise<void> {
  await database.transaction([
    ...Array.from({ length: keys }, (_, at) => key(at)),
    ...movedTables.filter(({ name }) => name !== 'api_keys').map(oneRow),
  ]);
}

/** Every column has a distinct value of the largest size. In every second table the nullable columns are NULL. */
function oneRow({ name, columns }: Table, nth: number): Statement {
  const all = Object.values(columns);
  return {
    text: `INSERT INTO ${name} (${all.map((column) => column.name).join(', ')}) VALUES (${all.map(() => '?').join(', ')})`,
    values: all.map(({ name: column, type, isNullable }, at) => {
      if (isNullable && nth % 2 === 0) return null;
      return type === 'TEXT' ? `${column} – текст 🔑 '${nth}` : Number.MAX_SAFE_INTEGER - at;
    }),
  };
}

async function everything(database: Database): Promise<unknown> {
  const rows = movedTables.map(async ({ name, primaryKey: by }) => {
    const found = await database.query(`SELECT * FROM ${name} ORDER BY ${by}`, []);
    return found.map((row) =>
      Object.fromEntries(Object.entries(row).map(([column, value]) => [column, value === null ? null : String(value)])),
    );
  });
  return Promise.all(rows);
}

const ways: [string, () => Promise<[Database, Database]>][] = [
  ['SQLite to SQLite', async () => [await sqlite('from.db'), await sqlite('to.db')]],
  ['SQLite to PostgreSQL', async () => [await sqlite('from.db'), await postgres()]],
  ['PostgreSQL to SQLite', async () => [await postgres(), await sqlite('to.db')]],
];

describe.skipIf(postgresMissing !== undefined).each(ways)('%s', (_, open) => {
  test('every row arrives unchanged, and both sides report the same rows and checksums', async () => {
    const [from, to] = await open();
    await fill(from, 503);
    const before = await everything(from);
    const progress: number[] = [];
    const moved = await moveData(from, to, {
      batchRows: 100,
      onProgress: ({ table, done }) => table === 'api_keys' && progress.push(done),
    });
    expect(moved.map(({ table, rows }) => [table, rows])).toEqual([
      ['api_keys', 503],
      ...movedTables.slice(1).map(({ name }) => [name, 1]),
    ]);
    expect(progress).toEqual([100, 200, 300, 400, 500, 503]);
    expect(await everything(from)).toEqual(before);
    expect(await everything(to)).toEqual(before);
  });

  test('an interrupted move continues when it is started again', async () => {
    const [from, to] = await open();
    await fill(from, 250);
    const cut = new Error('cut off');
    const first = moveData(from, to, {
      batchRows: 50,
      onProgress: ({ done }) => {
        if (done === 150) throw cut;
      },
    });
    expect(await first.catch((error: unknown) => error)).toBe(cut);
    await moveData(from, to, { batchRows: 50 });
    expect(await everything(to)).toEqual(await everything(from));
  });

  test('a second run copies what changed in the source since the first run', async () => {
    const [from, to] = await open();
    await fill(from, 20);
    await moveData(from, to);
    await from.transaction([
      { text: 'UPDATE api_keys SET revoked_at = 7, last_used_at = 8 WHERE key_id = ?', values: [pad(3)] },
      key(999),
    ]);
    await moveData(from, to);
    expect(await everything(to)).toEqual(await everything(from));
  });

  test('a target with rows of another database is refused and stays unchanged', async () => {
    const [from, to] = await open();
    await fill(from, 5);
    await to.transaction([key(777)]);
    const before = await everything(to);
    expect(await moveData(from, to).catch((error: unknown) => error)).toBeInstanceOf(MoveRefused);
    expect(await everything(to)).toEqual(before);
  });

  test('a source that is still being written to is detected', async () => {
    const [from, to] = await open();
    await fill(from, 30);
    let planted = false;
    const busy: Database = {
      dialect: from.dialect,
      transaction: (statements, options) => from.transaction(statements, options),
      ping: () => from.ping(),
      close: () => from.close(),
      async query(text, values, options) {
        const rows = await from.query(text, values, options);
        // The first table changes after the last table was copied.
        if (!planted && rows.length === 0 && text.includes('outbox')) {
          planted = true;
          await from.transaction([
            { text: 'UPDATE api_keys SET last_used_at = 123456 WHERE key_id = ?', values: [pad(1)] },
          ]);
        }
        return rows;
      },
    };
    const moving = moveData(busy, to, { batchRows: 10 });
    const refusal = await moving.catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(MoveRefused);
    expect(String(refusal)).toContain('stop every gateway');
  });
});

test('however large the rows are, no query reads more than a few of them', async () => {
  const [from, to] = [await sqlite('from.db'), await sqlite('to.db')];
  for (let at = 0; at < 30; at++)
    await from.transaction([
      {
        text: "INSERT INTO flow_responses (id, session_id, body, headers, created_at) VALUES (?, 's', ?, '{}', 1)",
        values: [`r${at}`, 'x'.repeat(400_000)],
      },
    ]);
  let max = 0;
  const watched = (database: Database): Database => ({
    dialect: database.dialect,
    async query(...call) {
      const rows = await database.query(...call);
      max = Math.max(max, Buffer.byteLength(JSON.stringify(rows)));
      return rows;
    },
    transaction: (...call) => database.transaction(...call),
    ping: () => database.ping(),
    close: () => database.close(),
  });
  const moved = await moveData(watched(from), watched(to));
  expect(moved.find(({ table }) => table === 'flow_responses')?.rows).toBe(30);
  expect(max).toBeGreaterThan(1_000_000);
  expect(max).toBeLessThan(5_000_000);
});
