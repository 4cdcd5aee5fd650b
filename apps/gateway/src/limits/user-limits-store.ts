/** The storage interface of users' own limits. Every engine passes the same tests. */

import type { Loaded } from '@flowgate/sql/coordination/shared-copy';
import type { AuditNote } from '../audit/audit-note.ts';
import type { UserLimits } from './user-limits.ts';

/** Each gateway caches the limits of all these users. */
export const maxUsersWithLimits = 10_000;

/** Every method throws `Unavailable`. A write may then be done or not; repeating it is safe. */
export type UserLimitsStore = {
  /** All users' limits at one revision. */
  load(): Promise<Loaded<ReadonlyMap<string, UserLimits>>>;
  /** The revision of the last change. */
  revision(): Promise<number>;
  find(userId: string): Promise<UserLimits | undefined>;
  /**
   * Replaces the user's limits. `full`: `limit` other users already have limits; this maximum is exact under concurrency. Writes the note to the audit log when
   * the limits are set.
   */
  set(userId: string, limits: UserLimits, limit: number, note: AuditNote): Promise<'set' | 'full'>;
  /** Writes the note to the audit log if there were limits to remove. */
  remove(userId: string, note: AuditNote): Promise<void>;
};
