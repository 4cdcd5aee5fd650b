/**
 * Runs a gateway of the release before migration 9 together with one of this release. The older one takes an item's owner from the first 22 characters of its
 * partition key.
 */

import { afterEach, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@flowgate/base/clock';
import { systemRandomBytes } from '@flowgate/base/random';
import { enqueue } from '@flowgate/sql/coordination/outbox-statements';
import { createSqlOutboxStore } from '@flowgate/sql/coordination/sql-outbox-store';
import type { Database, Statement } from '@flowgate/sql/engine/database';
import { openPostgresDatabase } from '@flowgate/sql/engine/postgres/postgres-database';
import { textOf } from '@flowgate/sql/engine/row';
import type { Schema } from '@flowgate/sql/engine/schema';
import { raw, sql } from '@flowgate/sql/engine/sql-text';
import { openSqliteDatabase } from '@flowgate/sql/engine/sqlite/sqlite-database';
import { postgresMissing, testPostgres } from '@flowgate/testing/postgres';
import { webhookOwner, webhookPartition } from '../flow/events/webhook-partition.ts';
import { migrations } from './migrations.ts';
import { schema } from './storage-schema.ts';

const earlier = migrations.filter(({ version }) => version < 9);
const previous: Schema = {
  migrations: earlier,
  tables: schema.tables.filter((name) => JSON.stringify(earlier).includes(`CREATE TABLE ${name} (`)),
};
const queue = 'q';
const deadlineMs = 30_000;
const machine = { clock: systemClock, randomBytes: systemRandomBytes, deadlineMs };
const leaseMs = 600_000;
const [alice, bob] = [webhookOwner('alice'), webhookOwner('bob')];

let ends: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.reverse()) await end();
  ends = [];
});

type Open = (schema: Schema) => Promise<Database>;

function onFile(): Open {
  const directory = mkdtempSync(join(tmpdir(), 'flowgate-upgrade-'));
  ends.push(() => rmSync(directory, { recursive: true, force: true }));
  return (known) => openSqliteDatabase({ ...machine, schema: known, file: join(directory, 'flowgate.db') });
}

async function onServer(): Promise<Open> {
  const url = await (await testPostgres()).freshDatabase();
  return (known) => openPostgresDatabase({ ...machine, schema: known, url });
}

async function opened(open: Open, known: Schema): Promise<Database> {
  const database = await open(known);
  ends.push(() => database.close());
  return database;
}

/** Enqueues a delivery like the previous release. */
function enqueuedBefore({ dialect }: Database, id: string, lane: string): Statement {
  const now = dialect.now();
  return sql`INSERT INTO outbox (id, queue, lane, payload, enqueued_at, due_at, claim, claimed_until)
    VALUES (${id}, ${queue}, ${lane}, 'e', ${now}, ${now}, 0, NULL) ON CONFLICT (id) DO NOTHING`;
}

/**
 * Leases like the previous release, with `max` items for each owner. Returns the items with the owner and the subscription that the previous release derives
 * for them.
 */
async function claimedBefore(database: Database, max: number): Promise<readonly (readonly string[])[]> {
  const now = database.dialect.now();
  const claim = sql`WITH candidate AS MATERIALIZED (
      SELECT id AS candidate_id FROM (
        SELECT id, lane, ROW_NUMBER() OVER (PARTITION BY substr(lane, 1, 22) ORDER BY due_at, enqueued_at, id) AS turn FROM (
          SELECT id, lane, due_at, enqueued_at, ROW_NUMBER() OVER (PARTITION BY lane ORDER BY enqueued_at, id) AS place
          FROM outbox WHERE queue = ${queue} AND due_at <= ${now}
        ) AS placed
        WHERE place = 1 AND NOT EXISTS (
          SELECT 1 FROM outbox AS claimed WHERE claimed.queue = ${queue} AND claimed.lane = placed.lane AND claimed.claimed_until > ${now})
      ) AS placed_in_turn WHERE turn <= ${max} LIMIT 100
    ), picked AS MATERIALIZED (
      SELECT id AS picked_id FROM outbox AS item WHERE item.id IN (SELECT candidate_id FROM candidate) AND item.due_at + 0 <= ${now}
      ${raw(database.dialect.skipLocked)}
    )
    UPDATE outbox SET claim = claim + 1, due_at = ${now} + ${leaseMs}, claimed_until = ${now} + ${leaseMs}
    WHERE id IN (SELECT picked_id FROM picked) RETURNING id, lane, payload, claim, enqueued_at, ${now} - enqueued_at AS age`;
  const [rows = []] = await database.transaction([claim], { serializeOn: `outbox claims of ${queue}` });
  return rows.map((row) => [textOf(row, 'id'), textOf(row, 'lane').slice(0, 22), textOf(row, 'lane').slice(23)]).sort();
}

