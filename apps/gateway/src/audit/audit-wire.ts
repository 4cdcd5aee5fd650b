/** Entries of the audit log in responses (contract/audit#entries). */

import { typeIdForm } from '@flowgate/base/ids';
import { isoTime } from '@flowgate/base/iso-time';
import { anyMembers, time } from '@flowgate/body-schema/body-members';
import { type BodyOf, bodySchema, pageSchema } from '@flowgate/body-schema/body-schema';
import { z } from 'zod';
import { exampleKeyId } from '../api/raw-api-key.ts';
import type { AuditRecord } from './audit-log-store.ts';
import { auditActions } from './audit-note.ts';

export const auditEntry = bodySchema(
  'AuditEntry',
  'A management action that was executed.',
  () =>
    z.object({
      auditId: z.string().regex(typeIdForm('aud')).describe('The id of the entry.'),
      at: time('When the action was executed.'),
      actor: z.string().describe('The id of the acting user.'),
      via: z
        .enum(['token', 'key', 'system'])
        .describe('The kind of credential; `system`: the gateway acted on behalf of the user.'),
      action: z.enum(auditActions).describe('The action.'),
      target: z.string().describe('The id of the target.'),
      requestId: z.string().describe('The id of the request.'),
      details: anyMembers('Further facts about the action; never a secret.'),
    }),
  {
    auditId: 'aud_01KAJ0Z6V2M8T4Q9R3WX5Y7ABE',
    at: '2026-11-21T10:00:00.000Z',
    actor: 'user-1',
    via: 'token',
    action: 'key.created',
    target: exampleKeyId,
    requestId: 'req_aB3dE5fG7hI9000a1',
    details: { label: 'indexer, production', scopes: ['rpc'] },
  },
);

export const auditPage = pageSchema('AuditPage', 'Entries of the audit log, newest first.', auditEntry);

export function auditEntryView(record: AuditRecord): BodyOf<typeof auditEntry> {
  const { auditId, createdAtMs, actor, via, action, target, requestId, details } = record;
  return { auditId, at: isoTime(createdAtMs), actor, via, action, target, requestId, details: JSON.parse(details) };
}
