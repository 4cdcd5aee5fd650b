/** Policies in SQL: the same text of each query for every engine. The guarantees are in `policy-store.ts`. */

import { bumpRevision, readRevision, revisionOf } from '@flowgate/sql/coordination/revisions';
import { boundedPage, readPage } from '@flowgate/sql/engine/bounded-page';
import type { Database, Row, Statement } from '@flowgate/sql/engine/database';
import { textOf } from '@flowgate/sql/engine/row';
import { list, sql } from '@flowgate/sql/engine/sql-text';
import { selection } from '@flowgate/sql/engine/table';
import type { AuditedTransaction } from '../audit/sql-audited-transaction.ts';
import { policiesTable, policyOwnersTable } from './firewall-tables.ts';
import type { PolicyRecord, PolicyStore, StoredPolicy } from './policy-store.ts';

const policies = selection(policiesTable);
const owners = selection(policyOwnersTable);

/** The revision of all policies together. */
const revisionName = 'policies';
/** The maximum of bytes of a page, not counting its last policy. */
const maxListedBytes = 1_048_576;
/** For reads that update a gateway's copy. */
const background = { deadlineMs: 2_000 };

export function createSqlPolicyStore(database: Database, audited: AuditedTransaction): PolicyStore {
  const query = ({ text, values }: Statement, options = {}) => database.query(text, values, options);
  return {
    async insertIfUnder(policy, limit, note) {
      const { ownerId, policyId } = policy;
      const hasRoom = sql`(SELECT COUNT(*) FROM firewall_policies WHERE owner_id = ${ownerId}) < ${limit}`;
      const [, inserted = []] = await audited(
        [
          bumpRevision(revisionName),
          sql`INSERT INTO firewall_policies (${policies.list}) SELECT ${policies.typedValues(rowOf(policy, 0))}
            WHERE ${hasRoom} RETURNING policy_id`,
          sql`UPDATE firewall_policies SET revision = ${revisionOf(revisionName)} WHERE policy_id = ${policyId}`,
          stampOwner(ownerId),
        ],
        { note, done: 1 },
        // At the limit nothing is written, so that no gateway has to load anything.
        { serializeOn: serializeOn(ownerId), onlyIf: sql`SELECT 1 AS room WHERE ${hasRoom}` },
      );
      return inserted.length === 1;
    },

    async find(ownerId, policyId) {
      const [row] = await query(sql`SELECT ${policies.list} FROM firewall_policies
        WHERE policy_id = ${policyId} AND owner_id = ${ownerId}`);
      return row === undefined ? undefined : storedOf(row);
    },

    async list(ownerId, { limit, after }) {
      const older = after === undefined ? sql`` : sql`AND (created_at, policy_id) < (${after.atMs}, ${after.id})`;
      const rows = await query(
        boundedPage({
          table: 'firewall_policies',
          key: 'policy_id',
          columns: policies.list,
          where: sql`owner_id = ${ownerId} ${older}`,
          size: sql`octet_length(subjects) + COALESCE(octet_length(methods), 0) + COALESCE(octet_length(selectors), 0)`,
          limit,
          maxBytes: maxListedBytes,
        }),
      );
      return readPage(
        rows,
        (row) => storedOf(row).policy,
        ({ policyId }) => policyId,
      );
    },

    async replace(policy, revision, note) {
      const { ownerId, policyId } = policy;
      const { name = null, effect, subjects, resource, methods, selectors, updatedAtMs } = policy;
      const seen = sql`policy_id = ${policyId} AND owner_id = ${ownerId} AND revision = ${revision}`;
      const [, replaced = []] = await audited(
        [
          bumpRevision(revisionName),
          sql`UPDATE firewall_policies SET name = ${name}, effect = ${effect}, subjects = ${JSON.stringify(subjects)},
            resource_kind = ${resource.kind}, resource_id = ${resource.id}, methods = ${jsonOrNull(methods)},
            selectors = ${jsonOrNull(selectors)}, updated_at = ${updatedAtMs}, revision = ${revisionOf(revisionName)}
            WHERE ${seen} RETURNING policy_id`,
          stampOwner(ownerId),
        ],
        { note, done: 1 },
        { serializeOn: serializeOn(ownerId), onlyIf: sql`SELECT policy_id FROM firewall_policies WHERE ${seen}` },
      );
      return replaced.length === 1;
    },

    async remove(ownerId, policyId, note) {
      const wanted = sql`policy_id = ${policyId} AND owner_id = ${ownerId}`;
      const [, removed = []] = await audited(
        [
          bumpRevision(revisionName),
          sql`DELETE FROM firewall_policies WHERE ${wanted} RETURNING policy_id`,
          stampOwner(ownerId),
        ],
        { note, done: 1 },
        { serializeOn: serializeOn(ownerId), onlyIf: sql`SELECT policy_id FROM firewall_policies WHERE ${wanted}` },
      );
      return removed.length === 1;
    },

    readRevision: () => readRevision(database, revisionName),

    async changedSince(revision, limit) {
      // An owner without remaining policies concerns only gateways that knew of some.
      const those = revision === 0 ? sql`AND policies > 0` : sql``;
      const rows = await query(
        sql`SELECT ${owners.list} FROM firewall_owners WHERE revision > ${revision} ${those} ORDER BY revision LIMIT ${limit}`,
        background,
      );
      return rows.map(owners.read);
    },

    async writtenSince(ownerId, revision, limit) {
      const rows = await query(
        sql`SELECT ${policies.list} FROM firewall_policies
          WHERE owner_id = ${ownerId} AND revision > ${revision} ORDER BY revision LIMIT ${limit}`,
        background,
      );
      return rows.map(storedOf);
    },

    async idsOf(ownerId, limit) {
      const rows = await query(
        sql`SELECT policy_id FROM firewall_policies WHERE owner_id = ${ownerId} LIMIT ${limit}`,
        background,
      );
      return rows.map((row) => textOf(row, 'policy_id'));
    },

    async keysOf(userId, keyIds) {
      const found: string[] = [];
      for (let at = 0; at < keyIds.length; at += keysAtOnce) {
        const rows = await query(sql`SELECT key_id FROM api_keys
          WHERE owner_id = ${userId} AND key_id IN (${list(keyIds.slice(at, at + keysAtOnce))})`);
        for (const row of rows) found.push(textOf(row, 'key_id'));
      }
      return found;
    },
  };
}

const keysAtOnce = 500;

/** Changes of one owner's policies run one after another, so that the count is exact. */
function serializeOn(ownerId: string): string {
  return `policies of ${ownerId}`;
}

/** After the change: the owner's number of policies, and the revision of the change. */
function stampOwner(ownerId: string): Statement {
  return sql`INSERT INTO firewall_owners (owner_id, policies, revision)
    SELECT CAST(${ownerId} AS TEXT), COUNT(*), ${revisionOf(revisionName)} FROM firewall_policies WHERE owner_id = ${ownerId}
    ON CONFLICT (owner_id) DO UPDATE SET policies = excluded.policies, revision = excluded.revision`;
}

function rowOf({ resource, ...policy }: PolicyRecord, revision: number) {
  return { ...policy, resourceKind: resource.kind, resourceId: resource.id, revision };
}

function storedOf(row: Row): StoredPolicy {
  const { resourceKind, resourceId, revision, ...policy } = policies.read(row);
  return { policy: { ...policy, resource: { kind: resourceKind, id: resourceId } }, revision };
}

function jsonOrNull(texts: readonly string[] | undefined): string | null {
  return texts === undefined ? null : JSON.stringify(texts);
}
