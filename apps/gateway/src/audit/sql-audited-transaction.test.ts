import { afterEach, beforeEach, expect, test } from 'bun:test';
import { Unavailable } from '@flowgate/base/unavailable';
import type { Database, Statement } from '@flowgate/sql/engine/database';
import { integerOf, textOf } from '@flowgate/sql/engine/row';
import { sql } from '@flowgate/sql/engine/sql-text';
import { selection } from '@flowgate/sql/engine/table';
import { auditedOn, auditNote } from '../../test/fixtures/audited.ts';
import { patientDeadlineMs } from '../../test/fixtures/open-address.ts';
import { type OpenedEngine, onEveryEngine } from '../../test/fixtures/sql-engines.ts';
import { auditChainsTable, auditEntriesTable } from './audit-tables.ts';
import { maxChains } from './sql-audit-writer.ts';
import type { AuditedTransaction } from './sql-audited-transaction.ts';
import { type AuditEntry, chainHash, entryHash } from './sql-entry-hash.ts';

const entries = selection(auditEntriesTable);
const chains = selection(auditChainsTable);

/** `outbox_lanes` represents any table with an id and a number. */
const insert = (id: string, items = 0): Statement =>
  sql`INSERT INTO outbox_lanes (id, items, bytes) VALUES (${id}, ${items}, 0) ON CONFLICT (id) DO NOTHING RETURNING id`;
const raise = (id: string, from: number): Statement =>
  sql`UPDATE outbox_lanes SET items = items + 1 WHERE id = ${id} AND items = ${from} RETURNING id`;
const remove = (id: string): Statement => sql`DELETE FROM outbox_lanes WHERE id = ${id} RETURNING id`;

/** The error of the call. */
async function failure(call: Promise<unknown>): Promise<unknown> {
  const [outcome] = await Promise.allSettled([call]);
  return outcome.status === 'rejected' ? outcome.reason : undefined;
}

