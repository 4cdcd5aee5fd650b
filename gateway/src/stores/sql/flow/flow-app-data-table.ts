/** The table of app data, which Flow Apps keep for their users. */

import type { AppDataChange } from '../../../flow/sessions/session-store.ts';
import { json, table, text } from '../engine/table.ts';

export const appDataTable = table('flow_app_data', 'id', {
  /** See `idOfAppData`. */
  id: text('id'),
  userId: text('user_id'),
  appId: text('app_id'),
  name: text('name'),
  value: json<AppDataChange['set'][string]>('value'),
});
