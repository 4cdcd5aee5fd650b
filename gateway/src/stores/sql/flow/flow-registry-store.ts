/** The registry of Flow Apps in SQL: one text of each query for every engine. The guarantees are `flow/registry/registry-store.ts`'. */

import type {
  AppRecord,
  EmbeddedEntry,
  RegistryStore,
  VersionLimit,
  VersionRecord,
} from '../../../flow/registry/registry-store.ts';
import { boundedPage, readPage } from '../engine/bounded-page.ts';
import type { Database, Statement } from '../engine/database.ts';
import { integerOf, textOf } from '../engine/row.ts';
import { sql } from '../engine/sql-text.ts';
import { appColumns, appOf, manifestOf, versionColumns, versionOf } from './flow-registry-row.ts';

/** Nobody waits for a probe's notes. */
const background = { deadlineMs: 2_000 };
/** Of a page, before its last entry. */
const mostListedBytes = 1_048_576;
/** Of an active version that is told by its app and number alone. */
const namedVersionBytes = 128;
/** A manifest has at most a quarter of a megabyte. */
const manifestsAtOnce = 4;
/** No caller waits for a gateway's start. */
const startDeadlineMs = 10_000;

export function createSqlRegistryStore(database: Database): RegistryStore {
  const query = ({ text, values }: Statement, options = {}) => database.query(text, values, options);
  return {
    async insertApp(app, limit) {
      const publisher = publisherOf(app.appId);
      const [, inserted = [], [owner] = [], existing = []] = await database.transaction(
        [
          // Waits for another transaction that is inserting the same name; the next statement then sees what became of it.
          insertPublisher(app, limit),
          insertApp(app, limit),
          sql`SELECT owner_id FROM flow_publishers WHERE publisher = ${publisher}`,
          sql`SELECT app_id FROM flow_apps WHERE app_id = ${app.appId}`,
        ],
        limit === undefined ? {} : { serialiseOn: `flow apps of ${app.ownerId}` },
      );
      if (inserted.length === 1) return 'inserted';
      if (owner !== undefined && textOf(owner, 'owner_id') !== app.ownerId) return 'foreign-publisher';
      return existing.length === 1 ? 'exists' : 'full';
    },

    async findApp(appId) {
      const [row] = await query(sql`SELECT ${appColumns} FROM flow_apps WHERE app_id = ${appId}`);
      return row === undefined ? undefined : appOf(row);
    },

    async listApps(userId, { limit, after }) {
      const older = after === undefined ? sql`` : sql`AND (created_at, app_id) < (${after.atMs}, ${after.id})`;
      const rows = await query(
        boundedPage({
          table: 'flow_apps',
          key: 'app_id',
          columns: appColumns,
          where: sql`(visibility = 'public' OR owner_id = ${userId}) ${older}`,
          // The list needs every active version's name to tell the latest.
          size: sql`octet_length(name) + COALESCE(octet_length(description), 0) + ${namedVersionBytes} * (
            SELECT COUNT(*) FROM flow_versions WHERE flow_versions.app_id = flow_apps.app_id AND status = 'active')`,
          limit,
          mostBytes: mostListedBytes,
        }),
      );
      return readPage(rows, appOf, ({ appId }) => appId);
    },

    async insertVersion(version, limit) {
      const [inserted = [], existing = [], room = []] = await database.transaction(
        [
          insertVersion(version, limit),
          sql`SELECT id FROM flow_versions WHERE id = ${versionId(version.appId, version.version)}`,
          sql`SELECT 1 AS room WHERE ${hasRoom(versionsOf(version.appId), limit?.ofApp)}`,
        ],
        limit === undefined ? {} : { serialiseOn: `flow versions of ${limit.ownerId}` },
      );
      if (inserted.length === 1) return 'inserted';
      if (existing.length === 1) return 'exists';
      return room.length === 1 ? 'full' : 'app-full';
    },

    async findVersion(appId, version) {
      const [row] = await query(sql`SELECT ${versionColumns} FROM flow_versions WHERE ${named(appId, version)}`);
      return row === undefined ? undefined : versionOf(row);
    },

    async listVersions(appId, { limit, after }) {
      const older =
        after === undefined ? sql`` : sql`AND (created_at, id) < (${after.atMs}, ${versionId(appId, after.id)})`;
      const rows = await query(
        boundedPage({
          table: 'flow_versions',
          key: 'id',
          columns: versionColumns,
          where: sql`app_id = ${appId} ${older}`,
          size: sql`octet_length(manifest)`,
          limit,
          mostBytes: mostListedBytes,
        }),
      );
      return readPage(rows, versionOf, ({ version }) => version);
    },

    async activeVersions(appIds) {
      if (appIds.length === 0) return [];
      const rows = await query(sql`SELECT app_id, version, health_misses FROM flow_versions
        WHERE status = 'active' AND app_id IN (${listed(appIds)})`);
      return rows.map((row) => ({
        appId: textOf(row, 'app_id'),
        version: textOf(row, 'version'),
        healthMisses: integerOf(row, 'health_misses'),
      }));
    },

    async declaresEvent(appId, eventType) {
      // The type is in the manifest's text as JSON has it: few others have it, and only they are read.
      const name = JSON.stringify(eventType);
      for (let after = ''; ; ) {
        const rows = await query(sql`SELECT id, manifest FROM flow_versions
          WHERE app_id = ${appId} AND status = 'active' AND id > ${after}
            AND octet_length(replace(manifest, ${name}, '')) < octet_length(manifest)
          ORDER BY id LIMIT ${manifestsAtOnce}`);
        if (rows.some((row) => manifestOf(row).eventTypes.includes(eventType))) return true;
        const last = rows.length < manifestsAtOnce ? undefined : rows.at(-1);
        if (last === undefined) return false;
        after = textOf(last, 'id');
      }
    },

    async retire(appId, version, atMs) {
      const [, [row] = []] = await database.transaction([
        sql`UPDATE flow_versions SET status = 'retired', retired_at = ${atMs}
          WHERE ${named(appId, version)} AND status = 'active'`,
        sql`SELECT ${versionColumns} FROM flow_versions WHERE ${named(appId, version)}`,
      ]);
      return row === undefined ? undefined : versionOf(row);
    },

    async probeBatch(after, limit) {
      const rows = await query(
        sql`SELECT probed.id, probed.app_id, probed.version, app.owner_id
          FROM flow_versions AS probed JOIN flow_apps AS app ON app.app_id = probed.app_id
          WHERE probed.status = 'active' AND probed.id > ${after ?? ''} ORDER BY probed.id LIMIT ${limit}`,
        background,
      );
      const last = rows.length === limit ? rows.at(-1) : undefined;
      const versions = rows.map((row) => ({
        ownerId: textOf(row, 'owner_id'),
        appId: textOf(row, 'app_id'),
        version: textOf(row, 'version'),
      }));
      return last === undefined ? { versions } : { versions, next: textOf(last, 'id') };
    },

    async findProbed(appId, version) {
      const active = sql`SELECT ${versionColumns} FROM flow_versions WHERE ${named(appId, version)} AND status = 'active'`;
      const [row] = await query(active, background);
      return row === undefined ? undefined : versionOf(row);
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
        { serialiseOn: 'embedded flow apps', deadlineMs: startDeadlineMs },
      );
      return entries.flatMap(({ app }, at) => (answers[at * 3 + 1]?.length === 1 ? [] : [app.appId]));
    },
  };
}

