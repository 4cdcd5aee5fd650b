/** The storage interface for reading the audit log. Every engine passes the same tests. */

import type { PageRequest, Position } from '@flowgate/base/page';
import type { Actor, AuditAction } from './audit-note.ts';

export type AuditRecord = {
  readonly auditId: string;
  readonly createdAtMs: number;
  /** The user's id. */
  readonly actor: string;
  readonly via: Actor['via'];
  readonly action: AuditAction;
  readonly target: string;
  readonly requestId: string;
  /** A JSON object, as text. */
  readonly details: string;
};

export type AuditFilter = {
  readonly actor?: string;
  readonly action?: AuditAction;
  readonly target?: string;
  /** At or after this time, in milliseconds since the Unix epoch. */
  readonly fromMs?: number;
  /** Before this time. */
  readonly beforeMs?: number;
};

export type AuditLogStore = {
  /**
   * Entries that match all of the filter, newest first. A page ends early, with `next`, after 1 MiB of details, or when few of many visited entries match: it
   * may then be empty. Throws `Unavailable`.
   */
  list(
    filter: AuditFilter,
    page: PageRequest,
  ): Promise<{ readonly records: readonly AuditRecord[]; readonly next?: Position }>;
};
