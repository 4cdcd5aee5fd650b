/** A process of its own that copies one database into another, a few rows at a time, and says how far it is: `bun copy-in-child.ts <from> <to>`. */

import { copyDatabase } from '../../src/stores/sql/copy-database.ts';
import { openAddress } from './open-address.ts';

const [from = '', to = ''] = process.argv.slice(2);
const onProgress = ({ table, copied }: { table: string; copied: number }) =>
  process.stdout.write(`${table} ${copied}\n`);
await copyDatabase(await openAddress(from), await openAddress(to), { batch: 5, onProgress });
