/** Checks that `docs/storage.md` matches the schema and the set-up that it describes. */

import { Database as Sqlite } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@flowgate/base/clock';
import { openSqliteDatabase } from '@flowgate/sql/engine/sqlite/sqlite-database';
import { applicationId, pragmas } from '@flowgate/sql/engine/sqlite/sqlite-pragmas';
import { schema } from './storage-schema.ts';

const page = await Bun.file(join(import.meta.dir, '../../../../docs/storage.md')).text();

/** The cells of the table that follows this heading row. */
function rowsUnder(heading: string): string[][] {
  const lines = page.split('\n');
  const rows: string[][] = [];
  for (const line of lines.slice(lines.indexOf(heading) + 2)) {
    if (!line.startsWith('|')) break;
    rows.push(
      line
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim().replaceAll('`', '')),
    );
  }
  return rows;
}

/** `bin_00 … bin_39` stands for forty columns. */
function columnsIn(cell: string): readonly string[] {
  const numbered = /^([a-z]+_)(\d\d) … \1(\d\d)$/.exec(cell);
  if (numbered === null) return [cell];
  const [, name = '', first = '', last = ''] = numbered;
  return Array.from(
    { length: Number(last) - Number(first) + 1 },
    (_, at) => `${name}${String(Number(first) + at).padStart(2, '0')}`,
  );
}

test('the page lists every table and column, and no other', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'flowgate-docs-'));
  const file = join(directory, 'flowgate.db');
  await (await openSqliteDatabase({ schema, file, clock: systemClock })).close();
  const connection = new Sqlite(file);
  const columns = connection
    .query<{ name: string }, []>(
      `SELECT tables.name || '.' || columns.name AS name FROM sqlite_schema AS tables, pragma_table_info(tables.name) AS columns
       WHERE tables.type = 'table' AND tables.name NOT LIKE 'sqlite_%'`,
    )
    .all();
  connection.close();
  rmSync(directory, { recursive: true });
  const documented = rowsUnder('| table | column | meaning |').flatMap(([table, column = '']) =>
    columnsIn(column).map((each) => `${table}.${each}`),
  );
  expect(documented.sort()).toEqual(columns.map(({ name }) => name).sort());
});

test('the page lists every pragma with its value and reason, in order', () => {
  expect(rowsUnder('| pragma | value | why |')).toEqual(
    pragmas.map(({ name, value, reason }) => [name, value, reason]),
  );
  expect(page).toContain(`\`0x${applicationId.toString(16)}\``);
});
