/**
 * A contract that a user deploys through this gateway: the record before the transaction is sent, and its state on the chain (contract/contracts#deployed).
 */

export const deploymentStatuses = ['pending', 'deployed', 'failed'] as const;
export type DeploymentStatus = (typeof deploymentStatuses)[number];

export const failureReasons = ['reverted', 'replaced', 'dropped'] as const;
/** `reverted`: the execution failed. `replaced`: another transaction used the nonce. `dropped`: no node has known the transaction for a day. */
export type FailureReason = (typeof failureReasons)[number];

/** What the leader has found, and when it checks again. Times are milliseconds since the epoch. */
export type DeploymentState = {
  readonly status: DeploymentStatus;
  /** Present exactly when `status` is `failed`. */
  readonly failureReason?: FailureReason;
  /** The block that contains the transaction, if it was seen in one. */
  readonly blockNumber?: number;
  readonly blockHash?: string;
  /** Since when no node has known the transaction. Absent while a node knows it. */
  readonly unseenSinceMs?: number;
  /** When it became `deployed` or `failed`, and the chain's head then: it is followed for some more blocks. Absent while it is `pending`. */
  readonly settledAtMs?: number;
  readonly settledBlock?: number;
  /** The time of the next check. Absent when it is no longer followed. */
  readonly dueAtMs?: number;
};

export type DeploymentRecord = DeploymentState & {
  /** `dep_` and a ULID. */
  readonly deploymentId: string;
  /** The sender. Another user who sends the same bytes has a separate record. */
  readonly userId: string;
  readonly dlt: string;
  readonly networkId: string;
  /** Lower case, like all hexadecimal values here. */
  readonly transactionHash: string;
  readonly deployer: string;
  /** Decimal digits: a nonce may exceed 2^53. */
  readonly nonce: string;
  readonly address: string;
  /** The number of calls that sent it and were not refused by the node: without any, the record is deleted. */
  readonly claims: number;
  readonly createdAtMs: number;
};
