/** The composition root of `flowgate migrate-data`: opens both databases, copies, and reports. */

import { existsSync } from 'node:fs';
import { openDatabase } from '../bootstrap/open-storage.ts';
import { machine } from '../bootstrap/runtime.ts';
import { type MovedTable, moveData } from '../storage/move-data.ts';

export type Move = { readonly from: string; readonly to: string };

const sqlite = /^sqlite:(.+)$/;
const address = /^(sqlite:(?!:memory:|file:).+|postgres(ql)?:\/\/.+)$/;

/** Passes progress and result to `say`, line by line. Rejects with a sentence for the operator; copied rows remain, and running it again continues. */
export async function runMove({ from, to }: Move, say: (line: string) => void): Promise<readonly MovedTable[]> {
  for (const [name, text] of Object.entries({ from, to }))
    if (!address.test(text))
      throw new Error(`--${name} must be sqlite:<file> or postgres://<user>:<password>@<host>:<port>/<database>`);
  if (from === to) throw new Error('--from and --to are the same database');
  const file = sqlite.exec(from)?.[1];
  // Opening a missing file would create it, and an empty source would be copied successfully.
  if (file !== undefined && !existsSync(file)) throw new Error(`--from: there is no file ${file}`);

  await using opened = new AsyncDisposableStack();
  const open = async (database: string) => {
    const onTrouble = (reason: string | undefined) => say(reason ?? 'The database is available again.');
    const opening = openDatabase({ database, databaseConnections: 2, databaseTimeoutMs: 1_000 }, machine, onTrouble);
    return opened.adopt(await opening, (each) => each.close());
  };
  const source = await open(from);
  const target = await open(to);
  const moved = await moveData(source, target, {
    onProgress: ({ table, done, total }) => say(`${table}: ${done} of ${total}`),
  });
  for (const { table, rows, checksum } of moved) say(`${table}: ${rows} rows on both sides, SHA-256 ${checksum}`);
  say('Both databases are equal.');
  return moved;
}
