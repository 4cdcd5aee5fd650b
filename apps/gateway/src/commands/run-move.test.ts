import { afterEach, beforeEach, expect, test } from 'bun:test';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@flowgate/base/clock';
import { openSqliteDatabase } from '@flowgate/sql/engine/sqlite/sqlite-database';
import { schema } from '../storage/storage-schema.ts';
import { runMove } from './run-move.ts';

let directory: string;
const at = (name: string) => join(directory, name);

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'flowgate-move-'));
  await (await openSqliteDatabase({ schema, file: at('from.db'), clock: systemClock })).close();
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

/** The files that an orderly end leaves of a database: its own and its reserve file, and no log. */
const closed = (name: string) => [name, `${name}-reserve`];

test('both databases are closed when the copy is done, and every line was said', async () => {
  const said: string[] = [];
  const moved = await runMove({ from: `sqlite:${at('from.db')}`, to: `sqlite:${at('to.db')}` }, (line) =>
    said.push(line),
  );
  expect(moved.length).toBeGreaterThan(5);
  expect(said.at(-1)).toBe('Both databases are equal.');
  expect(readdirSync(directory).sort()).toEqual([...closed('from.db'), ...closed('to.db')]);
});

test('a target that cannot be opened is named, and the source is closed all the same', async () => {
  writeFileSync(at('other.db'), 'this is no database, and long enough to be looked at as one');
  const move = runMove({ from: `sqlite:${at('from.db')}`, to: `sqlite:${at('other.db')}` }, () => {});
  await expect(move).rejects.toThrow('other.db');
  expect(
    readdirSync(directory)
      .filter((name) => name.startsWith('from.db'))
      .sort(),
  ).toEqual(closed('from.db'));
});