const engines = [
  ['SQLite', async () => onFile(), false],
  ['PostgreSQL', onServer, postgresMissing !== undefined],
] as const;

for (const [engine, opener, isMissing] of engines)
  describe.skipIf(isMissing)(`on ${engine}`, () => {
    const start = async () => {
      const open = await opener();
      const old = await opened(open, previous);
      await old.transaction([
        enqueuedBefore(old, 'a1', webhookPartition('alice', 'sub_1')),
        enqueuedBefore(old, 'b1', webhookPartition('bob', 'sub_9')),
      ]);
      const database = await opened(open, schema);
      return { old, database, outbox: createSqlOutboxStore(database, queue, 'one-at-a-time') };
    };
    const share = (max: number) => ({ max, inFlight: new Map<string, number>() });

    test('the migration sets the owner of every waiting item', async () => {
      const { database } = await start();
      const rows = await database.query('SELECT id, owner FROM outbox ORDER BY id', []);
      expect(rows.map((row) => [row['id'], row['owner']])).toEqual([
        ['a1', alice],
        ['b1', bob],
      ]);
    });

    test('items that the older gateway still enqueues count towards the same share, and no younger item passes them', async () => {
      const { old, database, outbox } = await start();
      for (let nth = 2; nth <= 6; nth++)
        await old.transaction([enqueuedBefore(old, `a${nth}`, webhookPartition('alice', `sub_${nth}`))]);
      await old.transaction([
        enqueuedBefore(old, 'z-older', webhookPartition('carol', 'sub_7')),
        sql`UPDATE outbox SET enqueued_at = enqueued_at - 1000, due_at = due_at - 1000 WHERE id = 'z-older'`,
      ]);
      const carols = { partitionKey: webhookPartition('carol', 'sub_7'), owner: webhookOwner('carol') };
      await database.transaction([enqueue(database, queue, { id: 'y-younger', payload: 'e', ...carols })]);
      const items = await outbox.leaseBatch(100, leaseMs, share(3));
      const ofOwner = (owner: string) => items.filter((each) => each.owner === owner).map(({ id }) => id);
      expect(ofOwner(alice)).toHaveLength(3);
      expect(ofOwner(bob)).toEqual(['b1']);
      expect(ofOwner(webhookOwner('carol'))).toEqual(['z-older']);
      expect(items).toHaveLength(5);
    });

    test('of very many due items each is leased once, and of a partition one at a time', async () => {
      const { old, outbox } = await start();
      const many = Array.from({ length: 2_300 }, (_, at) =>
        enqueuedBefore(old, `m${String(at).padStart(5, '0')}`, webhookPartition(`user ${at % 40}`, `sub_${at % 80}`)),
      );
      for (let at = 0; at < many.length; at += 500) await old.transaction(many.slice(at, at + 500), { deadlineMs });
      const leased = new Set<string>();
      const partitions = new Set<string>();
      for (let round = 0; round < 20; round++)
        for (const { id, partitionKey = '' } of await outbox.leaseBatch(10, leaseMs, share(100))) {
          expect([leased.has(id), partitions.has(partitionKey)]).toEqual([false, false]);
          leased.add(id);
          partitions.add(partitionKey);
        }
      // The items of the 80 endpoints, and the two from the beginning of the test.
      expect(partitions.size).toBe(82);
    });

    test('the older gateway delivers items of this one: it finds the owner and the subscription where it expects them', async () => {
      const { old, database, outbox } = await start();
      for (let nth = 2; nth <= 4; nth++) {
        const item = {
          id: `a${nth}`,
          payload: 'e',
          owner: alice,
          partitionKey: webhookPartition('alice', `sub_${nth}`),
        };
        await database.transaction([enqueue(database, queue, item)]);
      }
      expect(await claimedBefore(old, 2)).toEqual([
        ['a1', alice, 'sub_1'],
        ['a2', alice, 'sub_2'],
        ['b1', bob, 'sub_9'],
      ]);
      const rest = await outbox.leaseBatch(100, leaseMs, share(8));
      expect(rest.map(({ id }) => id)).toEqual(['a3', 'a4']);
      expect(await claimedBefore(old, 8)).toEqual([]);
    });
  });
