/** The registry of Flow Apps in SQL, with one text of each query for every engine. `flow/registry/registry-store.ts` states the guarantees. */

import { boundedPage, readPage } from '@flowgate/sql/engine/bounded-page';
import type { Database, Statement } from '@flowgate/sql/engine/database';
import { textOf } from '@flowgate/sql/engine/row';
import { list, sql } from '@flowgate/sql/engine/sql-text';
import { selection, selectionWithout } from '@flowgate/sql/engine/table';
import type { AuditedTransaction } from '../../audit/sql-audited-transaction.ts';
import type { RegistryStore } from './registry-store.ts';
import { appsTable, versionsTable } from './registry-tables.ts';
import {
  hasRoom,
  insertApp,
  insertPublisher,
  insertVersion,
  named,
  publisherOf,
  retireOthers,
  upsertApp,
  upsertVersion,
  versionId,
  versionsOf,
} from './sql-registry-statements.ts';

const apps = selection(appsTable);
const versions = selectionWithout(versionsTable, 'id');
const manifests = selection(versionsTable, 'id', 'manifest');
const activeVersions = selection(versionsTable, 'appId', 'version', 'healthMisses');
const versionNames = selection(versionsTable, 'id', 'appId', 'version');

/** Milliseconds to store a probe's result, which no request waits for. */
const background = { deadlineMs: 2_000 };
/** Maximum bytes of a page, without its last entry. */
const maxListedBytes = 1_048_576;
/** The bytes that an active version counts for: a page contains only its app and version number. */
const namedVersionBytes = 128;
/** A manifest has at most 256 KiB. */
const manifestsAtOnce = 4;
/** Milliseconds for a write at the start of a gateway, which no caller waits for. */
const startDeadlineMs = 10_000;

