/** The table of maintenance. */

import { json, table, text } from '@flowgate/sql/engine/table';
import type { MaintenanceRecord } from './maintenance-store.ts';

/** One row at most. */
export const maintenanceTable = table('maintenance', 'id', {
  id: text('id'),
  value: json<MaintenanceRecord>('value'),
});
