/** The table of revisions. */

import { integer, table, text } from '../engine/table.ts';

export const revisionsTable = table('revisions', 'name', { name: text('name'), revision: integer('revision') });
