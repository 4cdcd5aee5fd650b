/** What the registry needs from storage. Every engine passes `test/contracts/registry-store-contract.ts`. */

import type { PageRequest, Position } from '../../platform/page.ts';
import type { AppRecord } from './app.ts';
import type { VersionRecord } from './version.ts';

export type { AppRecord } from './app.ts';
export type { VersionRecord } from './version.ts';

export type RegistryPage<T> = { readonly records: readonly T[]; readonly next?: Position };

/** An app that runs in this process, with the one version of it that does. */
export type EmbeddedEntry = { readonly app: AppRecord; readonly version: VersionRecord };

/** `ownerId`: of the version's app. `active`: over all apps of that owner. `ofApp`: of the version's app, the retired ones too. */
export type VersionLimit = { readonly ownerId: string; readonly active: number; readonly ofApp: number };

/** A version as the health probe's rounds name it: many thousands are held at once, so without its manifest. */
export type ProbedVersion = Pick<VersionRecord, 'appId' | 'version'> & { /** Of its app. */ readonly ownerId: string };

/** Every method throws `Unavailable` when the storage does not answer in time; a write may then have been done or not. */
export type RegistryStore = {
  /**
   * Registers the app, and its publisher's name for the owner when nobody has it. Of two at once for one name or one app exactly one succeeds, whoever they are.
   * `foreign-publisher` is decided before `exists`, that before `full`: the owner has `limit` apps already, exact for many at once. No limit unless told.
   */
  insertApp(app: AppRecord, limit?: number): Promise<'inserted' | 'exists' | 'foreign-publisher' | 'full'>;

  findApp(appId: string): Promise<AppRecord | undefined>;

  /** Newest first: public apps and those of `userId`. A page ends early with the app that takes it beyond 1 MiB of texts, each active version counted as 128 bytes. */
  listApps(userId: string, page: PageRequest): Promise<RegistryPage<AppRecord>>;

  /**
   * `exists` also for a version that differs in build metadata only; then comes `app-full`: the app has had as many versions as `ofApp` already, and then `full`: the owner's apps have as
   * many active ones as `active`. Exact for many at once. No limit unless told.
   */
  insertVersion(version: VersionRecord, limit?: VersionLimit): Promise<'inserted' | 'exists' | 'app-full' | 'full'>;

  /** A version that was published with build metadata is found with the same or without any. */
  findVersion(appId: string, version: string): Promise<VersionRecord | undefined>;

  /** Newest first. A page ends early with the version that takes it beyond 1 MiB. */
  listVersions(appId: string, page: PageRequest): Promise<RegistryPage<VersionRecord>>;

  /** `version` and `healthMisses` of every active version of these apps, in no order: what the latest one is decided from. */
  activeVersions(
    appIds: readonly string[],
  ): Promise<readonly Pick<VersionRecord, 'appId' | 'version' | 'healthMisses'>[]>;

  /** Whether an active version of the app declares events of this type. */
  declaresEvent(appId: string, eventType: string): Promise<boolean>;

  /** The record afterwards, `undefined` when there is none (found as by `findVersion`). Again changes nothing. */
  retire(appId: string, version: string, atMs: number): Promise<VersionRecord | undefined>;

  /** Every active version after the given place, in a steady order: for the health probe's rounds. */
  probeBatch(
    after: string | undefined,
    limit: number,
  ): Promise<{ readonly versions: readonly ProbedVersion[]; readonly next?: string }>;

  /** `findVersion` for the probe, which has time: `undefined` also when it is retired. */
  findProbed(appId: string, version: string): Promise<VersionRecord | undefined>;

  /** Counts one more miss, or none from now on. */
  noteHealth(appId: string, version: string, healthy: boolean): Promise<void>;

  /**
   * Makes these the apps of `ownerId`, all at once: each is registered with its version, or brought to what is given here (but for `subjectSalt` and `createdAtMs`), its version
   * active whatever it was; every other version of the owner is retired. The apps whose publisher is somebody else's, of which nothing is written.
   */
  replaceEmbedded(ownerId: string, entries: readonly EmbeddedEntry[], atMs: number): Promise<readonly string[]>;
};
