/** What administrators do: read the audit log (contract/administration). Needs a token with the role `admin`; everything else is 403. */

import { hasMembers, isObject } from './has-members.ts';
import { createPaged, type Paged } from './paged.ts';
import type { Send } from './transport.ts';
import type { AuditAction, AuditEntry } from './wire.ts';

/** All of what is given must hold. Times are ISO 8601 with a zone; `after` is inclusive, `before` is not. */
export type AuditFilter = {
  readonly actor?: string | undefined;
  readonly action?: AuditAction | undefined;
  readonly target?: string | undefined;
  readonly after?: string | undefined;
  readonly before?: string | undefined;
};

export type Administration = {
  /** Newest first. A page may be empty although more follow: `list` goes on, with `page` follow `nextCursor`. */
  readonly audit: Paged<AuditEntry, AuditFilter>;
};

export function createAdministration(send: Send): Administration {
  return { audit: createPaged<AuditEntry, AuditFilter>(send, '/admin/audit', isAuditEntry) };
}

function isAuditEntry(value: unknown): value is AuditEntry {
  const texts = { auditId: 'string', at: 'string', actor: 'string', via: 'string', action: 'string' } as const;
  return (
    hasMembers(value, { ...texts, target: 'string', requestId: 'string' }) && isObject(Reflect.get(value, 'details'))
  );
}
