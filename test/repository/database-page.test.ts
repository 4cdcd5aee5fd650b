/** `docs/reference/database.md` lists tables, columns, indexes, SQLite settings and the bounds of all statements. */

import { Database as Sqlite } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@flowgate/base/clock';
import { openSqliteDatabase } from '@flowgate/sql/engine/sqlite/sqlite-database';
import { pragmas } from '@flowgate/sql/engine/sqlite/sqlite-pragmas';
import { parse } from 'yaml';
import { schema } from '../../apps/gateway/src/storage/storage-schema.ts';
import { expectPage, referencePage, table } from './doc-pages.ts';
import { type Place, statementPlaces } from './sql-texts.ts';
import { statementBounds } from './statement-bounds.ts';

type Comments = Readonly<Record<string, Readonly<Record<string, string>>>>;
type Column = { readonly name: string; readonly type: string; readonly notnull: number; readonly pk: number };
type Index = { readonly name: string; readonly sql: string };
type TableShape = { readonly name: string; readonly columns: readonly Column[]; readonly indexes: readonly Index[] };

const comments: Comments = parse(await Bun.file(join(import.meta.dir, 'database-comments.yaml')).text());

/** The tables of a new database, sorted by name. */
async function tableShapes(): Promise<readonly TableShape[]> {
  const directory = mkdtempSync(join(tmpdir(), 'flowgate-docs-'));
  const file = join(directory, 'flowgate.db');
  await (await openSqliteDatabase({ schema, file, clock: systemClock })).close();
  const connection = new Sqlite(file);
  const shapes = connection
    .query<{ name: string }, []>(
      `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name`,
    )
    .all()
    .map(({ name }) => ({
      name,
      columns: connection.query<Column, [string]>('SELECT * FROM pragma_table_info(?)').all(name),
      indexes: connection
        .query<Index, [string]>(
          `SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND tbl_name = ? AND sql IS NOT NULL ORDER BY name`,
        )
        .all(name),
    }));
  connection.close();
  rmSync(directory, { recursive: true });
  return shapes;
}

function tableText({ name, columns, indexes }: TableShape): string {
  const rows = withoutNumbered(columns).map(({ name: column, type, notnull, pk }) => [
    `\`${column}\``,
    `${type}${pk > 0 ? ', key' : notnull === 0 ? ', NULL' : ''}`,
    comments[name]?.[column.replace(/ .*/, '')] ?? '',
  ]);
  const indexLines = indexes.map((index) => `- ${indexText(index)}`);
  return [
    `### ${name}`,
    comments[name]?.['about'] ?? '',
    table(['column', 'type', 'comment'], rows),
    ...(indexLines.length === 0 ? [] : [`Indexes:\n\n${indexLines.join('\n')}`]),
  ].join('\n\n');
}

/** Combines `bin_00` to `bin_39` into one row. */
function withoutNumbered(columns: readonly Column[]): readonly Column[] {
  const last = columns.findLast(({ name }) => name.startsWith('bin_'))?.name;
  return columns
    .filter(({ name }) => !/^bin_(?!00)/.test(name))
    .map((column) => (column.name === 'bin_00' ? { ...column, name: `bin_00 … ${last}` } : column));
}

function indexText({ name, sql }: Index): string {
  const flat = sql.replaceAll(/\s+/g, ' ');
  const shape = / ON \w+ ?(.*)$/.exec(flat)?.[1];
  return `\`${name}\`${flat.startsWith('CREATE UNIQUE') ? ' (unique)' : ''}: \`${shape}\``;
}

function boundRow({ place, statements }: Place): readonly string[] {
  const [file = '', name = ''] = place.split(' ');
  const bound = statementBounds[file]?.[name];
  return [`\`${file}\` \`${name}\``, statements.join(' '), bound?.rows ?? '', bound?.bytes ?? ''];
}

test('every comment belongs to a table or column, and every table has a comment', async () => {
  const shapes = await tableShapes();
  const known = shapes.flatMap(({ name, columns }) => [
    `${name}.about`,
    ...columns.map((each) => `${name}.${each.name}`),
  ]);
  const commented = Object.entries(comments).flatMap(([name, members]) =>
    Object.keys(members).map((each) => `${name}.${each}`),
  );
  expect(commented.filter((each) => !known.includes(each))).toEqual([]);
  expect(shapes.filter(({ name }) => !comments[name]?.['about']).map(({ name }) => name)).toEqual([]);
});

test('the page is generated from the schema, the SQLite settings and the bounds of all statements', async () => {
  const places = (await statementPlaces()).toSorted((one, other) => (one.place < other.place ? -1 : 1));
  await expectPage(
    'reference/database.md',
    referencePage(
      'Database',
      '[Storage](../concepts/storage.md) explains the concepts.',
      '## Tables',
      'Times are milliseconds since the Unix epoch unless the comment names another unit. Types are the same in SQLite and PostgreSQL. Digests are hexadecimal text.',
      ...(await tableShapes()).map(tableText),
      '## SQLite settings',
      table(
        ['pragma', 'value', 'reason'],
        pragmas.map(({ name, value, reason }) => [`\`${name}\``, `\`${value}\``, reason]),
      ),
      '## Bounds of statements',
      'Each SQL statement and Redis command by file and function, with its maximum number of rows and bytes. `limit` is an argument of the function.',
      table(['function', 'statements', 'rows', 'bytes'], places.map(boundRow)),
    ),
  );
});
