import { Database as Sqlite } from 'bun:sqlite';
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@flowgate/base/clock';
import { systemRandomBytes } from '@flowgate/base/random';
import { Unavailable } from '@flowgate/base/unavailable';
import { chanceFrom } from '@flowgate/testing/seeded-chance';
import { groupSchema } from '../../../test/group-schema.ts';
import type { Database, TransactionOptions } from '../database.ts';
import { SqliteConnection } from './sqlite-connection.ts';
import { openSqliteDatabase } from './sqlite-database.ts';
import { SqliteFile } from './sqlite-file.ts';
import { requestWaiting, type WorkerRequest } from './sqlite-messages.ts';
import { SqliteReplies } from './sqlite-replies.ts';
import { SqliteWriter } from './sqlite-writer.ts';

let root: string;
let opened: Database[] = [];

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'flowgate-groups-'));
});
afterEach(async () => {
  await Promise.all(opened.map((database) => database.close()));
  opened = [];
  rmSync(root, { recursive: true, force: true });
});

async function open(name = 'stored.db'): Promise<Database> {
  const file = join(root, name);
  const database = await openSqliteDatabase({ schema: groupSchema, file, clock: systemClock, deadlineMs: 20_000 });
  opened.push(database);
  return database;
}

const insert = (id: string, n = 0) => ({ text: 'INSERT INTO stored (id, n) VALUES (?, ?)', values: [id, n] });
const add = (id: string, n: number) => ({
  text: 'UPDATE stored SET n = n + ? WHERE id = ? RETURNING id',
  values: [n, id],
});
const ids = async (database: Database) =>
  (await database.query('SELECT id FROM stored ORDER BY id', [])).map(({ id }) => id);

test('a process that is killed during group commits loses no acknowledged transaction, and leaves none partially done', async () => {
  const file = join(root, 'killed.db');
  const script = new URL('../../../test/group-commits-in-child.ts', import.meta.url).pathname;
  for (const max of [40, 300, 900]) {
    const child = Bun.spawn([process.execPath, script, file.replace('killed', `killed-${max}`)], {
      stdout: 'pipe',
      stderr: 'inherit',
    });
    let text = '';
    const decoder = new TextDecoder();
    for await (const chunk of child.stdout) {
      text += decoder.decode(chunk, { stream: true });
      if (text.split('\n').length > max) child.kill('SIGKILL');
    }
    await child.exited;
    // The kill may have cut off a line without an end.
    const acknowledged = text.split('\n').slice(0, -1);
    expect(acknowledged.length).toBeGreaterThanOrEqual(max);
    const there = new Set(await ids(await open(`killed-${max}.db`)));
    for (const id of acknowledged) expect([there.has(`${id}-a`), there.has(`${id}-b`)]).toEqual([true, true]);
    for (const id of there)
      expect(there.has(`${String(id).slice(0, -1)}${String(id).endsWith('a') ? 'b' : 'a'}`)).toBe(true);
  }
});

type Transfer = {
  readonly kind: 'done' | 'wrong' | 'refused';
  readonly by: number;
  readonly options: TransactionOptions;
};

function transfersFrom(seed: number): readonly Transfer[] {
  const chance = chanceFrom(seed);
  return Array.from({ length: 60 }, () => ({
    kind: (['done', 'done', 'done', 'wrong', 'refused'] as const)[chance(5)] ?? 'done',
    by: 1 + chance(9),
    options: { isLostWithPower: chance(2) === 0, deadlineMs: chance(2) === 0 ? 20_000 : 30_000 },
  }));
}

/** The outcome as one word. */
async function transfer(database: Database, at: number, { kind, by, options }: Transfer): Promise<string> {
  const statements = [
    add('from', -by),
    add('to', by),
    // The row exists already, so the transaction fails after it has changed something.
    kind === 'wrong' ? insert('from') : insert(`note ${at}`, by),
  ];
  const onlyIf = { text: 'SELECT id FROM stored WHERE id = ?', values: [kind === 'refused' ? 'absent' : 'from'] };
  try {
    const rows = await database.transaction(statements, { ...options, onlyIf });
    return rows.length === 0 ? 'refused' : 'done';
  } catch (error) {
    return error instanceof Unavailable ? 'unavailable' : 'wrong';
  }
}

