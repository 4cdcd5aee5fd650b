/** The table of app data, which Flow Apps store for their users. */

import { json, table, text } from '@flowgate/sql/engine/table';
import type { AppDataChange } from './session-store.ts';

export const appDataTable = table('flow_app_data', 'id', {
  /** See `idOfAppData`. */
  id: text('id'),
  userId: text('user_id'),
  appId: text('app_id'),
  name: text('name'),
  value: json<AppDataChange['set'][string]>('value'),
});
