/** The table of maintenance. */

import type { MaintenanceRecord } from '../../../access/administration/maintenance-store.ts';
import { json, table, text } from '../engine/table.ts';

/** One row at most. */
export const maintenanceTable = table('maintenance', 'id', {
  id: text('id'),
  value: json<MaintenanceRecord>('value'),
});
