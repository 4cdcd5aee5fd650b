import { expect, test } from 'bun:test';
import { onEveryEngine } from '../../../../apps/gateway/test/fixtures/sql-engines.ts';
import type { Row } from '../engine/database.ts';
import { integerOf } from '../engine/row.ts';
import { sql } from '../engine/sql-text.ts';
import { bumpRevision, readRevision, revisionOf } from './revisions.ts';

const changesOf = (rows: readonly Row[]) => rows.map((row) => integerOf(row, 'items')).sort((a, b) => a - b);

onEveryEngine((_, open) => {
  test('a revision begins at 0, each change raises only its own name, and a refused transaction raises none', async () => {
    const { database, other, close } = await open();
    expect(await readRevision(database, 'a')).toBe(0);
    await database.transaction([bumpRevision('a')]);
    await database.transaction([bumpRevision('a'), bumpRevision('b')]);
    expect([await readRevision(other, 'a'), await readRevision(other, 'b')]).toEqual([2, 1]);
    const broken = { text: 'INSERT INTO leases (name) VALUES (NULL)', values: [] };
    await expect(database.transaction([bumpRevision('a'), broken])).rejects.toThrow();
    expect(await readRevision(database, 'a')).toBe(2);
    await close();
  });

  test('each of forty concurrent changes has its own revision, and a reader that sees one sees every lower one', async () => {
    const { database, other, close } = await open();
    const write = (id: number) =>
      (id % 2 === 0 ? database : other).transaction([
        bumpRevision('a'),
        sql`INSERT INTO outbox_lanes (id, items, bytes) SELECT ${`change ${id}`}, ${revisionOf('a')}, 0`,
      ]);
    const writing = Promise.all(Array.from({ length: 40 }, (_, id) => write(id)));
    let done = false;
    void writing.then(() => {
      done = true;
    });
    while (!done) {
      const revision = await readRevision(other, 'a');
      const changes = changesOf(await other.query('SELECT items FROM outbox_lanes', []));
      expect(changes.slice(0, revision)).toEqual(Array.from({ length: revision }, (_, at) => at + 1));
    }
    expect(await readRevision(database, 'a')).toBe(40);
    await close();
  });
});
