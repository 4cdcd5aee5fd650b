/** The storage interface of deployments. Every engine passes `deployment-store.contract.ts`. */

import type { PageRequest, Position } from '@flowgate/base/page';
import type { Lease } from '@flowgate/sql/coordination/lease-store';
import type { DeploymentRecord, DeploymentState, DeploymentStatus } from './deployment.ts';

export type DeploymentFilter = {
  readonly dlt?: string;
  readonly networkId?: string;
  readonly status?: DeploymentStatus;
};

/** A deployment as the leader read it, and what the leader found. */
export type DeploymentFinding = { readonly deployment: DeploymentRecord; readonly state: DeploymentState };

/** Every method throws `Unavailable` when the storage does not answer in time; the write may have happened or not. */
export type DeploymentStore = {
  /**
   * Stores the deployments before they are sent: all or none, durably when it resolves. A user who sends the same bytes to the same network again has one
   * record with one more claim; a dropped one is followed again. A user has at most `limit` records: the oldest unfollowed one is deleted for a new one; when
   * all are followed, none is stored. `paceMs`: the delay of the next check for each followed deployment of the user. Returns the ids of stored and found
   * records by transaction hash; those beyond the limit are missing. All records are of one user and one network.
   */
  begin(records: readonly DeploymentRecord[], limit: number, paceMs: number): Promise<ReadonlyMap<string, string>>;

  /** Removes claims of calls that the node refused. A record without claims is deleted, unless its transaction was found on the chain meanwhile. */
  takeBack(deploymentIds: readonly string[]): Promise<void>;

  /** Newest first, by `createdAtMs` and id. */
  list(
    userId: string,
    filter: DeploymentFilter,
    page: PageRequest,
  ): Promise<{ readonly records: readonly DeploymentRecord[]; readonly next?: Position }>;

  /** The network's deployments that are due at `nowMs`, oldest due time first. */
  due(dlt: string, networkId: string, nowMs: number, limit: number): Promise<readonly DeploymentRecord[]>;

  /** The number of followed deployments of each of these users. */
  followed(userIds: readonly string[]): Promise<ReadonlyMap<string, number>>;

  /**
   * Writes the leader's findings, except for deployments that were sent again or withdrawn since they were read, which become due again. Writes nothing when
   * the lease is lost. `isOnlyDue`: only the time of the next check has changed, which may be lost in a crash.
   */
  settle(findings: readonly DeploymentFinding[], lease: Lease, isOnlyDue: boolean): Promise<void>;
};