export function createSqlRegistryStore(database: Database, audited: AuditedTransaction): RegistryStore {
  const query = ({ text, values }: Statement, options = {}) => database.query(text, values, options);
  return {
    async insertApp(app, note, limit) {
      const publisher = publisherOf(app.appId);
      const [, inserted = [], [owner] = [], existing = []] = await audited(
        [
          // Waits for another transaction that inserts the same name. The next statement then sees the outcome.
          insertPublisher(app, limit),
          insertApp(app, limit),
          sql`SELECT owner_id FROM flow_publishers WHERE publisher = ${publisher}`,
          sql`SELECT app_id FROM flow_apps WHERE app_id = ${app.appId}`,
        ],
        { note, done: 1 },
        limit === undefined ? {} : { serializeOn: `flow apps of ${app.ownerId}` },
      );
      if (inserted.length === 1) return 'inserted';
      if (owner !== undefined && textOf(owner, 'owner_id') !== app.ownerId) return 'foreign-publisher';
      return existing.length === 1 ? 'exists' : 'full';
    },

    async findApp(appId) {
      const [row] = await query(sql`SELECT ${apps.list} FROM flow_apps WHERE app_id = ${appId}`);
      return row === undefined ? undefined : apps.read(row);
    },

    async listApps(userId, { limit, after }, subjects = []) {
      const older = after === undefined ? sql`` : sql`AND (created_at, app_id) < (${after.atMs}, ${after.id})`;
      const rows = await query(
        boundedPage({
          table: 'flow_apps',
          key: 'app_id',
          columns: apps.list,
          where: sql`(visibility = 'public' OR owner_id = ${userId} ${orShared(subjects)}) ${older}`,
          // The list needs the names of all active versions to find the latest one.
          size: sql`octet_length(name) + COALESCE(octet_length(description), 0) + ${namedVersionBytes} * (
            SELECT COUNT(*) FROM flow_versions WHERE flow_versions.app_id = flow_apps.app_id AND status = 'active')`,
          limit,
          maxBytes: maxListedBytes,
        }),
      );
      return readPage(rows, apps.read, ({ appId }) => appId);
    },

    async insertVersion(version, note, limit) {
      const [inserted = [], existing = [], room = []] = await audited(
        [
          insertVersion(version, limit),
          sql`SELECT id FROM flow_versions WHERE id = ${versionId(version.appId, version.version)}`,
          sql`SELECT 1 AS room WHERE ${hasRoom(versionsOf(version.appId), limit?.ofApp)}`,
        ],
        { note, done: 0 },
        limit === undefined ? {} : { serializeOn: `flow versions of ${limit.ownerId}` },
      );
      if (inserted.length === 1) return 'inserted';
      if (existing.length === 1) return 'exists';
      return room.length === 1 ? 'full' : 'app-full';
    },

    async findVersion(appId, version) {
      const [row] = await query(sql`SELECT ${versions.list} FROM flow_versions WHERE ${named(appId, version)}`);
      return row === undefined ? undefined : versions.read(row);
    },

    async listVersions(appId, { limit, after }) {
      const older =
        after === undefined ? sql`` : sql`AND (created_at, id) < (${after.atMs}, ${versionId(appId, after.id)})`;
      const rows = await query(
        boundedPage({
          table: 'flow_versions',
          key: 'id',
          columns: versions.list,
          where: sql`app_id = ${appId} ${older}`,
          size: sql`octet_length(manifest)`,
          limit,
          maxBytes: maxListedBytes,
        }),
      );
      return readPage(rows, versions.read, ({ version }) => version);
    },

    async activeVersions(appIds) {
      if (appIds.length === 0) return [];
      const rows = await query(sql`SELECT ${activeVersions.list} FROM flow_versions
        WHERE status = 'active' AND app_id IN (${list(appIds)})`);
      return rows.map(activeVersions.read);
    },

    async declaresEvent(appId, eventType) {
      // JSON writes the type in a manifest in one way, so only manifests whose text contains it are read.
      const name = JSON.stringify(eventType);
      for (let after = ''; ; ) {
        const rows = await query(sql`SELECT ${manifests.list} FROM flow_versions
          WHERE app_id = ${appId} AND status = 'active' AND id > ${after}
            AND octet_length(replace(manifest, ${name}, '')) < octet_length(manifest)
          ORDER BY id LIMIT ${manifestsAtOnce}`);
        const found = rows.map(manifests.read);
        if (found.some(({ manifest }) => manifest.eventTypes.includes(eventType))) return true;
        const last = found.length < manifestsAtOnce ? undefined : found.at(-1);
        if (last === undefined) return false;
        after = last.id;
      }
    },

    async retire(appId, version, atMs, note) {
      const [, [row] = []] = await audited(
        [
          sql`UPDATE flow_versions SET status = 'retired', retired_at = ${atMs}
            WHERE ${named(appId, version)} AND status = 'active' RETURNING id`,
          sql`SELECT ${versions.list} FROM flow_versions WHERE ${named(appId, version)}`,
        ],
        { note, done: 0 },
      );
      return row === undefined ? undefined : versions.read(row);
    },

    async probeBatch(after, limit) {
      const rows = await query(
        sql`SELECT ${versionNames.of('probed')}, app.owner_id
          FROM flow_versions AS probed JOIN flow_apps AS app ON app.app_id = probed.app_id
          WHERE probed.status = 'active' AND probed.id > ${after ?? ''} ORDER BY probed.id LIMIT ${limit}`,
        background,
      );
      const last = rows.length === limit ? rows.at(-1) : undefined;
      const probed = rows.map((row) => {
        const { appId, version } = versionNames.read(row);
        return { ownerId: textOf(row, 'owner_id'), appId, version };
      });
      return last === undefined ? { versions: probed } : { versions: probed, next: textOf(last, 'id') };
    },

    async findProbed(appId, version) {
      const active = sql`SELECT ${versions.list} FROM flow_versions WHERE ${named(appId, version)} AND status = 'active'`;
      const [row] = await query(active, background);
      return row === undefined ? undefined : versions.read(row);
    },

    async noteHealth(appId, version, healthy) {
      const id = versionId(appId, version);
      const note = healthy
        ? sql`UPDATE flow_versions SET health_misses = 0 WHERE id = ${id} AND health_misses > 0`
        : sql`UPDATE flow_versions SET health_misses = health_misses + 1 WHERE id = ${id} AND status = 'active'`;
      await database.transaction([note], background);
    },

    async replaceEmbedded(ownerId, entries, atMs) {
      const answers = await database.transaction(
        [
          ...entries.flatMap(({ app, version }) => [
            insertPublisher(app, undefined),
            upsertApp(app),
            upsertVersion(version, app.ownerId),
          ]),
          retireOthers(ownerId, entries, atMs),
        ],
        { serializeOn: 'embedded flow apps', deadlineMs: startDeadlineMs },
      );
      return entries.flatMap(({ app }, at) => (answers[at * 3 + 1]?.length === 1 ? [] : [app.appId]));
    },
  };
}

/** Policies of the app's owner: at most 100. JSON writes a subject in one way, quotes included. */
function orShared(subjects: readonly string[]): Statement {
  const [first, ...more] = subjects.map(
    (subject) => sql`octet_length(replace(subjects, ${JSON.stringify(subject)}, '')) < octet_length(subjects)`,
  );
  if (first === undefined) return sql``;
  const named = more.reduce((all, each) => sql`${all} OR ${each}`, first);
  return sql`OR EXISTS (SELECT 1 FROM firewall_policies
    WHERE firewall_policies.owner_id = flow_apps.owner_id AND flow_apps.owner_id <> '' AND effect = 'allow'
      AND resource_kind = 'app' AND resource_id IN ('*', flow_apps.app_id) AND (${named}))`;
}
