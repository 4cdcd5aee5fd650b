/** The storage interface of policies. Every engine passes `policy-store.contract.ts`. */

import type { PageRequest, Position } from '@flowgate/base/page';
import type { AuditNote } from '../audit/audit-note.ts';
import type { PolicyRecord } from './policy.ts';

export type { PolicyEffect, PolicyRecord, ResourceKind } from './policy.ts';

/** A policy with the revision of its last write. */
export type StoredPolicy = { readonly policy: PolicyRecord; readonly revision: number };

export type PolicyPage = { readonly records: readonly PolicyRecord[]; readonly next?: Position };

/** An owner whose policies have changed, and their number now. */
export type ChangedOwner = { readonly ownerId: string; readonly revision: number; readonly policies: number };

/**
 * Every method throws `Unavailable` when the storage does not answer in time; a write may have happened or not. `ownerId` is `globalOwner` for global
 * policies.
 */
export type PolicyStore = {
  /** Stores the policy if its owner has fewer than `limit`, also with concurrent calls, and returns whether it did. */
  insertIfUnder(policy: PolicyRecord, limit: number, note: AuditNote): Promise<boolean>;

  /** `undefined` for an unknown policy and for another owner's. */
  find(ownerId: string, policyId: string): Promise<StoredPolicy | undefined>;

  /** The owner's policies, newest first. A page ends early with the policy that makes it larger than 1 MiB. */
  list(ownerId: string, page: PageRequest): Promise<PolicyPage>;

  /** Replaces the policy if its revision is still `revision`, and returns whether it did. */
  replace(policy: PolicyRecord, revision: number, note: AuditNote): Promise<boolean>;

  /** False: this owner had no such policy. */
  remove(ownerId: string, policyId: string, note: AuditNote): Promise<boolean>;

  /** Grows with every change of any policy. */
  readRevision(): Promise<number>;

  /**
   * At most `limit` owners whose policies changed after `revision`, in the order of their last changes. With `revision` 0: all owners that ever had a policy.
   */
  changedSince(revision: number, limit: number): Promise<readonly ChangedOwner[]>;

  /** At most `limit` policies of the owner that were written after `revision`, in that order. */
  writtenSince(ownerId: string, revision: number, limit: number): Promise<readonly StoredPolicy[]>;

  /** The ids of at most `limit` policies of the owner. */
  idsOf(ownerId: string, limit: number): Promise<readonly string[]>;

  /** Those of the given API keys that belong to the user. */
  keysOf(userId: string, keyIds: readonly string[]): Promise<readonly string[]>;
};
