/** The storage interface of deployments. Every engine passes `resources/contracts/deployment-store.contract.ts`. */

import type { PageRequest, Position } from '@flowgate/base/page';
import type { Lease } from '@flowgate/sql/coordination/lease-store';
import type { DeploymentRecord, DeploymentState, DeploymentStatus } from './deployment.ts';

export type DeploymentFilter = {
  readonly dlt?: string;
  readonly networkId?: string;
  readonly status?: DeploymentStatus;
};

/** A deployment as it was when the leader looked, and what it has found. */
export type DeploymentFinding = { readonly deployment: DeploymentRecord; readonly state: DeploymentState };

/** Every method throws `Unavailable` when the storage does not answer in time; what it was to do may have been done or not. */
export type DeploymentStore = {
  /**
   * Records what is about to be sent, all or none, durably when it resolves. Who sends the same bytes to the same network again has one record, with one more claim; it is
   * followed again when it had been dropped. A user keeps `limit` records: the oldest that is no longer followed makes room; when all are followed, nothing is recorded.
   * `paceMs`: how much later it is looked at for each deployment of the user that is followed. Returns, by the transaction's hash, the ids of the records that it made or found, without those that had no room. All
   * records are of one user and one network.
   */
  begin(records: readonly DeploymentRecord[], limit: number, paceMs: number): Promise<ReadonlyMap<string, string>>;

  /** Gives claims back, because the node refused. A record without claims is removed, unless its transaction was found on the chain meanwhile. */
  takeBack(deploymentIds: readonly string[]): Promise<void>;

  /** Newest first, by `createdAtMs` and id. */
  list(
    userId: string,
    filter: DeploymentFilter,
    page: PageRequest,
  ): Promise<{ readonly records: readonly DeploymentRecord[]; readonly next?: Position }>;

  /** The network's deployments that are due at `nowMs`, those that have been due longest first. */
  due(dlt: string, networkId: string, nowMs: number, limit: number): Promise<readonly DeploymentRecord[]>;

  /** How many deployments of each of these users are followed. */
  followed(userIds: readonly string[]): Promise<ReadonlyMap<string, number>>;

  /**
   * Writes what the leader has found, each unless somebody has sent the transaction again, or taken it back, since it was read: it is due again then. Nothing when the lease was lost.
   * `isOnlyDue`: nothing but the time of the next look has changed, which the machine's end may lose.
   */
  settle(findings: readonly DeploymentFinding[], lease: Lease, isOnlyDue: boolean): Promise<void>;
};
