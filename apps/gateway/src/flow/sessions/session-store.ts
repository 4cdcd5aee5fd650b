/** The storage for sessions. Every engine passes `flow/sessions/session-store.contract.ts`. */

import type { PageRequest, Position } from '@flowgate/base/page';
import type { SessionStatus } from '@flowgate/flow-format/manifest/registry-members';
import type { JsonObject } from '@flowgate/json/json-object';
import type { Lease } from '@flowgate/sql/coordination/lease-store';
import type { FlowEventRecord } from '../events/flow-event.ts';
import type { AppRecord } from '../registry/app.ts';
import type { VersionToRun } from '../registry/version.ts';
import type { SessionRecord } from './session.ts';

export type { SessionRecord };

/** A response that is repeated byte for byte. */
export type StoredResponse = { readonly body: string; readonly headers: Readonly<Record<string, string>> };

export type AppDataChange = { readonly set: JsonObject; readonly delete: readonly string[] };

/** One change of a session, written in one transaction. */
export type Transition = {
  /** The session after the change; `stateVersion` is one more than before. */
  readonly session: SessionRecord;
  readonly appData: AppDataChange;
  /** Their sequence numbers continue the session's. Deliveries to the owner's active subscriptions are enqueued in the same transaction. */
  readonly events: readonly FlowEventRecord[];
  readonly response?: StoredResponse & { readonly idempotencyKey: string };
};

export type SessionSnapshot = {
  readonly session: SessionRecord;
  /** The response that is stored under the given idempotency key. */
  readonly response?: StoredResponse;
  /** Whether a request has the session's lease. In the snapshot of `acquire` it means another request, and is always false. */
  readonly isLeased: boolean;
};

/** The data that decide a submission and that its app receives, read at one moment. */
export type SubmissionSnapshot = SessionSnapshot & {
  /** Absent if the registry has no version of exactly this name; `RegistryStore.findVersion` may still find one. */
  readonly version?: VersionToRun;
  readonly app?: Pick<AppRecord, 'subjectSalt' | 'ownerId' | 'visibility'>;
};

/** What the lease's holder also reads about the user and the session's app. */
export type UserAndApp = {
  /** Absent above 16 KiB, so that reading it does not delay other commits. */
  readonly appData?: AppData;
  readonly hasSecretMarks: boolean;
  readonly hasSubscriptions: boolean;
};

/**
 * What the caller found absent, so that the commit verifies that it still is. `subscriptions`: if there is one now, the commit enqueues deliveries for it. `secretMarks`: if
 * there is one now, the commit writes nothing.
 */
export type Unseen = { readonly subscriptions: boolean; readonly secretMarks: boolean };

export type SessionFilter = { readonly appId?: string; readonly status?: SessionStatus };

export type SessionLeaseAttempt =
  | {
      readonly kind: 'acquired';
      readonly lease: Lease;
      readonly snapshot: SessionSnapshot;
      /** Present if the session was read before. */
      readonly userAndApp?: UserAndApp;
    }
  | { readonly kind: 'running' }
  /** The session does not exist or has ended, so no request may run in it. */
  | { readonly kind: 'over' };

/** Limits of stored data. A change that does not increase the data is always allowed, even above a limit. */
export type StorageBounds = {
  /** For one user and app: names and values as JSON text. */
  readonly appDataBytes: number;
  readonly appDataNames: number;
  /** For one user over all apps: sessions with their responses and events, and app data. */
  readonly userBytes: number;
};

/** The limit of `StorageBounds` that refused a transition: that of app data, or that of the user. Nothing was written. */
export type NoRoom = 'app-data-full' | 'user-full';

export type StartLimits = { readonly maxActive?: number; readonly bounds?: StorageBounds };

/** `isWhole` is false if there is more than 2 MiB or 10,000 names, from before the limits were exact; then `members` is a part. */
export type AppData = { readonly members: JsonObject; readonly isWhole: boolean };

/** Every method throws `Unavailable` if the storage does not answer in time; the operation may then be done or not. */
export type SessionStore = {
  /**
   * Inserts a started session (`stateVersion` 1) with its first events. A repetition changes nothing, not even app data that was changed since. `full`: the user already has
   * `maxActive` active sessions. `answered`: a session of the user that was started with this key exists (`StartStore.find`). In both cases nothing is written. Limits are exact
   * under concurrency; by default there are none.
   */
  insert(start: Transition, limits?: StartLimits): Promise<'started' | 'answered' | 'full' | NoRoom>;

  /** Whether the user is below both limits at this moment. */
  hasRoom(
    userId: string,
    limits: Pick<StorageBounds, 'userBytes'> & { readonly maxActive: number },
  ): Promise<'room' | 'full' | 'user-full'>;

  /** A consistent snapshot; `undefined` if the session is absent or another user's. */
  find(userId: string, sessionId: string, idempotencyKey?: string): Promise<SessionSnapshot | undefined>;

  /** `find` for a submission, in one read. */
  findForSubmission(userId: string, sessionId: string, idempotencyKey: string): Promise<SubmissionSnapshot | undefined>;

  /** Newest first. A page ends early with the session that takes it beyond 2 MiB, so that a hundred sessions with large steps are never in memory at once. */
  list(
    userId: string,
    filter: SessionFilter,
    page: PageRequest,
  ): Promise<{ readonly records: readonly SessionRecord[]; readonly next?: Position }>;

  /**
   * Acquires the session's lease for `holder` and `ttlMs`. Of concurrent attempts one succeeds. The snapshot is taken after that and contains everything that earlier holders
   * committed. The lease of a crashed holder can be acquired when it has expired. `holder` must be unique to the attempt; an attempt that threw `Unavailable` does not retain the
   * lease. `seen`: the session as it was read before; if its `stateVersion` is the stored one, the session is unchanged and is not read again.
   */
  acquire(
    sessionId: string,
    holder: string,
    ttlMs: number,
    idempotencyKey?: string,
    seen?: SessionRecord,
  ): Promise<SessionLeaseAttempt>;

  /** Extends the lease to `ttlMs` from now; `false` if another request has acquired it since. */
  renew(lease: Lease, ttlMs: number): Promise<boolean>;

  /** Lets others acquire the lease at once. Has no effect if this request no longer owns it. */
  release(lease: Lease): Promise<void>;

  /**
   * Writes the whole transition and ends the lease in one transaction. Returns `lost` and writes nothing unless the lease is the latest one on the session and the session is
   * active with the preceding `stateVersion`. A repetition after a lost reply of the storage returns `lost`: read the stored response then. An ended session never changes again,
   * so its leases and its `launchContext` are removed. Bounds are exact under concurrency, and there are none by default; a transition that they refuse does not end the lease.
   * `marked`: there is a mark of a secret, although `unseen` says that there is none; nothing is written, and the lease remains.
   */
  commit(
    lease: Lease,
    transition: Transition,
    bounds?: StorageBounds,
    unseen?: Unseen,
  ): Promise<'committed' | 'lost' | 'marked' | NoRoom>;

  /** The app's data about the user: names and JSON values. */
  appData(userId: string, appId: string): Promise<AppData>;

  /** The value under one name of the app's data; `undefined` if there is none. */
  appDatum(userId: string, appId: string, name: string): Promise<unknown>;

  /** Active sessions without a lease whose time is over, the most overdue first. */
  dueForExpiry(nowMs: number, limit: number): Promise<readonly string[]>;
};
