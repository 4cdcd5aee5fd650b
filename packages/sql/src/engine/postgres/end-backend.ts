/** Terminates a server process that could still commit a call that the gateway has given up. */

import type { Database } from '../database.ts';
import { integerOf } from '../row.ts';
import type { Backend } from './postgres-session.ts';

/** Milliseconds for which the server waits until the process has ended; less than the deadline. */
const endingMs = 2_000;
const deadlineMs = 3_000;

/** Whether the process is gone: it has then committed or never will. A user may terminate its own processes. */
export async function endBackend(
  transaction: Database['transaction'],
  { pid, startedAtUs }: Backend,
): Promise<boolean> {
  const values = [pid, startedAtUs];
  const end = { text: `SELECT pg_terminate_backend(pid, ${endingMs}) ${fromBackend}`, values };
  await transaction([end], { deadlineMs });
  const count = { text: `SELECT COUNT(*) AS count ${fromBackend}`, values };
  const [[row] = []] = await transaction([count], { deadlineMs });
  return row !== undefined && integerOf(row, 'count') === 0;
}

const fromBackend =
  'FROM pg_stat_activity WHERE pid = ? AND CAST(EXTRACT(EPOCH FROM backend_start) * 1000000 AS BIGINT) = ?';
