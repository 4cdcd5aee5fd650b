/** What sessions need from storage. Every engine passes `test/contracts/session-store-contract.ts`. */

import type { JsonMembers, SessionStatus } from '@flowgate/client/flow-wire';
import type { Lease } from '../../platform/coordination/lease-store.ts';
import type { PageRequest, Position } from '../../platform/page.ts';
import type { FlowEventRecord } from '../events/flow-event.ts';
import type { SessionRecord } from './session.ts';

export type { SessionRecord };

/** An answer that is given again, byte for byte. */
export type StoredResponse = { readonly body: string; readonly headers: Readonly<Record<string, string>> };

export type AppDataChange = { readonly set: JsonMembers; readonly delete: readonly string[] };

/** One step of a session's life, written whole or not at all. */
export type Transition = {
  /** As it is afterwards; `stateVersion` is one more than before. */
  readonly session: SessionRecord;
  readonly appData: AppDataChange;
  /** Numbered on from the session's `lastSequence` before. Deliveries to the owner's active subscriptions are enqueued with them. */
  readonly events: readonly FlowEventRecord[];
  readonly response?: StoredResponse & { readonly idempotencyKey: string };
};

export type SessionSnapshot = {
  readonly session: SessionRecord;
  /** The response stored under the key that was asked for. */
  readonly response?: StoredResponse;
  /** Somebody holds the session; somebody else, in the snapshot that a claim gives. */
  readonly isClaimed: boolean;
};

export type SessionFilter = { readonly appId?: string; readonly status?: SessionStatus };

export type ClaimAttempt =
  | { readonly kind: 'claimed'; readonly lease: Lease; readonly snapshot: SessionSnapshot }
  | { readonly kind: 'running' }
  /** There is no such session, or it is over: nothing is to be done in it any more. */
  | { readonly kind: 'over' };

/** What may be kept, in bytes and names; what does not grow is always allowed, whoever is beyond a bound. */
export type KeptBounds = {
  /** Of one user's data with one app: names and values as JSON text. */
  readonly appDataBytes: number;
  readonly appDataNames: number;
  /** Of one user: sessions with their responses and events, and app data, over all apps. */
  readonly userBytes: number;
};

/** Why nothing of a transition was written: `app-data-full` and `user-full` by `KeptBounds`. */
export type NoRoom = 'app-data-full' | 'user-full';

export type StartLimits = { readonly mostActive?: number; readonly bounds?: KeptBounds };

/** `isWhole`: false for the part that is read of more than 2 MiB, or 10,000 names, kept from before the bound was exact. */
export type AppData = { readonly members: JsonMembers; readonly isWhole: boolean };

/** Every method throws `Unavailable` when the storage does not answer in time; then it may have been done or not. */
export type SessionStore = {
  /**
   * A started session with its first events: stateVersion 1. A repetition changes nothing, not even app data that was changed since. `full`, and nothing is written: the user has
   * `mostActive` active sessions already. Limits and bounds are exact for many at once, and none unless told. `answered`, and nothing is written: another session of the user was
   * started with this key, and is still there (`StartStore.find`).
   */
  insert(start: Transition, limits?: StartLimits): Promise<'started' | 'answered' | 'full' | NoRoom>;

  /** Whether the user has fewer active sessions than that, and keeps fewer bytes, for now. */
  hasRoom(
    userId: string,
    limits: Pick<KeptBounds, 'userBytes'> & { readonly mostActive: number },
  ): Promise<'room' | 'full' | 'user-full'>;

  /** One consistent look; `undefined` when the session is absent or another user's. */
  find(userId: string, sessionId: string, idempotencyKey?: string): Promise<SessionSnapshot | undefined>;

  /** Newest first. A page ends early with the session that takes it beyond 2 MiB: steps may be large, and a hundred of them must not be in memory at once. */
  list(
    userId: string,
    filter: SessionFilter,
    page: PageRequest,
  ): Promise<{ readonly records: readonly SessionRecord[]; readonly next?: Position }>;

  /**
   * The session is `holder`'s alone for `ttlMs`; of many at once one gets it, and the snapshot is of after that, with everything that earlier holders committed. A holder
   * that died is followed when its time is over. `holder` is unique to the attempt; one that was told `Unavailable` does not keep the session.
   */
  claim(sessionId: string, holder: string, ttlMs: number, idempotencyKey?: string): Promise<ClaimAttempt>;

  /** Holds on for `ttlMs` from now; `false` when somebody else claimed it since. */
  renew(lease: Lease, ttlMs: number): Promise<boolean>;

  /** Lets others claim it at once; harmless when it is not held any more. */
  release(lease: Lease): Promise<void>;

  /**
   * The whole transition in one transaction, and the lease ended with it. `lost`, and nothing is written, unless the lease is still the latest on the session, its
   * `stateVersion` is the one before and it is active. A repetition after a lost answer is `lost`: look whether the stored response is there. A session that is over never
   * changes again, so nothing of its leases is kept, nor of its `launchContext`. Bounds are exact for many at once, and none unless told; what they keep out leaves the lease.
   */
  commit(lease: Lease, transition: Transition, bounds?: KeptBounds): Promise<'committed' | 'lost' | NoRoom>;

  /** The user's data with an app: names and JSON values. */
  appData(userId: string, appId: string): Promise<AppData>;

  /** The value under one name of it; `undefined` when there is none. */
  appDatum(userId: string, appId: string, name: string): Promise<unknown>;

  /** Active sessions whose time is over, longest over first, that nobody has claimed. */
  dueForExpiry(nowMs: number, limit: number): Promise<readonly string[]>;
};
