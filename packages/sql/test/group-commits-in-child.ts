/**
 * A process that commits in groups and prints the acknowledged ids, until it is killed: `bun group-commits-in-child.ts
 * <file>`. For `sqlite-group-commit.test.ts`.
 */

import { systemClock } from '@flowgate/base/clock';
import { openSqliteDatabase } from '../src/engine/sqlite/sqlite-database.ts';
import { groupSchema } from './group-schema.ts';

const [file = ''] = process.argv.slice(2);
const database = await openSqliteDatabase({ schema: groupSchema, file, clock: systemClock, deadlineMs: 20_000 });

const insert = (id: string) => ({ text: 'INSERT INTO stored (id, n) VALUES (?, 1)', values: [id] });

/**
 * Each transaction writes two rows, so that a single row shows a half-done transaction. Every third transaction need
 * not survive a power failure, but it survives the end of the process.
 */
async function writer(name: number): Promise<void> {
  for (let at = 0; ; at++) {
    const id = `${name}-${at}`;
    await database.transaction([insert(`${id}-a`), insert(`${id}-b`)], { isLostWithPower: at % 3 === 0 });
    process.stdout.write(`${id}\n`);
  }
}

await Promise.all(Array.from({ length: 16 }, (_, name) => writer(name)));
