/** A session as its row holds it. */

import type { SessionRecord, SessionSnapshot, StoredResponse } from '../../../flow/sessions/session-store.ts';
import type { Row } from '../engine/database.ts';
import { integerOf, textOf } from '../engine/row.ts';

export const sessionColumns =
  'session_id, user_id, app_id, version, status, state_version, step, state, launch_context, last_sequence, created_at, updated_at, expires_at';

export function recordOf(row: Row): SessionRecord {
  const record = {
    sessionId: textOf(row, 'session_id'),
    userId: textOf(row, 'user_id'),
    appId: textOf(row, 'app_id'),
    version: textOf(row, 'version'),
    status: textOf(row, 'status') as SessionRecord['status'],
    stateVersion: integerOf(row, 'state_version'),
    step: jsonOf(row, 'step') as SessionRecord['step'],
    state: jsonOf(row, 'state') as SessionRecord['state'],
    lastSequence: integerOf(row, 'last_sequence'),
    createdAtMs: integerOf(row, 'created_at'),
    updatedAtMs: integerOf(row, 'updated_at'),
    expiresAtMs: integerOf(row, 'expires_at'),
  };
  if (row['launch_context'] === null) return record;
  return { ...record, launchContext: jsonOf(row, 'launch_context') as SessionRecord['state'] };
}

/** Of a row that has the session's columns, `response_body`, `response_headers` and `leased`. */
export function snapshotOf(row: Row): SessionSnapshot {
  const snapshot = { session: recordOf(row), isLeased: integerOf(row, 'leased') === 1 };
  if (row['response_body'] === null) return snapshot;
  return { ...snapshot, response: responseOf(row, 'response_body', 'response_headers') };
}

export function responseOf(row: Row, body: string, headers: string): StoredResponse {
  return { body: textOf(row, body), headers: jsonOf(row, headers) as StoredResponse['headers'] };
}

function jsonOf(row: Row, column: string): unknown {
  return JSON.parse(textOf(row, column));
}
