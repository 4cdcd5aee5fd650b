/** The tables of the counters of each user's bytes: of sessions and of app data. */

import { integer, table, text } from '@flowgate/sql/engine/table';

export const usageTable = table('flow_usage', 'userId', {
  userId: text('user_id'),
  bytes: integer('bytes'),
});

export const appDataUsageTable = table('flow_app_data_usage', 'id', {
  /** `app_id`, a space, `user_id`. */
  id: text('id'),
  bytes: integer('bytes'),
  names: integer('names'),
});