test('transactions in a group have the same outcomes and leave the same rows as one after another', async () => {
  for (const seed of [1, 2, 3]) {
    const transfers = transfersFrom(seed);
    const together = await open(`together-${seed}.db`);
    const apart = await open(`apart-${seed}.db`);
    for (const database of [together, apart]) await database.transaction([insert('from', 10_000), insert('to')]);
    const outcomes = await Promise.all(transfers.map((each, at) => transfer(together, at, each)));
    const oneByOne: string[] = [];
    for (const [at, each] of transfers.entries()) oneByOne.push(await transfer(apart, at, each));
    expect(outcomes).toEqual(transfers.map(({ kind }) => kind));
    expect(oneByOne).toEqual(outcomes);
    const rowsOf = (database: Database) => database.query('SELECT id, n FROM stored ORDER BY id', []);
    expect(await rowsOf(together)).toEqual(await rowsOf(apart));
  }
});

/** A query that takes a large part of a second. */
const long = {
  text: 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000000) SELECT MAX(i) AS i FROM n',
  values: [],
};

test('a deadline that passes in a group fails only its own transaction, which is compensated', async () => {
  const database = await open();
  const undo = { text: 'DELETE FROM stored WHERE id = ?', values: ['late'] };
  const [slow, late, patient] = await Promise.allSettled([
    database.transaction([long]),
    database.transaction([insert('late')], { deadlineMs: 60, undo: [undo] }),
    database.transaction([insert('patient')]),
  ]);
  expect([slow.status, late.status, patient.status]).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  // This write runs after the compensation, if there is one.
  await database.transaction([insert('after')]);
  expect(await ids(database)).toEqual(['after', 'patient']);
});

test('calls of one turn of the event loop share a message, from any caller, and precede the message that closes the database', async () => {
  const file = join(root, 'turns.db');
  let messages = 0;
  const database = await openSqliteDatabase({
    schema: groupSchema,
    file,
    clock: systemClock,
    deadlineMs: 20_000,
    spawn: () => {
      const worker = new Worker(new URL('./sqlite-worker.ts', import.meta.url).href);
      const post = worker.postMessage.bind(worker);
      worker.postMessage = (message: unknown) => {
        if (typeof message === 'object' && message !== null && 'run' in message) messages += 1;
        post(message);
      };
      return worker;
    },
  });
  opened.push(database);
  /** Writes like requests in one turn of the event loop: each in a microtask of its own, some after others. */
  const write = async (at: number) => {
    for (let pause = 0; pause < at % 5; pause++) await Promise.resolve();
    await database.transaction([insert(`write ${at}`)]);
  };
  await Promise.all(Array.from({ length: 40 }, (_, at) => write(at)));
  expect(messages).toBe(1);
  const last = database.transaction([insert('last')]);
  const closed = database.close();
  await Promise.all([last, closed]);
  expect(messages).toBe(2);
  const stored = new Sqlite(file);
  expect(stored.query('SELECT COUNT(*) AS n FROM stored').get()).toEqual({ n: 41 });
  stored.close();
});

test('only commits without data that must survive a power failure are not synced; the next synced commit syncs them too', () => {
  const machine = { clock: systemClock, randomBytes: systemRandomBytes };
  const states = new Int32Array(new SharedArrayBuffer(64));
  states.fill(requestWaiting);
  const file = new SqliteFile(
    {
      file: join(root, 'synced.db'),
      migrations: groupSchema.migrations,
      readsOnly: false,
      openTimeoutMs: 1_000,
      reserveBytes: 0,
      states,
      nowMs: 0,
    },
    machine,
    () => {},
  );
  const writer = new SqliteWriter(
    new SqliteConnection(file, () => {}),
    new SqliteReplies(states, 'unavailable'),
    undefined,
  );
  let slot = 0;
  const write = (isLostWithPower: boolean): WorkerRequest => ({
    slot: slot++,
    writes: true,
    isLostWithPower,
    statements: [insert(`slot ${slot}`)],
  });
  const syncedAfter = (...requests: readonly WorkerRequest[]) => {
    for (const request of requests) writer.add(request);
    writer.serve();
    return file.connection().query<{ synchronous: number }, []>('PRAGMA synchronous').get()?.synchronous;
  };
  const [full, normal] = [2, 1];
  expect(syncedAfter(write(false))).toBe(full);
  expect(syncedAfter(write(true))).toBe(normal);
  expect(syncedAfter(write(true), write(true))).toBe(normal);
  expect(syncedAfter(write(true), write(false), write(true))).toBe(full);
  expect(syncedAfter(write(true))).toBe(normal);
  expect(syncedAfter(write(false))).toBe(full);
  file.close();
  const stored = new Sqlite(join(root, 'synced.db'));
  expect(stored.query('SELECT COUNT(*) AS n FROM stored').get()).toEqual({ n: slot });
  stored.close();
});
