/** Deployed contracts in SQL: the same text of each query for every engine. The guarantees are in `deployment-store.ts`. */

import { fence } from '@flowgate/sql/coordination/sql-lease-store';
import type { Database, Statement } from '@flowgate/sql/engine/database';
import { pageOf } from '@flowgate/sql/engine/page-rows';
import { integerOf, textOf } from '@flowgate/sql/engine/row';
import { list, sql } from '@flowgate/sql/engine/sql-text';
import { selection, selectionWithout } from '@flowgate/sql/engine/table';
import type { DeploymentRecord } from './deployment.ts';
import type { DeploymentFinding, DeploymentStore } from './deployment-store.ts';
import { deploymentsTable } from './deployments-table.ts';

const deployments = selection(deploymentsTable);
const withoutDue = selectionWithout(deploymentsTable, 'dueAtMs');

/** No request waits for this write, so it may take longer. */
const backgroundDeadlineMs = 2_000;

export function createSqlDeploymentStore(database: Database): DeploymentStore {
  const query = ({ text, values }: Statement, options = {}) => database.query(text, values, options);
  return {
    async begin(records, limit, paceMs) {
      // All gateways use the same order, so that two gateways that record the same transactions do not deadlock.
      const ordered = records.toSorted((left, right) => (left.transactionHash < right.transactionHash ? -1 : 1));
      const statements = ordered.flatMap((record) => [
        makeRoom(record.userId, limit),
        beginning(record, limit, paceMs),
      ]);
      const written = await database.transaction(statements);
      const begun = written.filter((_, at) => at % 2 === 1).flat();
      return new Map(begun.map((row) => [textOf(row, 'transaction_hash'), textOf(row, 'deployment_id')]));
    },

    async takeBack(deploymentIds) {
      const ids = list([...deploymentIds].sort());
      await database.transaction([
        sql`UPDATE deployments SET claims = claims - 1 WHERE deployment_id IN (${ids})`,
        sql`DELETE FROM deployments WHERE deployment_id IN (${ids}) AND claims <= 0
          AND status = 'pending' AND block_number IS NULL`,
      ]);
    },

    async list(userId, { dlt, networkId, status }, { limit, after }) {
      const ofLedger = dlt === undefined ? sql`` : sql`AND dlt = ${dlt}`;
      const ofNetwork = networkId === undefined ? sql`` : sql`AND network_id = ${networkId}`;
      const ofStatus = status === undefined ? sql`` : sql`AND status = ${status}`;
      const older = after === undefined ? sql`` : sql`AND (created_at, deployment_id) < (${after.atMs}, ${after.id})`;
      const rows = await query(sql`SELECT ${deployments.list} FROM deployments
        WHERE user_id = ${userId} ${ofStatus} ${ofLedger} ${ofNetwork} ${older}
        ORDER BY created_at DESC, deployment_id DESC LIMIT ${limit + 1}`);
      return pageOf(rows.map(deployments.read), limit, ({ deploymentId }) => deploymentId);
    },

    async due(dlt, networkId, nowMs, limit) {
      const rows = await query(
        sql`SELECT ${deployments.list} FROM deployments
          WHERE dlt = ${dlt} AND network_id = ${networkId} AND due_at <= ${nowMs} ORDER BY due_at LIMIT ${limit}`,
        { deadlineMs: backgroundDeadlineMs },
      );
      return rows.map(deployments.read);
    },

    async followed(userIds) {
      const rows = await query(
        sql`SELECT user_id, COUNT(*) AS followed FROM deployments
          WHERE user_id IN (${list(userIds)}) AND due_at IS NOT NULL GROUP BY user_id`,
        { deadlineMs: backgroundDeadlineMs },
      );
      return new Map(rows.map((row) => [textOf(row, 'user_id'), integerOf(row, 'followed')]));
    },

    async settle(findings, lease, isOnlyDue) {
      const ordered = findings.toSorted((left, right) =>
        left.deployment.deploymentId < right.deployment.deploymentId ? -1 : 1,
      );
      await database.transaction(ordered.map(settling), {
        onlyIf: fence(database, lease),
        deadlineMs: backgroundDeadlineMs,
        isLostWithPower: isOnlyDue,
      });
    },
  };
}

/** Deletes the user's oldest unfollowed record if the user has `limit` records. */
function makeRoom(userId: string, limit: number): Statement {
  return sql`DELETE FROM deployments WHERE deployment_id = (
      SELECT deployment_id FROM deployments WHERE user_id = ${userId} AND due_at IS NULL
      ORDER BY created_at, deployment_id LIMIT 1
    ) AND (SELECT COUNT(*) FROM deployments WHERE user_id = ${userId}) >= ${limit}`;
}

function beginning(record: DeploymentRecord, limit: number, paceMs: number): Statement {
  const { userId, dueAtMs = record.createdAtMs, transactionHash } = record;
  const followed = sql`(SELECT COUNT(*) FROM deployments WHERE user_id = ${userId} AND due_at IS NOT NULL)`;
  return sql`INSERT INTO deployments (${withoutDue.list}, due_at)
    SELECT ${withoutDue.typedValues(record)}, CAST(${dueAtMs} AS BIGINT) + CAST(${paceMs} AS BIGINT) * ${followed}
    WHERE (
      SELECT COUNT(*) FROM deployments WHERE user_id = ${userId} AND transaction_hash <> ${transactionHash}
    ) < ${limit}
    ON CONFLICT (user_id, dlt, network_id, transaction_hash) DO UPDATE SET
      claims = deployments.claims + 1,
      status = CASE WHEN deployments.failure_reason = 'dropped' THEN 'pending' ELSE deployments.status END,
      unseen_since = CASE WHEN deployments.failure_reason = 'dropped' THEN excluded.unseen_since ELSE deployments.unseen_since END,
      settled_at = CASE WHEN deployments.failure_reason = 'dropped' THEN NULL ELSE deployments.settled_at END,
      settled_block = CASE WHEN deployments.failure_reason = 'dropped' THEN NULL ELSE deployments.settled_block END,
      due_at = CASE WHEN deployments.failure_reason = 'dropped' THEN excluded.due_at ELSE deployments.due_at END,
      failure_reason = CASE WHEN deployments.failure_reason = 'dropped' THEN NULL ELSE deployments.failure_reason END
    RETURNING deployment_id, transaction_hash`;
}

function settling({ deployment, state }: DeploymentFinding): Statement {
  return sql`UPDATE deployments SET status = ${state.status}, failure_reason = ${state.failureReason ?? null},
      block_number = ${state.blockNumber ?? null}, block_hash = ${state.blockHash ?? null},
      unseen_since = ${state.unseenSinceMs ?? null}, settled_at = ${state.settledAtMs ?? null},
      settled_block = ${state.settledBlock ?? null}, due_at = ${state.dueAtMs ?? null}
    WHERE deployment_id = ${deployment.deploymentId} AND claims = ${deployment.claims}`;
}
