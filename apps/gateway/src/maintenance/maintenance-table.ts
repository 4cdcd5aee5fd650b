/** The table of maintenance. */

import { json, table, text } from '@flowgate/sql/engine/table';
import type { MaintenanceRecord } from './maintenance-store.ts';

/** The table has at most one row. */
export const maintenanceTable = table('maintenance', 'id', {
  id: text('id'),
  value: json<MaintenanceRecord>('value'),
});