function publisherOf(appId: string): string {
  return appId.slice(0, appId.indexOf('/'));
}

/** Twins that differ in build metadata are one. */
function versionId(appId: string, version: string): string {
  return `${appId}@${version.split('+', 1)[0]}`;
}

/** As a condition: the version with this name. Given with build metadata, it has to be the very one. */
function named(appId: string, version: string): Statement {
  const exactly = version.includes('+') ? sql`AND version = ${version}` : sql``;
  return sql`id = ${versionId(appId, version)} ${exactly}`;
}

function listed(values: readonly string[]): Statement {
  return { text: values.map(() => '?').join(', '), values };
}

function insertPublisher(app: AppRecord, limit: number | undefined): Statement {
  return sql`INSERT INTO flow_publishers (publisher, owner_id, created_at)
    SELECT CAST(${publisherOf(app.appId)} AS TEXT), CAST(${app.ownerId} AS TEXT), CAST(${app.createdAtMs} AS BIGINT)
    WHERE ${hasRoom(sql`flow_apps WHERE owner_id = ${app.ownerId}`, limit)} ON CONFLICT (publisher) DO NOTHING`;
}

function hasRoom(among: Statement, limit: number | undefined): Statement {
  return limit === undefined ? sql`1 = 1` : sql`(SELECT COUNT(*) FROM ${among}) < ${limit}`;
}

