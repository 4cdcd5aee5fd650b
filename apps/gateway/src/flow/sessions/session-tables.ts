/** The tables of sessions, of stored responses, and of removed sessions whose remains are to be cleared. */

import { integer, json, optional, table, text, timeMs } from '@flowgate/sql/engine/table';
import type { SessionRecord, StoredResponse } from './session-store.ts';

export const sessionsTable = table('flow_sessions', 'sessionId', {
  sessionId: text('session_id'),
  userId: text('user_id'),
  appId: text('app_id'),
  version: text('version'),
  status: text<SessionRecord['status']>('status'),
  stateVersion: integer('state_version'),
  step: json<SessionRecord['step']>('step'),
  state: json<SessionRecord['state']>('state'),
  launchContext: optional(json<NonNullable<SessionRecord['launchContext']>>('launch_context')),
  lastSequence: integer('last_sequence'),
  createdAtMs: timeMs('created_at'),
  updatedAtMs: timeMs('updated_at'),
  expiresAtMs: timeMs('expires_at'),
  storedBytes: integer('kept_bytes'),
});

export const responsesTable = table('flow_responses', 'id', {
  id: text('id'),
  sessionId: text('session_id'),
  body: text('body'),
  headers: json<StoredResponse['headers']>('headers'),
  createdAtMs: timeMs('created_at'),
});

/** A removed session of which some responses or events are still to be deleted. */
export const removedSessionsTable = table('flow_removed_sessions', 'sessionId', {
  sessionId: text('session_id'),
  removedAtMs: timeMs('removed_at'),
});
