/** The tables of administration. */

import type { MaintenanceRecord } from '../../../access/administration/maintenance-store.ts';
import { integer, json, optional, table, text, timeMs } from '../engine/table.ts';

/** One row at most. */
export const maintenanceTable = table('maintenance', 'id', {
  id: text('id'),
  value: json<MaintenanceRecord>('value'),
});

/** A row for each user whose limits differ from the configured ones. */
export const userLimitsTable = table('user_limits', 'userId', {
  userId: text('user_id'),
  userPerMinute: optional(integer('user_per_minute')),
  sessionPerMinute: optional(integer('session_per_minute')),
  maxActiveKeys: optional(integer('max_active_keys')),
  nodes: optional(integer('nodes')),
  updatedAtMs: timeMs('updated_at'),
});
