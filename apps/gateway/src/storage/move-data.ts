/** Copies all durable data from one database to another, of either engine, and then proves that both are equal. */

import type { Database, Row, SqlValue, Statement } from '@flowgate/sql/engine/database';
import { integerOf, textOf } from '@flowgate/sql/engine/row';
import type { Column, Table } from '@flowgate/sql/engine/table';
import { movedTables } from './storage-tables.ts';

export type MoveProgress = { readonly table: string; readonly done: number; readonly total: number };

/** `checksum` is the SHA-256, in hex, of all rows in the order of their keys. It is equal on both sides. */
export type MovedTable = { readonly table: string; readonly rows: number; readonly checksum: string };

export type MoveOptions = {
  /** Rows in one read and one transaction; default 200. */
  readonly batchRows?: number;
  readonly onProgress?: (progress: MoveProgress) => void;
};

/** Copying cannot make the two databases equal. The message is for the operator. */
export class MoveRefused extends Error {
  override name = 'MoveRefused';
}

const deadlineMs = 30_000;
/** The most bytes of text in one batch, not counting its last row. */
const batchBytes = 4_194_304;

/**
 * Every batch is one transaction and writes only what the target lacks, so the operator simply starts an interrupted run again. Never deletes anything. Throws
 * `MoveRefused` when the target has rows that the source lacks, or when the source changed meanwhile. Throws `Unavailable` when a database cannot be reached.
 */
export async function moveData(
  from: Database,
  to: Database,
  options: MoveOptions = {},
): Promise<readonly MovedTable[]> {
  const { batchRows = 200, onProgress = () => {} } = options;
  for (const table of movedTables) await refuseStrangers(table, from, to, batchRows);
  for (const table of movedTables) {
    const total = await countOf(table, from);
    let done = 0;
    for await (const batch of batchesOf(table, from, batchRows)) {
      await copyMissing(table, batch, to);
      done += batch.length;
      onProgress({ table: table.name, done, total });
    }
  }
  // Tables are compared after the last copy: a table that was compared earlier could change while others are copied.
  const moved: MovedTable[] = [];
  for (const table of movedTables) moved.push(await proveEqual(table, from, to, batchRows));
  return moved;
}

/** Values in the order of `columnsOf`. */
type Values = readonly [key: string, ...rest: SqlValue[]];

/** The primary key is the first column. */
function columnsOf({ primaryKey, columns }: Table): readonly Column[] {
  const all = Object.values(columns);
  return [...all.filter(({ name }) => name === primaryKey), ...all.filter(({ name }) => name !== primaryKey)];
}

function listOf(table: Table): string {
  return columnsOf(table)
    .map(({ name }) => name)
    .join(', ');
}

/** As stored: JSON stays text. */
function valuesOf(table: Table, row: Row): Values {
  const [, ...others] = columnsOf(table);
  return [textOf(row, table.primaryKey), ...others.map(({ name, type }) => storedValueOf(row, name, type))];
}

function storedValueOf(row: Row, name: string, type: Column['type']): SqlValue {
  if (row[name] === null) return null;
  return type === 'TEXT' ? textOf(row, name) : integerOf(row, name);
}

/**
 * Every engine compares texts by their bytes, so both databases return the same order. A batch ends with the row that exceeds its bytes; the query computes
 * lengths without reading the texts.
 */
async function* batchesOf(table: Table, database: Database, batchRows: number): AsyncGenerator<readonly Values[]> {
  const { name, primaryKey: key } = table;
  const texts = columnsOf(table).filter((column) => column.type === 'TEXT' && column.name !== key);
  const size = texts.map((column) => `COALESCE(octet_length(${column.name}), 0)`).join(' + ') || '0';
  const select = (from: string) => `WITH sized AS (
      SELECT ${key}, ${size} AS size FROM ${name} ${from} ORDER BY ${key} LIMIT ?
    ), placed AS (SELECT ${key} AS placed_key, SUM(size) OVER (ORDER BY ${key}) - size AS before FROM sized)
    SELECT ${listOf(table)} FROM placed JOIN ${name} ON ${key} = placed_key WHERE before <= ? ORDER BY ${key}`;
  let after: string | undefined;
  for (;;) {
    const rows =
      after === undefined
        ? await database.query(select(''), [batchRows, batchBytes], { deadlineMs })
        : await database.query(select(`WHERE ${key} > ?`), [after, batchRows, batchBytes], { deadlineMs });
    const batch = rows.map((row) => valuesOf(table, row));
    after = batch.at(-1)?.[0];
    if (after === undefined) return;
    yield batch;
  }
}

