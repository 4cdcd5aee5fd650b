/** Registered nodes in SQL. The guarantees are in `node-store.ts`. */

import { bumpRevision, readRevision, revisionOf } from '@flowgate/sql/coordination/revisions';
import type { Database, Row, Statement } from '@flowgate/sql/engine/database';
import type { Fragment } from '@flowgate/sql/engine/dialect';
import { pageOf } from '@flowgate/sql/engine/page-rows';
import { integerOf, textOf } from '@flowgate/sql/engine/row';
import { list, raw, sql } from '@flowgate/sql/engine/sql-text';
import { selection, selectionWithout } from '@flowgate/sql/engine/table';
import type { AuditedTransaction } from '../../audit/sql-audited-transaction.ts';
import type { CheckOutcome, NodeChange, NodeFilter, NodeRecord, NodeStore } from './node-store.ts';
import { nodesTable } from './nodes-tables.ts';

/** The name of the data that every gateway copies. */
const data = 'nodes';
const stored = selectionWithout(nodesTable, 'removedAtMs', 'revision');
/** Registrations and changes of URLs run one after another, because each decides by the stored addresses. */
const serializeOn = 'node addresses';
/** Rows in one statement: a few milliseconds of the writer's time, so that other writes are not delayed. */
const rowsAtOnce = 200;
/** No request waits for this write, so it may take longer. */
const background = { deadlineMs: 2_000 };