function appRow(app: AppRecord): Statement {
  return sql`INSERT INTO flow_apps (${appColumns})
    SELECT CAST(${app.appId} AS TEXT), CAST(${app.ownerId} AS TEXT), CAST(${app.name} AS TEXT),
      CAST(${app.description ?? null} AS TEXT), CAST(${app.visibility} AS TEXT), CAST(${app.subjectSalt} AS TEXT),
      CAST(${app.createdAtMs} AS BIGINT)
    WHERE EXISTS (
      SELECT 1 FROM flow_publishers WHERE publisher = ${publisherOf(app.appId)} AND owner_id = ${app.ownerId}
    )`;
}

function insertApp(app: AppRecord, limit: number | undefined): Statement {
  return sql`${appRow(app)} AND ${hasRoom(sql`flow_apps WHERE owner_id = ${app.ownerId}`, limit)}
    ON CONFLICT (app_id) DO NOTHING RETURNING app_id`;
}

function upsertApp(app: AppRecord): Statement {
  return sql`${appRow(app)} ON CONFLICT (app_id) DO UPDATE
    SET name = excluded.name, description = excluded.description, visibility = excluded.visibility RETURNING app_id`;
}

function versionRow(version: VersionRecord): Statement {
  return sql`INSERT INTO flow_versions (id, ${versionColumns})
    SELECT CAST(${versionId(version.appId, version.version)} AS TEXT), CAST(${version.appId} AS TEXT),
      CAST(${version.version} AS TEXT), CAST(${JSON.stringify(version.manifest)} AS TEXT),
      CAST(${version.sealedSecret} AS TEXT), CAST(${version.status} AS TEXT), CAST(${version.createdAtMs} AS BIGINT),
      CAST(${version.retiredAtMs ?? null} AS BIGINT), CAST(${version.healthMisses} AS BIGINT)`;
}

function insertVersion(version: VersionRecord, limit: VersionLimit | undefined): Statement {
  const ofOwner = sql`SELECT app_id FROM flow_apps WHERE owner_id = ${limit?.ownerId ?? ''}`;
  const active = sql`flow_versions WHERE app_id IN (${ofOwner}) AND status = 'active'`;
  return sql`${versionRow(version)}
    WHERE ${hasRoom(active, limit?.active)} AND ${hasRoom(versionsOf(version.appId), limit?.ofApp)}
    ON CONFLICT (id) DO NOTHING RETURNING id`;
}

function versionsOf(appId: string): Statement {
  return sql`flow_versions WHERE app_id = ${appId}`;
}

function upsertVersion(version: VersionRecord, ownerId: string): Statement {
  return sql`${versionRow(version)}
    WHERE EXISTS (SELECT 1 FROM flow_apps WHERE app_id = ${version.appId} AND owner_id = ${ownerId})
    ON CONFLICT (id) DO UPDATE SET version = excluded.version, manifest = excluded.manifest,
      status = 'active', retired_at = NULL, health_misses = 0`;
}

function retireOthers(ownerId: string, entries: readonly EmbeddedEntry[], atMs: number): Statement {
  const kept = entries.map(({ version }) => versionId(version.appId, version.version));
  const others = kept.length === 0 ? sql`` : sql`AND id NOT IN (${listed(kept)})`;
  return sql`UPDATE flow_versions SET status = 'retired', retired_at = ${atMs}
    WHERE status = 'active' AND app_id IN (SELECT app_id FROM flow_apps WHERE owner_id = ${ownerId}) ${others}`;
}
