/** The table of users' own limits. */

import { integer, optional, table, text, timeMs } from '@flowgate/sql/engine/table';

/** A row for each user whose limits differ from the configured ones. */
export const userLimitsTable = table('user_limits', 'userId', {
  userId: text('user_id'),
  userPerMinute: optional(integer('user_per_minute')),
  sessionPerMinute: optional(integer('session_per_minute')),
  maxActiveKeys: optional(integer('max_active_keys')),
  nodes: optional(integer('nodes')),
  updatedAtMs: timeMs('updated_at'),
});
