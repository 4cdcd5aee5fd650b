/** The table of leases. A row stays when its lease is released, so that its token only grows. */

import { integer, optional, table, text, timeMs } from '../engine/table.ts';

export const leasesTable = table('leases', 'name', {
  name: text('name'),
  holder: optional(text('holder')),
  token: integer('token'),
  expiresAtMs: timeMs('expires_at'),
});
