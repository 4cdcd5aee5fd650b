/** The storage for the registry. Every engine passes `flow/registry/registry-store.contract.ts`. */

import type { PageRequest, Position } from '@flowgate/base/page';
import type { AuditNote } from '../../audit/audit-note.ts';
import type { AppRecord } from './app.ts';
import type { VersionRecord } from './version.ts';

export type { AppRecord } from './app.ts';
export type { VersionRecord } from './version.ts';

export type RegistryPage<T> = { readonly records: readonly T[]; readonly next?: Position };

/** An embedded app with its version that runs in this process. */
export type EmbeddedEntry = { readonly app: AppRecord; readonly version: VersionRecord };

/** `ownerId`: the owner of the version's app. `active`: limit of active versions over all apps of that owner. `ofApp`: limit of versions of the app, retired ones included. */
export type VersionLimit = { readonly ownerId: string; readonly active: number; readonly ofApp: number };

/** A version in a round of health probes, without its manifest, because a round has many thousands. */
export type ProbedVersion = Pick<VersionRecord, 'appId' | 'version'> & { /** Of its app. */ readonly ownerId: string };

/** Every method throws `Unavailable` if the storage does not answer in time; a write may then be done or not. A completed write has its `note` in the audit log. */
export type RegistryStore = {
  /**
   * Registers the app, and its publisher's name for the owner if the name is free. Of concurrent registrations of one name or one app exactly one succeeds. `foreign-publisher`
   * is decided before `exists`, and that before `full`: the owner already has `limit` apps. The limit is exact under concurrency; by default there is none.
   */
  insertApp(
    app: AppRecord,
    note: AuditNote,
    limit?: number,
  ): Promise<'inserted' | 'exists' | 'foreign-publisher' | 'full'>;

  findApp(appId: string): Promise<AppRecord | undefined>;

  /** Public apps and those of `userId`, newest first. A page ends early with the app that takes it beyond 1 MiB of texts, where each active version counts as 128 bytes. */
  listApps(
    userId: string,
    page: PageRequest,
    /** Also private apps whose owner has an `allow` policy for the app, or for all apps, with one of these subjects. Such a policy may also name other subjects. */
    subjects?: readonly string[],
  ): Promise<RegistryPage<AppRecord>>;

  /**
   * `exists` also for a version that differs only in build metadata. `app-full` is decided next: the app already has `ofApp` versions. Then `full`: the owner's apps already have
   * `active` active versions. The limits are exact under concurrency; by default there are none.
   */
  insertVersion(
    version: VersionRecord,
    note: AuditNote,
    limit?: VersionLimit,
  ): Promise<'inserted' | 'exists' | 'app-full' | 'full'>;

  /** A version published with build metadata is found with the same metadata or without any. */
  findVersion(appId: string, version: string): Promise<VersionRecord | undefined>;

  /** Newest first. A page ends early with the version that takes it beyond 1 MiB. */
  listVersions(appId: string, page: PageRequest): Promise<RegistryPage<VersionRecord>>;

  /** Every active version of these apps, in no particular order, with the members that decide which is the latest. */
  activeVersions(
    appIds: readonly string[],
  ): Promise<readonly Pick<VersionRecord, 'appId' | 'version' | 'healthMisses'>[]>;

  /** Whether an active version of the app declares events of this type. */
  declaresEvent(appId: string, eventType: string): Promise<boolean>;

  /** Retires a version, found as in `findVersion`. Returns the record afterwards, or `undefined` if there is none. Repeating it changes nothing. */
  retire(appId: string, version: string, atMs: number, note: AuditNote): Promise<VersionRecord | undefined>;

  /** Active versions after the given position, in a stable order, for the rounds of health probes. */
  probeBatch(
    after: string | undefined,
    limit: number,
  ): Promise<{ readonly versions: readonly ProbedVersion[]; readonly next?: string }>;

  /** `findVersion` for health probes, with a lower priority; `undefined` also if the version is retired. */
  findProbed(appId: string, version: string): Promise<VersionRecord | undefined>;

  /** Counts a further miss, or resets the count if healthy. */
  noteHealth(appId: string, version: string, healthy: boolean): Promise<void>;

  /**
   * Makes these the apps of `ownerId` in one transaction: registers or updates each app (except `subjectSalt` and `createdAtMs`), makes its version active, and retires every
   * other version of the owner. Returns the apps whose publisher belongs to another owner; nothing is written for them.
   */
  replaceEmbedded(ownerId: string, entries: readonly EmbeddedEntry[], atMs: number): Promise<readonly string[]>;
};
