/** The tables of the registry: publishers, apps and their versions. */

import { integer, json, optional, table, text, timeMs } from '@flowgate/sql/engine/table';
import type { AppRecord, VersionRecord } from './registry-store.ts';

export const publishersTable = table('flow_publishers', 'publisher', {
  publisher: text('publisher'),
  ownerId: text('owner_id'),
  createdAtMs: timeMs('created_at'),
});

export const appsTable = table('flow_apps', 'appId', {
  appId: text('app_id'),
  ownerId: text('owner_id'),
  name: text('name'),
  description: optional(text('description')),
  visibility: text<AppRecord['visibility']>('visibility'),
  subjectSalt: text('subject_salt'),
  createdAtMs: timeMs('created_at'),
});

export const versionsTable = table('flow_versions', 'id', {
  /** `app_id@version` without build metadata, so that versions that differ in it collide. */
  id: text('id'),
  appId: text('app_id'),
  version: text('version'),
  manifest: json<VersionRecord['manifest']>('manifest'),
  sealedSecret: text('sealed_secret'),
  status: text<VersionRecord['status']>('status'),
  createdAtMs: timeMs('created_at'),
  retiredAtMs: optional(timeMs('retired_at')),
  healthMisses: integer('health_misses'),
});