export function createSqlNodeStore(database: Database, audited: AuditedTransaction): NodeStore {
  const query = ({ text, values }: Statement, options = {}) => database.query(text, values, options);
  const nowMs = () => database.dialect.now();

  const refusal: NodeStore['refusal'] = async (ownerId, digests, limit, exceptNodeId = '') => {
    const [row] = await query(sql`SELECT
      (SELECT COUNT(*) FROM nodes WHERE ${ownedBy(ownerId)}) AS own,
      (SELECT COUNT(*) FROM nodes WHERE ${hasAddress(digests)} AND node_id <> ${exceptNodeId}) AS taken`);
    if (row === undefined) return undefined;
    if (integerOf(row, 'taken') > 0) return 'duplicate';
    return integerOf(row, 'own') >= limit ? 'full' : undefined;
  };

  return {
    refusal,

    async insertIfFree(record, digests, limit, note) {
      const { nodeId, ownerId } = record;
      const insert = sql`INSERT INTO nodes (${stored.list}, revision)
        SELECT ${stored.typedValues(record)}, ${revisionOf(data)} RETURNING node_id`;
      const rows = await audited(
        [bumpRevision(data), insert],
        { note, done: 1 },
        {
          serializeOn,
          onlyIf: sql`SELECT 1 WHERE (SELECT COUNT(*) FROM nodes WHERE ${ownedBy(ownerId)}) < ${limit}
          AND NOT EXISTS (SELECT 1 FROM nodes WHERE ${hasAddress(digests)})`,
          undo: [bumpRevision(data), removal(sql`node_id = ${nodeId}`, nowMs())],
        },
      );
      if (rows.length > 0) return 'stored';
      // The node or address that caused the refusal may be gone by now: then the refusal was for the other reason.
      return (await refusal(ownerId, digests, limit)) ?? 'duplicate';
    },

    async change(nodeId, ownerId, change, note) {
      const owned = ownerId === undefined ? sql`` : sql`AND owner_id = ${ownerId}`;
      const meant = sql`node_id = ${nodeId} AND removed_at IS NULL ${owned}`;
      const { url } = change;
      const isTaken =
        url === undefined
          ? sql``
          : sql`AND NOT EXISTS (SELECT 1 FROM nodes WHERE ${hasAddress(url.digests)} AND node_id <> ${nodeId})`;
      const update = sql`UPDATE nodes SET ${assignments(change)} revision = ${revisionOf(data)} WHERE ${meant} RETURNING node_id`;
      const rows = await audited(
        [bumpRevision(data), update],
        { note, done: 1 },
        {
          ...(url === undefined ? {} : { serializeOn }),
          onlyIf: sql`SELECT 1 FROM nodes WHERE ${meant} ${isTaken}`,
        },
      );
      if (rows.length > 0 && rows[1]?.length === 1) return 'changed';
      const [there] = await query(sql`SELECT node_id FROM nodes WHERE ${meant}`);
      return there === undefined ? 'absent' : 'duplicate';
    },

    async remove(nodeId, ownerId, note) {
      const meant = sql`node_id = ${nodeId} AND owner_id = ${ownerId} AND removed_at IS NULL`;
      const rows = await audited(
        [bumpRevision(data), removal(meant, nowMs())],
        { note, done: 1 },
        { onlyIf: sql`SELECT 1 FROM nodes WHERE ${meant}`, usesReserve: true },
      );
      return rows[1]?.length === 1;
    },

    async cordonOperatorNode(nodeId, cordoned, note) {
      const write = cordoned
        ? sql`INSERT INTO cordoned_operator_nodes (node_id, cordoned_at) SELECT CAST(${nodeId} AS TEXT), ${nowMs()}
            WHERE NOT EXISTS (SELECT 1 FROM cordoned_operator_nodes WHERE node_id = ${nodeId}) RETURNING node_id`
        : sql`DELETE FROM cordoned_operator_nodes WHERE node_id = ${nodeId} RETURNING node_id`;
      // The revision's row is locked first, so that two concurrent cordons do not both insert.
      await audited([bumpRevision(data), write], { note, done: 1 });
    },

    async find(nodeId) {
      const [row] = await query(sql`SELECT ${stored.list} FROM nodes WHERE node_id = ${nodeId} AND removed_at IS NULL`);
      return row === undefined ? undefined : recordOf(row);
    },

    async findAll(nodeIds) {
      if (nodeIds.length === 0) return [];
      const rows = await query(
        sql`SELECT ${stored.list} FROM nodes WHERE node_id IN (${list(nodeIds)}) AND removed_at IS NULL`,
      );
      return rows.map(recordOf);
    },

    async list(ownerId, filter, { limit, after }) {
      const older = after === undefined ? sql`` : sql`AND (created_at, node_id) < (${after.atMs}, ${after.id})`;
      const owned = ownerId === undefined ? sql`` : sql`AND owner_id = ${ownerId}`;
      const rows = await query(sql`SELECT ${stored.list} FROM nodes
        WHERE removed_at IS NULL ${owned} ${matches(filter)} ${older}
        ORDER BY created_at DESC, node_id DESC LIMIT ${limit + 1}`);
      return pageOf(rows.map(recordOf), limit, ({ nodeId }) => nodeId);
    },

    readRevision: () => readRevision(database, data),

    async load(since) {
      // The revision is read first: later changes have a higher one and are loaded by the next load.
      const revision = await readRevision(database, data);
      const { records, removed } = await loadRows(query, since);
      const cordoned = await query(sql`SELECT node_id FROM cordoned_operator_nodes LIMIT 10000`, background);
      return {
        revision,
        changed: records,
        removed,
        cordonedOperatorNodes: cordoned.map((row) => textOf(row, 'node_id')),
      };
    },

    async recordChecks(outcomes, raise) {
      // The same order everywhere, so that two leaders, one of which has lost its lease unknowingly, do not deadlock.
      const sorted = outcomes.toSorted((a, b) => (a.nodeId < b.nodeId ? -1 : 1));
      for (let at = 0; at < sorted.length; at += rowsAtOnce) {
        const update = checksUpdate(sorted.slice(at, at + rowsAtOnce), raise);
        await database.transaction(raise ? [bumpRevision(data), update] : [update], background);
      }
    },

    async forgetRemoved(beforeMs) {
      await database.transaction(
        [
          sql`DELETE FROM nodes WHERE node_id IN (SELECT node_id FROM nodes WHERE removed_at < ${beforeMs} ORDER BY removed_at LIMIT 1000)`,
        ],
        background,
      );
    },
  };
}

function ownedBy(ownerId: string): Fragment {
  return sql`owner_id = ${ownerId} AND removed_at IS NULL`;
}

function hasAddress(digests: readonly string[]): Fragment {
  return sql`address_digest IN (${list(digests)})`;
}

