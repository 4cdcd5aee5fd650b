import { afterEach, beforeEach, expect, test } from 'bun:test';
import { Unavailable } from '@flowgate/base/unavailable';
import type { Database, Statement } from '@flowgate/sql/engine/database';
import { sql } from '@flowgate/sql/engine/sql-text';
import { selection } from '@flowgate/sql/engine/table';
import { auditedOn, auditNote } from '../../test/fixtures/audited.ts';
import { patientDeadlineMs } from '../../test/fixtures/open-address.ts';
import { type OpenedEngine, onEveryEngine, withoutAuditTriggers } from '../../test/fixtures/sql-engines.ts';
import { auditEntriesTable } from './audit-tables.ts';
import { type AuditEntry, entryHash } from './sql-entry-hash.ts';
import { verifyAudit } from './sql-verify-audit.ts';

const entries = selection(auditEntriesTable);
const insert = (id: string): Statement =>
  sql`INSERT INTO outbox_lanes (id, items, bytes) VALUES (${id}, 0, 0) RETURNING id`;

onEveryEngine((_, open) => {
  let opened: OpenedEngine;
  let database: Database;
  beforeEach(async () => {
    opened = await open();
    database = opened.database;
  });
  afterEach(() => opened.close());

  const read = async ({ text, values }: Statement) => (await database.query(text, values)).map(entries.read);
  const tamper = (...statements: readonly Statement[]) => withoutAuditTriggers(database, statements);
  const verify = () => verifyAudit(database, { pageRows: 2 });

  /** Processes write entries one after another; returns the chain's entries of each. */
  async function written(...counts: readonly number[]): Promise<readonly (readonly AuditEntry[])[]> {
    const all: (readonly AuditEntry[])[] = [];
    for (const [process, count] of counts.entries()) {
      const audited = auditedOn(database, patientDeadlineMs);
      const known = all.flat().map(({ chainId }) => chainId);
      for (let at = 0; at < count; at++)
        await audited([insert(`${process} ${at}`)], { note: auditNote({ target: `${process} ${at}` }), done: 0 });
      const every = await read(sql`SELECT ${entries.list} FROM audit_entries ORDER BY chain_id, sequence`);
      all.push(every.filter(({ chainId }) => !known.includes(chainId)));
    }
    return all;
  }

  const at = <T>(list: readonly T[] | undefined, index: number): T => {
    const found = list?.at(index);
    if (found === undefined) throw new Error(`nothing at ${index}`);
    return found;
  };
  const faultAt = (entry: AuditEntry) => ({
    fault: { chainId: entry.chainId, sequence: entry.sequence, auditId: entry.auditId },
  });

  test('an unchanged log is valid across pages, and the end of each chain is reported', async () => {
    expect(await verify()).toEqual({ chains: 0, entries: 0 });
    const all = await written(5, 1, 4);
    const ends: unknown[] = [];
    expect(await verifyAudit(database, { pageRows: 2, onChain: (end) => ends.push(end) })).toEqual({
      chains: 3,
      entries: 10,
    });
    const expected = all
      .map((chain) => at(chain, -1))
      .map((entry) => ({
        chainId: entry.chainId,
        sequence: entry.sequence,
        hash: entryHash(entry),
      }));
    expect(ends).toEqual(expected);
  });

  test('many concurrent writers, refusals and unknown outcomes leave a sound log', async () => {
    let calls = 0;
    const audited = auditedOn(
      {
        dialect: database.dialect,
        async transaction(statements, options) {
          calls += 1;
          // Some are executed without an answer, others fail.
          if (calls % 7 === 3) throw new Unavailable('database', 'no answer');
          const rows = await database.transaction(statements, options);
          if (calls % 11 === 5) throw new Unavailable('database', 'no answer');
          return rows;
        },
      },
      patientDeadlineMs,
    );
    const writes = Array.from({ length: 60 }, (_, id) =>
      audited([insert(`${id % 40}`)], { note: auditNote(), done: 0 }),
    );
    await Promise.allSettled(writes);
    for (let id = 100; id < 130; id++)
      await Promise.allSettled([audited([insert(`${id}`)], { note: auditNote(), done: 0 })]);
    const verdict = await verify();
    expect(verdict.fault).toBeUndefined();
    expect(verdict.entries).toBeGreaterThan(20);
  });

  test('a log with a concurrent writer is valid', async () => {
    const audited = auditedOn(opened.other, patientDeadlineMs);
    let done = false;
    const writing = (async () => {
      for (let id = 0; id < 60; id++) await audited([insert(`${id}`)], { note: auditNote(), done: 0 });
      done = true;
    })();
    while (!done) expect((await verify()).fault).toBeUndefined();
    await writing;
    expect(await verify()).toMatchObject({ entries: 60 });
  });

  test.each([
    ['actor', 'eve'],
    ['details', '{"a":1}'],
    ['target', 'other'],
    ['created_at', 5],
    ['request_id', 'req_9'],
    ['via', 'key'],
    ['action', 'key.revoked'],
  ] as const)(
    'an entry whose %s was changed is reported: the first, one within, and the last',
    async (column, value) => {
      const [chain] = await written(4);
      for (const index of [0, 1, 3]) {
        const { auditId } = at(chain, index);
        const set = { text: `UPDATE audit_entries SET ${column} = ? WHERE audit_id = ?`, values: [value, auditId] };
        const [before] = await database.query(`SELECT ${column} AS old FROM audit_entries WHERE audit_id = ?`, [
          auditId,
        ]);
        await tamper(set);
        expect(await verify()).toMatchObject(faultAt(at(chain, index)));
        await tamper({ ...set, values: [String(before?.['old']), auditId] });
      }
      expect((await verify()).fault).toBeUndefined();
    },
  );

  test('an entry that was changed together with the link of the next one is found at the next', async () => {
    const [chain] = await written(4);
    const forged = { ...at(chain, 1), actor: 'eve' };
    await tamper(
      sql`UPDATE audit_entries SET actor = 'eve' WHERE audit_id = ${forged.auditId}`,
      sql`UPDATE audit_entries SET previous = ${entryHash(forged)} WHERE audit_id = ${at(chain, 2).auditId}`,
    );
    expect(await verify()).toMatchObject(faultAt(at(chain, 2)));
  });

  test('a removed entry is reported by its number: at the beginning, within, and at the end', async () => {
    for (const index of [0, 2, 4]) {
      const chain = at(await written(5), -1);
      const { chainId, auditId, sequence } = at(chain, index);
      await tamper(sql`DELETE FROM audit_entries WHERE audit_id = ${auditId}`);
      expect((await verify()).fault).toEqual({ chainId, sequence, problem: expect.stringContaining('missing') });
      await tamper(
        sql`DELETE FROM audit_entries WHERE chain_id = ${chainId}`,
        sql`DELETE FROM audit_chains WHERE chain_id = ${chainId}`,
        sql`DELETE FROM outbox_lanes WHERE id <> ''`,
      );
    }
  });

  test('a removed entry is found although the later numbers were closed up', async () => {
    const [chain] = await written(5);
    const { chainId, auditId } = at(chain, 1);
    await tamper(
      sql`DELETE FROM audit_entries WHERE audit_id = ${auditId}`,
      sql`UPDATE audit_entries SET sequence = 2 WHERE chain_id = ${chainId} AND sequence = 3`,
      sql`UPDATE audit_entries SET sequence = 3 WHERE chain_id = ${chainId} AND sequence = 4`,
      sql`UPDATE audit_entries SET sequence = 4 WHERE chain_id = ${chainId} AND sequence = 5`,
      sql`UPDATE audit_chains SET sequence = 4 WHERE chain_id = ${chainId}`,
    );
    expect((await verify()).fault).toMatchObject({
      chainId,
      sequence: expect.any(Number),
      problem: expect.any(String),
    });
  });

  test('entries that were swapped are found', async () => {
    const [chain] = await written(5);
    const [one, other] = [at(chain, 1), at(chain, 3)];
    await tamper(
      sql`UPDATE audit_entries SET sequence = 99 WHERE audit_id = ${one.auditId}`,
      sql`UPDATE audit_entries SET sequence = ${one.sequence} WHERE audit_id = ${other.auditId}`,
      sql`UPDATE audit_entries SET sequence = ${other.sequence} WHERE audit_id = ${one.auditId}`,
    );
    expect((await verify()).fault).toMatchObject({ chainId: one.chainId, sequence: 2, auditId: other.auditId });
  });

  test('an inserted entry is found, within and after the end', async () => {
    const [chain] = await written(3);
    const last = at(chain, -1);
    const added = { ...last, auditId: 'aud_added', sequence: 4, previous: entryHash(last), target: 'invented' };
    const insertion = sql`INSERT INTO audit_entries (${entries.list}) VALUES (${entries.values(added)})`;
    await tamper(insertion);
    expect((await verify()).fault).toEqual({
      chainId: last.chainId,
      sequence: 4,
      auditId: 'aud_added',
      problem: expect.stringContaining('behind the end'),
    });
    await tamper(
      sql`UPDATE audit_entries SET sequence = 99 WHERE audit_id = ${last.auditId}`,
      sql`UPDATE audit_entries SET sequence = 3 WHERE audit_id = 'aud_added'`,
      sql`UPDATE audit_entries SET sequence = 4 WHERE audit_id = ${last.auditId}`,
      sql`UPDATE audit_chains SET sequence = 4 WHERE chain_id = ${last.chainId}`,
    );
    expect((await verify()).fault).toMatchObject({ chainId: last.chainId, sequence: 3, auditId: 'aud_added' });
  });

  test('a chain that was removed as a whole, alone or without its entries, is found', async () => {
    const [, second, third] = await written(2, 2, 2);
    const { chainId } = at(second, 0);
    await tamper(
      sql`DELETE FROM audit_entries WHERE chain_id = ${chainId}`,
      sql`DELETE FROM audit_chains WHERE chain_id = ${chainId}`,
    );
    expect((await verify()).fault).toMatchObject({
      chainId: at(third, 0).chainId,
      sequence: 0,
      problem: expect.stringContaining('chain number 2'),
    });
  });

  test('entries whose chain is missing are found', async () => {
    const [, second] = await written(2, 2);
    await tamper(sql`DELETE FROM audit_chains WHERE chain_id = ${at(second, 0).chainId}`);
    expect((await verify()).fault).toMatchObject({ ...faultAt(at(second, 0)).fault, problem: 'its chain is missing' });
  });

  test('the row of a chain that was set back, changed, or follows a missing entry is found', async () => {
    const [chain] = await written(3);
    const { chainId } = at(chain, 0);
    const original = { hash: entryHash(at(chain, -1)), sequence: 3 };
    const set = (hash: string, sequence: number) =>
      tamper(sql`UPDATE audit_chains SET hash = ${hash}, sequence = ${sequence} WHERE chain_id = ${chainId}`);
    await set(entryHash(at(chain, 1)), 2);
    expect((await verify()).fault).toMatchObject(faultAt(at(chain, 2)).fault);
    await set('0'.repeat(64), 3);
    expect((await verify()).fault).toMatchObject(faultAt(at(chain, 2)).fault);
    await set(original.hash, original.sequence);
    for (const follows of ['{', '{"chainId":"chn_none","sequence":1,"hash":"00"}']) {
      await tamper(sql`UPDATE audit_chains SET follows = ${follows} WHERE chain_id = ${chainId}`);
      expect((await verify()).fault).toMatchObject({ chainId, sequence: 0 });
    }
    await tamper(sql`UPDATE audit_chains SET follows = NULL, begun_at = 1 WHERE chain_id = ${chainId}`);
    expect((await verify()).fault).toMatchObject({
      chainId,
      sequence: 0,
      problem: expect.stringContaining('beginning'),
    });
  });

  test('a check of thousands of entries reads bounded pages, never the whole log', async () => {
    await written(30);
    let max = 0;
    let reads = 0;
    const verdict = await verifyAudit(
      {
        async query(text, values, options) {
          const rows = await database.query(text, values, options);
          max = Math.max(max, rows.length);
          reads += 1;
          return rows;
        },
      },
      { pageRows: 10 },
    );
    expect(verdict).toEqual({ chains: 1, entries: 30 });
    expect(max).toBe(10);
    expect(reads).toBeLessThan(15);
  });
});
