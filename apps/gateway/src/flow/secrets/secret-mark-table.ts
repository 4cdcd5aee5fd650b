/** The table of marks of submitted secrets. */

import { table, text, timeMs } from '@flowgate/sql/engine/table';

export const secretMarksTable = table('flow_secret_marks', 'mark', {
  mark: text('mark'),
  userId: text('user_id'),
  appId: text('app_id'),
  createdAtMs: timeMs('created_at'),
});
