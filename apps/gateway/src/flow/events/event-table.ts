/** The table of events. */

import { integer, json, table, text, timeMs } from '@flowgate/sql/engine/table';
import type { FlowEventRecord } from './event-store.ts';

export const eventsTable = table('flow_events', 'eventId', {
  eventId: text('id'),
  sessionId: text('session_id'),
  sequence: integer('sequence'),
  type: text('type'),
  atMs: timeMs('at'),
  data: json<FlowEventRecord['data']>('data'),
});