function matches({ dlt, networkId }: NodeFilter): Fragment {
  const byLedger = dlt === undefined ? sql`` : sql`AND dlt = ${dlt}`;
  return networkId === undefined ? byLedger : sql`${byLedger} AND network_id = ${networkId}`;
}

/** The row remains without any data of the node, so that every gateway loads the removal. */
function removal(meant: Fragment, now: Fragment): Statement {
  return sql`UPDATE nodes SET removed_at = ${now}, address_digest = NULL, sealed_url = '', label = NULL, provider_id = NULL,
    shared = 0, revision = ${revisionOf(data)} WHERE ${meant} RETURNING node_id`;
}

/** Each with a trailing comma. */
function assignments({ label, url, shared, cordoned }: NodeChange): Fragment {
  const parts = [
    ...(label === undefined ? [] : [sql`label = ${label},`]),
    ...(shared === undefined ? [] : [sql`shared = ${shared ? 1 : 0},`]),
    ...(cordoned === undefined ? [] : [sql`cordoned = ${cordoned ? 1 : 0},`]),
    ...(url === undefined
      ? []
      : [
          sql`sealed_url = ${url.sealedUrl}, address_digest = ${url.digests[0]}, provider_id = ${url.providerId ?? null},
            status = 'pending', on_other_chain = 0, block_height = NULL, latency_ms = NULL, checked_at = NULL,`,
        ]),
  ];
  return parts.reduce((all, each) => sql`${all} ${each}`, raw(''));
}

function checksUpdate(outcomes: readonly CheckOutcome[], raise: boolean): Statement {
  const rows = list(
    outcomes.map(
      (each) => sql`(CAST(${each.nodeId} AS TEXT), CAST(${each.addressDigest} AS TEXT), CAST(${each.status} AS TEXT),
        CAST(${each.isOnOtherChain ? 1 : 0} AS BIGINT), CAST(${each.blockHeight ?? null} AS BIGINT),
        CAST(${each.latencyMs ?? null} AS BIGINT), CAST(${each.checkedAtMs} AS BIGINT))`,
    ),
  );
  const raised = raise ? sql`, revision = ${revisionOf(data)}` : sql``;
  return sql`UPDATE nodes SET status = checked.column3, on_other_chain = checked.column4,
      block_height = COALESCE(checked.column5, block_height), latency_ms = COALESCE(checked.column6, latency_ms),
      checked_at = checked.column7 ${raised}
    FROM (VALUES ${rows}) AS checked
    WHERE nodes.node_id = checked.column1 AND nodes.address_digest = checked.column2 AND nodes.removed_at IS NULL
      AND (nodes.checked_at IS NULL OR nodes.checked_at <= checked.column7)`;
}

const rowsOfLoad = 1_000;
const loaded = selection(nodesTable);

type Query = (statement: Statement, options?: { readonly deadlineMs?: number }) => Promise<readonly Row[]>;

/** In pages, ordered by revision: a row that changes meanwhile moves to the end, where this load or the next one reads it. */
async function loadRows(query: Query, since: number | undefined) {
  const records: NodeRecord[] = [];
  const removed: string[] = [];
  const wanted = since === undefined ? sql`removed_at IS NULL` : sql`revision > ${since}`;
  let after: { readonly revision: number; readonly nodeId: string } | undefined;
  for (;;) {
    const rest = after === undefined ? sql`` : sql`AND (revision, node_id) > (${after.revision}, ${after.nodeId})`;
    const rows = await query(
      sql`SELECT ${loaded.list} FROM nodes WHERE ${wanted} ${rest} ORDER BY revision, node_id LIMIT ${rowsOfLoad}`,
      background,
    );
    for (const row of rows) {
      const record = loaded.read(row);
      if (record.removedAtMs === undefined) records.push(recordOf(row));
      else removed.push(record.nodeId);
      after = record;
    }
    if (rows.length < rowsOfLoad) return { records, removed };
  }
}

/** @throws for a removed node, which has no digest: a bug in the query. */
function recordOf(row: Row): NodeRecord {
  const { addressDigest, ...record } = stored.read(row);
  if (addressDigest === undefined) throw new Error('a node without an address');
  return { ...record, addressDigest };
}
