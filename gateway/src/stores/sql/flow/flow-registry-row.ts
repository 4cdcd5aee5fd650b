/** Rows of the registry's tables, read and named. */

import type { AppRecord, VersionRecord } from '../../../flow/registry/registry-store.ts';
import type { Row } from '../engine/database.ts';
import { integerOf, optionalInteger, textOf } from '../engine/row.ts';
import { raw } from '../engine/sql-text.ts';

export const appColumns = raw('app_id, owner_id, name, description, visibility, subject_salt, created_at');
export const versionColumns = raw(
  'app_id, version, manifest, sealed_secret, status, created_at, retired_at, health_misses',
);

export function appOf(row: Row): AppRecord {
  return {
    appId: textOf(row, 'app_id'),
    ownerId: textOf(row, 'owner_id'),
    name: textOf(row, 'name'),
    ...(row['description'] === null ? {} : { description: textOf(row, 'description') }),
    visibility: textOf(row, 'visibility') as AppRecord['visibility'],
    subjectSalt: textOf(row, 'subject_salt'),
    createdAtMs: integerOf(row, 'created_at'),
  };
}

export function versionOf(row: Row): VersionRecord {
  return {
    appId: textOf(row, 'app_id'),
    version: textOf(row, 'version'),
    manifest: manifestOf(row),
    sealedSecret: textOf(row, 'sealed_secret'),
    status: textOf(row, 'status') as VersionRecord['status'],
    createdAtMs: integerOf(row, 'created_at'),
    ...optionalInteger(row, 'retired_at', 'retiredAtMs'),
    healthMisses: integerOf(row, 'health_misses'),
  };
}

export function manifestOf(row: Row): VersionRecord['manifest'] {
  return JSON.parse(textOf(row, 'manifest')) as VersionRecord['manifest'];
}
