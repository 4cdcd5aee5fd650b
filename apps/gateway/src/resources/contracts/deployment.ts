/** A contract that a user deploys through this gateway: what is recorded before the transaction is sent, and what became of it (contract/contracts#deployed). */

export const deploymentStatuses = ['pending', 'deployed', 'failed'] as const;
export type DeploymentStatus = (typeof deploymentStatuses)[number];

export const failureReasons = ['reverted', 'replaced', 'dropped'] as const;
/** `reverted`: its execution failed. `replaced`: another transaction used its nonce. `dropped`: no node has known of it for a day. */
export type FailureReason = (typeof failureReasons)[number];

/** What the leader has found out, and when it looks again. Times are milliseconds since the epoch. */
export type DeploymentState = {
  readonly status: DeploymentStatus;
  /** Present exactly when `status` is `failed`. */
  readonly failureReason?: FailureReason;
  /** The block that holds the transaction, as far as it was seen in one. */
  readonly blockNumber?: number;
  readonly blockHash?: string;
  /** Since when no node has known of the transaction. Absent while one does. */
  readonly unseenSinceMs?: number;
  /** When it became `deployed` or `failed`, and the chain's head then: it is followed for some more blocks. Absent while it is `pending`. */
  readonly settledAtMs?: number;
  readonly settledBlock?: number;
  /** When it is looked at next. Absent when it is no longer followed. */
  readonly dueAtMs?: number;
};

export type DeploymentRecord = DeploymentState & {
  /** `dep_` and a ULID. */
  readonly deploymentId: string;
  /** Who sent it. Another user who sends the same bytes has a record of their own. */
  readonly userId: string;
  readonly dlt: string;
  readonly networkId: string;
  /** Lower case, as everything in hexadecimal here. */
  readonly transactionHash: string;
  readonly deployer: string;
  /** Decimal digits: a nonce may exceed 2^53. */
  readonly nonce: string;
  readonly address: string;
  /** Calls that have sent it and were not refused by the node: the record is taken back when none is left. */
  readonly claims: number;
  readonly createdAtMs: number;
};
