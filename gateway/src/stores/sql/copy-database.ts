/** Copies one database into another, engine to engine, so that a stop in the middle can be continued, and proves that nothing was lost or changed. */

import type { Database, Row, SqlValue, Statement } from './database.ts';
import { dataTables, UnusableDatabase } from './migrations.ts';
import { integerOf, textListOf, textOf } from './row.ts';

export type CopyProgress = { readonly table: string; readonly copied: number; readonly total: number };

export type CopyOptions = {
  /** Rows in one transaction; 500 unless told. */
  readonly batch?: number;
  readonly onProgress?: (progress: CopyProgress) => void;
};

/** `checksum`: SHA-256 over all rows in the order of their keys, the same on both sides. */
export type CopiedTable = { readonly table: string; readonly rows: number; readonly checksum: string };

type Table = { readonly name: string; readonly key: readonly string[] };

/** Where the copy stands, kept in the target and written with each batch, so that it cannot disagree with what is there. Dropped when the copy is verified. */
const progressTable = `CREATE TABLE IF NOT EXISTS data_copy (
  table_name TEXT NOT NULL PRIMARY KEY, source_id TEXT NOT NULL, copied BIGINT NOT NULL, last_key TEXT NOT NULL
)`;

/** Nobody waits for one of these calls. */
const patience = { deadlineMs: 60_000 };

/**
 * Nobody may write to either meanwhile. Throws `UnusableDatabase` when the target holds anything that this copy did not bring, or when both sides differ at the end;
 * `Unavailable` when a side is away: calling again goes on where it stopped.
 */
export async function copyDatabase(
  from: Database,
  to: Database,
  { batch = 500, onProgress = () => undefined }: CopyOptions = {},
): Promise<readonly CopiedTable[]> {
  const [source, target] = [await identityOf(from), await identityOf(to)];
  if (source === target) throw new UnusableDatabase('source and target are the same database');
  await to.transaction([{ text: progressTable, values: [] }], patience);
  await refuseOtherData(to, source);
  for (const table of dataTables) await copyTable(from, to, table, { source, batch, onProgress });
  const copied: CopiedTable[] = [];
  for (const table of dataTables) copied.push(await verify(from, to, table, batch));
  await to.transaction([{ text: 'DROP TABLE data_copy', values: [] }], patience);
  return copied;
}

async function refuseOtherData(to: Database, source: string): Promise<void> {
  const stands = await to.query('SELECT table_name, source_id, copied FROM data_copy', [], patience);
  if (stands.some((row) => row['source_id'] !== source))
    throw new UnusableDatabase('the target holds an unfinished copy of another database');
  const brought = new Map(stands.map((row) => [textOf(row, 'table_name'), integerOf(row, 'copied')]));
  for (const { name } of dataTables)
    if ((await countOf(to, name)) !== (brought.get(name) ?? 0))
      throw new UnusableDatabase(`the target already has data in ${name}: copy into an empty database`);
}

async function copyTable(
  from: Database,
  to: Database,
  table: Table,
  { source, batch, onProgress }: Required<CopyOptions> & { readonly source: string },
): Promise<void> {
  const total = await countOf(from, table.name);
  let { copied, lastKey } = await standOf(to, table);
  onProgress({ table: table.name, copied, total });
  for (;;) {
    const rows = await rowsAfter(from, table, lastKey, batch);
    const last = rows.at(-1);
    if (last === undefined) return;
    lastKey = keyOf(last, table);
    copied += rows.length;
    await to.transaction([insertAll(table.name, rows), standAt(table, source, copied, lastKey)], patience);
    onProgress({ table: table.name, copied, total });
  }
}

async function standOf(to: Database, { name }: Table): Promise<{ copied: number; lastKey?: readonly string[] }> {
  const [row] = await to.query('SELECT copied, last_key FROM data_copy WHERE table_name = ?', [name], patience);
  return row === undefined ? { copied: 0 } : { copied: integerOf(row, 'copied'), lastKey: textListOf(row, 'last_key') };
}

function standAt({ name }: Table, source: string, copied: number, lastKey: readonly string[]): Statement {
  return {
    text: `INSERT INTO data_copy (table_name, source_id, copied, last_key) VALUES (?, ?, ?, ?)
      ON CONFLICT (table_name) DO UPDATE SET copied = excluded.copied, last_key = excluded.last_key`,
    values: [name, source, copied, JSON.stringify(lastKey)],
  };
}

function insertAll(table: string, rows: readonly Row[]): Statement {
  const columns = Object.keys(rows[0] ?? {});
  const marks = `(${columns.map(() => '?').join(', ')})`;
  return {
    text: `INSERT INTO ${table} (${columns.join(', ')}) VALUES ${rows.map(() => marks).join(', ')}`,
    values: rows.flatMap((row) => columns.map((column) => sqlValueOf(row[column]))),
  };
}

/** Both engines compare text by its bytes, so both have the same order. */
function rowsAfter(database: Database, { name, key }: Table, after: readonly string[] | undefined, limit: number) {
  const columns = key.join(', ');
  const beyond = after === undefined ? '' : `WHERE (${columns}) > (${after.map(() => '?').join(', ')})`;
  const text = `SELECT * FROM ${name} ${beyond} ORDER BY ${columns} LIMIT ?`;
  return database.query(text, [...(after ?? []), limit], patience);
}

async function verify(from: Database, to: Database, table: Table, batch: number): Promise<CopiedTable> {
  const [source, target] = await Promise.all([summaryOf(from, table, batch), summaryOf(to, table, batch)]);
  if (source.rows !== target.rows)
    throw new UnusableDatabase(`${table.name} has ${source.rows} rows in the source and ${target.rows} in the target`);
  if (source.checksum !== target.checksum)
    throw new UnusableDatabase(`${table.name} differs between source and target: was one of them written to?`);
  return target;
}

async function summaryOf(database: Database, table: Table, batch: number): Promise<CopiedTable> {
  const hash = new Bun.CryptoHasher('sha256');
  let count = 0;
  let after: readonly string[] | undefined;
  for (;;) {
    const rows = await rowsAfter(database, table, after, batch);
    const last = rows.at(-1);
    if (last === undefined) return { table: table.name, rows: count, checksum: hash.digest('hex') };
    for (const row of rows) hash.update(`${canonical(row)}\n`);
    count += rows.length;
    after = keyOf(last, table);
  }
}

/** The columns in the order of their names, whatever an engine's; whole numbers as decimal text, as one engine has them. */
function canonical(row: Row): string {
  const columns = Object.keys(row).sort();
  return JSON.stringify(columns.map((column) => [column, row[column] === null ? null : String(row[column])]));
}

function keyOf(row: Row, { key }: Table): readonly string[] {
  return key.map((column) => textOf(row, column));
}

function sqlValueOf(value: unknown): SqlValue {
  if (value === null || typeof value === 'string' || typeof value === 'number') return value;
  if (typeof value === 'bigint') return String(value);
  throw new Error('a column holds something else than text and whole numbers');
}

async function identityOf(database: Database): Promise<string> {
  const [row] = await database.query('SELECT id FROM database_identity', [], patience);
  return row === undefined ? '' : textOf(row, 'id');
}

async function countOf(database: Database, table: string): Promise<number> {
  const [row] = await database.query(`SELECT COUNT(*) AS count FROM ${table}`, [], patience);
  return row === undefined ? 0 : integerOf(row, 'count');
}
