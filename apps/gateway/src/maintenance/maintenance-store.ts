/** The storage interface of maintenance. Every engine passes the same tests. */

import type { Loaded } from '@flowgate/sql/coordination/shared-copy';
import type { AuditNote } from '../audit/audit-note.ts';

export type MaintenanceSurface = 'rpc' | 'rest' | 'flow';

export type MaintenanceRecord = {
  readonly active: boolean;
  readonly message?: string;
  readonly retryAfterSeconds: number;
  /** Absent: only `rpc` if there are `networks`, otherwise every surface. */
  readonly surfaces?: readonly MaintenanceSurface[];
  /** Such as `ethereum/dev`: on `rpc` only calls to these networks are refused. Absent: calls to all networks. */
  readonly networks?: readonly string[];
  /** Absent: the maintenance begins at once. */
  readonly startsAtMs?: number;
  /** Absent: the maintenance lasts until an administrator ends it. */
  readonly endsAtMs?: number;
  /** How long before `startsAtMs` the maintenance is announced. */
  readonly noticeMinutes?: number;
};

/** Both methods throw `Unavailable`. */
export type MaintenanceStore = {
  /** What was set last, with the revision of that change. `undefined` if nothing was ever set. */
  load(): Promise<Loaded<MaintenanceRecord | undefined>>;
  /** The revision of the last change. */
  revision(): Promise<number>;
  /** Replaces what was set before. Writes the note to the audit log. */
  set(record: MaintenanceRecord, note: AuditNote): Promise<void>;
};
