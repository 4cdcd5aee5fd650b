/** The statements that insert, update and retire apps and versions. Each combines one condition with one change. */

import type { Statement } from '@flowgate/sql/engine/database';
import { list, sql } from '@flowgate/sql/engine/sql-text';
import { selection } from '@flowgate/sql/engine/table';
import type { AppRecord, EmbeddedEntry, VersionLimit, VersionRecord } from './registry-store.ts';
import { appsTable, publishersTable, versionsTable } from './registry-tables.ts';

const publishers = selection(publishersTable);
const apps = selection(appsTable);
const versions = selection(versionsTable);

export function publisherOf(appId: string): string {
  return appId.slice(0, appId.indexOf('/'));
}

/** Versions that differ only in build metadata have the same id. */
export function versionId(appId: string, version: string): string {
  return `${appId}@${version.split('+', 1)[0]}`;
}

/** A condition: the version with this name. A name with build metadata must match exactly. */
export function named(appId: string, version: string): Statement {
  const exactly = version.includes('+') ? sql`AND version = ${version}` : sql``;
  return sql`id = ${versionId(appId, version)} ${exactly}`;
}

export function versionsOf(appId: string): Statement {
  return sql`flow_versions WHERE app_id = ${appId}`;
}

/** A condition: fewer than `limit` rows; always true without a limit. */
export function hasRoom(among: Statement, limit: number | undefined): Statement {
  return limit === undefined ? sql`1 = 1` : sql`(SELECT COUNT(*) FROM ${among}) < ${limit}`;
}

export function insertPublisher(app: AppRecord, limit: number | undefined): Statement {
  const record = { publisher: publisherOf(app.appId), ownerId: app.ownerId, createdAtMs: app.createdAtMs };
  return sql`INSERT INTO flow_publishers (${publishers.list}) SELECT ${publishers.typedValues(record)}
    WHERE ${hasRoom(sql`flow_apps WHERE owner_id = ${app.ownerId}`, limit)} ON CONFLICT (publisher) DO NOTHING`;
}

function appRow(app: AppRecord): Statement {
  return sql`INSERT INTO flow_apps (${apps.list}) SELECT ${apps.typedValues(app)}
    WHERE EXISTS (
      SELECT 1 FROM flow_publishers WHERE publisher = ${publisherOf(app.appId)} AND owner_id = ${app.ownerId}
    )`;
}

export function insertApp(app: AppRecord, limit: number | undefined): Statement {
  return sql`${appRow(app)} AND ${hasRoom(sql`flow_apps WHERE owner_id = ${app.ownerId}`, limit)}
    ON CONFLICT (app_id) DO NOTHING RETURNING app_id`;
}

export function upsertApp(app: AppRecord): Statement {
  return sql`${appRow(app)} ON CONFLICT (app_id) DO UPDATE
    SET name = excluded.name, description = excluded.description, visibility = excluded.visibility RETURNING app_id`;
}

function versionRow(version: VersionRecord): Statement {
  const id = versionId(version.appId, version.version);
  return sql`INSERT INTO flow_versions (${versions.list}) SELECT ${versions.typedValues({ ...version, id })}`;
}

export function insertVersion(version: VersionRecord, limit: VersionLimit | undefined): Statement {
  const ofOwner = sql`SELECT app_id FROM flow_apps WHERE owner_id = ${limit?.ownerId ?? ''}`;
  const active = sql`flow_versions WHERE app_id IN (${ofOwner}) AND status = 'active'`;
  return sql`${versionRow(version)}
    WHERE ${hasRoom(active, limit?.active)} AND ${hasRoom(versionsOf(version.appId), limit?.ofApp)}
    ON CONFLICT (id) DO NOTHING RETURNING id`;
}

export function upsertVersion(version: VersionRecord, ownerId: string): Statement {
  return sql`${versionRow(version)}
    WHERE EXISTS (SELECT 1 FROM flow_apps WHERE app_id = ${version.appId} AND owner_id = ${ownerId})
    ON CONFLICT (id) DO UPDATE SET version = excluded.version, manifest = excluded.manifest,
      status = 'active', retired_at = NULL, health_misses = 0`;
}

/** Retires the owner's active versions that are not in `entries`. */
export function retireOthers(ownerId: string, entries: readonly EmbeddedEntry[], atMs: number): Statement {
  const current = entries.map(({ version }) => versionId(version.appId, version.version));
  const others = current.length === 0 ? sql`` : sql`AND id NOT IN (${list(current)})`;
  return sql`UPDATE flow_versions SET status = 'retired', retired_at = ${atMs}
    WHERE status = 'active' AND app_id IN (SELECT app_id FROM flow_apps WHERE owner_id = ${ownerId}) ${others}`;
}
