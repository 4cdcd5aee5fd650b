/** The storage interface of users' own limits. Every engine passes the same tests. */

import type { Loaded } from '@flowgate/sql/coordination/shared-copy';
import type { AuditNote } from '../audit/audit-note.ts';
import type { UserLimits } from './user-limits.ts';

/** Each gateway caches all of them. */
export const maxUsersWithLimits = 10_000;

/** Every method throws `Unavailable`; a write may then be done or not, and repeating it is safe. */
export type UserLimitsStore = {
  /** All of them, as of a revision. */
  load(): Promise<Loaded<ReadonlyMap<string, UserLimits>>>;
  /** The revision of the last change. */
  revision(): Promise<number>;
  find(userId: string): Promise<UserLimits | undefined>;
  /** Replaces the user's limits. `full`: as many other users as `limit` have some; the limit is exact under concurrency. The audit log gets the note when it is done. */
  set(userId: string, limits: UserLimits, limit: number, note: AuditNote): Promise<'set' | 'full'>;
  /** The audit log gets the note when there was something to remove. */
  remove(userId: string, note: AuditNote): Promise<void>;
};