async function* keysOf(
  { name, primaryKey: key }: Table,
  database: Database,
  batchRows: number,
): AsyncGenerator<readonly string[]> {
  for (let after = ''; ; ) {
    const text = `SELECT ${key} FROM ${name} WHERE ${key} > ? ORDER BY ${key} LIMIT ?`;
    const keys = (await database.query(text, [after, batchRows], { deadlineMs })).map((row) => textOf(row, key));
    const last = keys.at(-1);
    if (last === undefined) return;
    yield keys;
    after = last;
  }
}

async function keysAmong(
  { name, primaryKey: key }: Table,
  keys: readonly string[],
  database: Database,
): Promise<Set<string>> {
  const text = `SELECT ${key} FROM ${name} WHERE ${key} IN (${keys.map(() => '?').join(', ')})`;
  return new Set((await database.query(text, keys, { deadlineMs })).map((row) => textOf(row, key)));
}

/** The rows with a batch's keys. They are as large as the rows of the batch, or are about to be replaced by them. */
async function rowsUnder(table: Table, keys: readonly string[], database: Database): Promise<Map<string, Values>> {
  const text = `SELECT ${listOf(table)} FROM ${table.name} WHERE ${table.primaryKey} IN (${keys.map(() => '?').join(', ')})`;
  const rows = await database.query(text, keys, { deadlineMs });
  return new Map(rows.map((row) => valuesOf(table, row)).map((values) => [values[0], values]));
}

async function refuseStrangers(table: Table, from: Database, to: Database, batchRows: number): Promise<void> {
  for await (const keys of keysOf(table, to, batchRows)) {
    const known = await keysAmong(table, keys, from);
    const strangers = keys.filter((key) => !known.has(key)).length;
    if (strangers > 0)
      throw new MoveRefused(
        `the target's table ${table.name} contains rows that the source does not have: it is not an empty database, nor one that this source was being copied to`,
      );
  }
}

async function copyMissing(table: Table, batch: readonly Values[], to: Database): Promise<void> {
  const present = await rowsUnder(
    table,
    batch.map(([key]) => key),
    to,
  );
  const missing = batch.filter((values) => JSON.stringify(present.get(values[0])) !== JSON.stringify(values));
  if (missing.length > 0) await to.transaction([upsert(table, missing)], { deadlineMs });
}

function upsert(table: Table, rows: readonly Values[]): Statement {
  const [, ...others] = columnsOf(table);
  const row = `(?${', ?'.repeat(others.length)})`;
  const updates = others.map(({ name }) => `${name} = excluded.${name}`);
  return {
    text: `INSERT INTO ${table.name} (${listOf(table)}) VALUES ${rows.map(() => row).join(', ')}
      ON CONFLICT (${table.primaryKey}) DO UPDATE SET ${updates.join(', ')}`,
    values: rows.flat(),
  };
}

async function countOf({ name }: Table, database: Database): Promise<number> {
  const [row] = await database.query(`SELECT COUNT(*) AS rows FROM ${name}`, [], { deadlineMs });
  if (row === undefined) throw new Error('a count without a row');
  return integerOf(row, 'rows');
}

async function proveEqual(table: Table, from: Database, to: Database, batchRows: number): Promise<MovedTable> {
  const [source, target] = await Promise.all([summaryOf(table, from, batchRows), summaryOf(table, to, batchRows)]);
  if (source.checksum !== target.checksum || source.rows !== target.rows)
    throw new MoveRefused(
      `table ${table.name} differs after copying (${source.rows} rows here, ${target.rows} there): the source is still being written to; stop every gateway on it and run this again`,
    );
  return target;
}

async function summaryOf(table: Table, database: Database, batchRows: number): Promise<MovedTable> {
  const hash = new Bun.CryptoHasher('sha256');
  let rows = 0;
  for await (const batch of batchesOf(table, database, batchRows)) {
    for (const values of batch) hash.update(`${JSON.stringify(values)}\n`);
    rows += batch.length;
  }
  return { table: table.name, rows, checksum: hash.digest('hex') };
}