onEveryEngine((engine, open) => {
  let opened: OpenedEngine;
  let database: Database;
  let audited: AuditedTransaction;
  beforeEach(async () => {
    opened = await open();
    database = opened.database;
    audited = auditedOn(database, patientDeadlineMs);
  });
  afterEach(() => opened.close());

  async function log(): Promise<readonly AuditEntry[]> {
    const { text, values } = sql`SELECT ${entries.list} FROM audit_entries ORDER BY chain_id, sequence`;
    return (await database.query(text, values)).map(entries.read);
  }

  /** Each chain's entries count from one, each contains the hash of the previous one, and the chain's row identifies the last. */
  async function expectChained(): Promise<void> {
    const { text, values } = sql`SELECT ${chains.list} FROM audit_chains ORDER BY number`;
    const all = (await database.query(text, values)).map(chains.read);
    expect(all.map(({ number }) => number)).toEqual(all.map((_, at) => at + 1));
    const every = await log();
    for (const chain of all) {
      const own = every.filter(({ chainId }) => chainId === chain.chainId);
      let previous = chainHash(chain);
      for (const [at, entry] of own.entries()) {
        expect([entry.sequence, entry.previous]).toEqual([at + 1, previous]);
        previous = entryHash(entry);
      }
      expect([chain.sequence, chain.hash]).toEqual([own.length, own.length === 0 ? '' : previous]);
    }
    expect(all.reduce((sum, { sequence }) => sum + sequence, 0)).toBe(every.length);
  }

  test('an executed action has one entry with all members of its note, and a refused one has none', async () => {
    const note = auditNote({
      target: 'a',
      details: { label: 'Ünïcödé 🔑 \u0000', shared: true, count: 2, list: ['x'] },
    });
    expect(await audited([insert('a')], { note, done: 0 })).toEqual([[{ id: 'a' }]]);
    expect(await audited([insert('a')], { note, done: 0 })).toEqual([[]]);
    const [entry, ...others] = await log();
    expect(others).toEqual([]);
    expect(entry).toMatchObject({
      sequence: 1,
      actor: 'alice',
      via: 'token',
      action: 'key.created',
      target: 'a',
      requestId: 'req_1',
      details: JSON.stringify(note.details),
    });
    await expectChained();
  });

  test('insertions, updates and deletions are detected by the rows that they return, regardless of other statements', async () => {
    const note = auditNote();
    const before = sql`SELECT id FROM outbox_lanes WHERE id = ${'a'}`;
    const rows = await audited([before, insert('a'), before, insert('other')], { note, done: 1 });
    expect(rows).toEqual([[], [{ id: 'a' }], [{ id: 'a' }], [{ id: 'other' }]]);
    expect(await audited([raise('a', 0), before], { note, done: 0 })).toEqual([[{ id: 'a' }], [{ id: 'a' }]]);
    expect(await audited([raise('a', 0), insert('b')], { note, done: 0 })).toEqual([[], [{ id: 'b' }]]);
    expect(await audited([remove('a')], { note, done: 0 })).toEqual([[{ id: 'a' }]]);
    expect(await audited([remove('a')], { note, done: 0 })).toEqual([[]]);
    const done = sql`SELECT 1 AS one FROM outbox_lanes WHERE id = ${'c'}`;
    expect(await audited([insert('c')], { note, done })).toEqual([[{ id: 'c' }]]);
    expect(await audited([insert('d')], { note, done: sql`SELECT 1 AS one WHERE 1 = 0` })).toEqual([[{ id: 'd' }]]);
    expect(await log()).toHaveLength(4);
    await expectChained();
  });

  test('one of twenty concurrent equal actions, through two processes, is executed and audited', async () => {
    await database.transaction([insert('a')]);
    const other = auditedOn(opened.other, patientDeadlineMs);
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        (at % 2 === 0 ? audited : other)([raise('a', 0)], { note: auditNote(), done: 0 }),
      ),
    );
    expect(outcomes.filter(([rows = []]) => rows.length === 1)).toHaveLength(1);
    expect(await log()).toHaveLength(1);
    await expectChained();
  });

  test('many concurrent actions, some without effect and some invalid, leave unbroken chains, at most the maximum for a process', async () => {
    const wrong: Statement = { text: 'INSERT INTO outbox_lanes (id) VALUES (NULL) RETURNING id', values: [] };
    const outcomes = await Promise.allSettled(
      Array.from({ length: 5 * maxChains }, (_, at) =>
        audited([at % 7 === 0 ? wrong : insert(`${at % 100}`)], { note: auditNote({ target: `${at}` }), done: 0 }),
      ),
    );
    const done = outcomes.filter((each) => each.status === 'fulfilled' && each.value[0]?.length === 1);
    expect(await log()).toHaveLength(done.length);
    const [row = {}] = await database.query('SELECT COUNT(*) AS chains FROM audit_chains', []);
    expect(integerOf(row, 'chains')).toBeLessThanOrEqual(maxChains);
    await expectChained();
  });

  test('consecutive actions are in one chain, and another process begins its own', async () => {
    for (const id of ['a', 'b', 'c']) await audited([insert(id)], { note: auditNote(), done: 0 });
    await auditedOn(opened.other, patientDeadlineMs)([insert('d')], { note: auditNote(), done: 0 });
    expect((await log()).map(({ sequence }) => sequence).sort()).toEqual([1, 1, 2, 3]);
    await expectChained();
  });

  test('a false condition changes nothing and adds no entry', async () => {
    const onlyIf = sql`SELECT 1 AS one WHERE 1 = 0`;
    expect(await audited([insert('a')], { note: auditNote(), done: 0 }, { onlyIf })).toEqual([]);
    expect(await log()).toEqual([]);
    await expectChained();
  });

  test('an entry that cannot be written fails its action', async () => {
    const [refuse, allow] =
      engine === 'SQLite'
        ? [
            `CREATE TRIGGER refuse BEFORE INSERT ON audit_entries WHEN NEW.actor = 'eve' BEGIN SELECT RAISE(ABORT, 'no'); END`,
            'DROP TRIGGER refuse',
          ]
        : [
            "ALTER TABLE audit_entries ADD CONSTRAINT refuse CHECK (actor <> 'eve')",
            'ALTER TABLE audit_entries DROP CONSTRAINT refuse',
          ];
    const eve = auditNote({ actor: { userId: 'eve', via: 'token', requestId: 'req_2' } });
    await database.transaction([{ text: refuse, values: [] }]);
    for (const done of [0, sql`SELECT 1 AS one`])
      expect(await failure(audited([insert('a')], { note: eve, done }))).toBeInstanceOf(Error);
    expect(await database.query('SELECT id FROM outbox_lanes', [])).toEqual([]);
    await database.transaction([{ text: allow, values: [] }]);
    await audited([insert('a')], { note: eve, done: 0 });
    await expectChained();
  });

  test('the database refuses to change, delete or empty entries', async () => {
    await audited([insert('a')], { note: auditNote(), done: 0 });
    const attempts = ["UPDATE audit_entries SET actor = 'eve'", 'DELETE FROM audit_entries'];
    if (engine === 'PostgreSQL') attempts.push('TRUNCATE audit_entries');
    for (const text of attempts)
      expect(String(await failure(database.transaction([{ text, values: [] }])))).toContain('append-only');
    expect(await log()).toHaveLength(1);
  });

  /** Commits, and then reports that there was no answer. */
  function losingAnswers(lose: () => boolean): Pick<Database, 'dialect' | 'transaction'> & { undos: Statement[][] } {
    const undos: Statement[][] = [];
    return {
      dialect: database.dialect,
      undos,
      async transaction(statements, options) {
        const rows = await database.transaction(statements, options);
        if (!lose()) return rows;
        if (options?.undo !== undefined) undos.push([...options.undo]);
        throw new Unavailable('database', 'no answer');
      },
    };
  }

  test('after an unknown outcome the process begins a new chain that names the last certain entry, and leaves the uncertain entry unchanged', async () => {
    let lose = false;
    const uncertain = auditedOn(losingAnswers(() => lose));
    await uncertain([insert('a')], { note: auditNote(), done: 0 });
    lose = true;
    expect(await failure(uncertain([insert('b')], { note: auditNote(), done: 0 }))).toBeInstanceOf(Unavailable);
    lose = false;
    await uncertain([insert('c')], { note: auditNote(), done: 0 });
    const all = await log();
    expect(all.map(({ sequence }) => sequence).sort()).toEqual([1, 1, 2]);
    const [first] = all.filter(
      ({ chainId, sequence }) =>
        sequence === 1 && all.some((other) => other.chainId === chainId && other.sequence === 2),
    );
    const [, second = {}] = await database.query('SELECT follows FROM audit_chains ORDER BY number', []);
    if (first === undefined) throw new Error('no first entry');
    expect(JSON.parse(textOf(second, 'follows'))).toEqual({
      chainId: first.chainId,
      sequence: 1,
      hash: entryHash(first),
    });
    await expectChained();
  });

  test('the compensation of an action adds one entry, also when it runs twice', async () => {
    const uncertain = losingAnswers(() => true);
    const undo = [sql`DELETE FROM outbox_lanes WHERE id = ${'a'}`];
    const attempt = auditedOn({
      ...uncertain,
      transaction: (statements, options) =>
        options?.undo === undefined
          ? database.transaction(statements, options)
          : uncertain.transaction(statements, options),
    })([insert('a')], { note: auditNote({ target: 'a' }), done: 0 }, { undo });
    expect(await failure(attempt)).toBeInstanceOf(Unavailable);
    const [undos = []] = uncertain.undos;
    expect(undos.length).toBeGreaterThan(1);
    // The answer to a compensation can be lost as well: then it runs again.
    for (let times = 0; times < 3; times++) await database.transaction(undos);
    expect(await database.query('SELECT id FROM outbox_lanes', [])).toEqual([]);
    const [entry, compensated, ...more] = await log();
    expect(more).toEqual([]);
    expect(compensated).toMatchObject({
      sequence: 2,
      actor: 'alice',
      via: 'system',
      action: 'action.undone',
      target: 'a',
    });
    expect(JSON.parse(compensated?.details ?? '')).toEqual({ auditId: entry?.auditId ?? '', action: 'key.created' });
    await expectChained();
  });

  test('the compensation of an action that was not executed adds no entry', async () => {
    let undos: readonly Statement[] = [];
    const lost = auditedOn({
      dialect: database.dialect,
      async transaction(statements, options) {
        if (options?.undo === undefined) return database.transaction(statements, options);
        undos = options.undo;
        throw new Unavailable('database', 'no answer');
      },
    });
    const undo = [sql`DELETE FROM outbox_lanes WHERE id = ${'a'}`];
    expect(await failure(lost([insert('a')], { note: auditNote(), done: 0 }, { undo }))).toBeInstanceOf(Unavailable);
    await database.transaction(undos);
    expect(await log()).toEqual([]);
    await expectChained();
  });

  test('a database restored from a backup gets a new chain, and the action is executed', async () => {
    await audited([insert('a')], { note: auditNote(), done: 0 });
    await database.transaction([{ text: 'UPDATE audit_chains SET sequence = 0', values: [] }]);
    expect(await audited([insert('b')], { note: auditNote(), done: 0 })).toEqual([[{ id: 'b' }]]);
    const [row = {}] = await database.query('SELECT COUNT(*) AS chains FROM audit_chains', []);
    expect(integerOf(row, 'chains')).toBe(2);
  });

  test('texts and lists of a note are cut to the maximum of an entry', async () => {
    const note = auditNote({
      details: { label: 'x'.repeat(10_000), list: Array.from({ length: 1_000 }, () => 'y'.repeat(10_000)) },
    });
    await audited([insert('a')], { note, done: 0 });
    const [entry] = await log();
    expect(entry?.details.length).toBeLessThan(60_000);
    await expectChained();
  });
});
