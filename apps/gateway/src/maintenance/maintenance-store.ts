/** The storage interface of maintenance. Every engine passes the same tests. */

import type { Loaded } from '@flowgate/sql/coordination/shared-copy';
import type { AuditNote } from '../audit/audit-note.ts';

export type MaintenanceSurface = 'rpc' | 'rest' | 'flow';

export type MaintenanceRecord = {
  readonly active: boolean;
  readonly message?: string;
  readonly retryAfterSeconds: number;
  /** Absent together with `networks`: everything. */
  readonly surfaces?: readonly MaintenanceSurface[];
  /** `ethereum/dev`: which networks' calls are meant when calls are. */
  readonly networks?: readonly string[];
  /** Absent: at once. */
  readonly startsAtMs?: number;
  /** Absent: until it is ended. */
  readonly endsAtMs?: number;
  /** How long before `startsAtMs` the maintenance is announced. */
  readonly noticeMinutes?: number;
};

/** Both methods throw `Unavailable`. */
export type MaintenanceStore = {
  /** What was set last, with the revision of that change; `undefined` when nothing ever was. */
  load(): Promise<Loaded<MaintenanceRecord | undefined>>;
  /** The revision of the last change. */
  revision(): Promise<number>;
  /** Replaces what was set before; the audit log gets the note. */
  set(record: MaintenanceRecord, note: AuditNote): Promise<void>;
};
