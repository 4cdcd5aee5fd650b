/** Revocations that the storage could not write. This node and its peers refuse the key at once, and this node retries the write until it succeeds. */

import { ExpiringMap } from '@flowgate/async/expiring-map';
import type { PubSub } from '@flowgate/async/pub-sub';
import { singleFlight } from '@flowgate/async/single-flight';
import type { Clock } from '@flowgate/base/clock';
import { Unavailable } from '@flowgate/base/unavailable';
import type { Log } from '@flowgate/telemetry/log';
import type { AuditNote } from '../../audit/audit-note.ts';
import type { ApiKeyRecord, ApiKeyStore, RevokeOutcome } from './api-key-store.ts';
import type { KnownKeys } from './known-keys.ts';
import { reportedKeyId } from './reported-key-id.ts';

export type PendingRevocationsDeps = {
  readonly store: Pick<ApiKeyStore, 'find' | 'revoke'>;
  /** What this node knows without asking the storage. */
  readonly known: Pick<KnownKeys, 'forget' | 'ownerOf'>;
  /** Absent without pub/sub: then only this node refuses the key. */
  readonly pubSub?: PubSub | undefined;
  readonly clock: Pick<Clock, 'now' | 'monotonic'>;
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>;
};

export type PendingRevocations = {
  /** The storage's `find`, except that keys with a pending revocation read as revoked. */
  readonly find: ApiKeyStore['find'];
  /**
   * `pending`: not written yet, but this process refuses the key as long as it lives; its owner was certain. Throws `Unavailable` when the revocation cannot
   * be pending: the key's owner cannot be known, or the maximum of revocations is pending.
   */
  readonly revoke: (...revocation: Parameters<ApiKeyStore['revoke']>) => Promise<RevokeOutcome | 'pending'>;
  /** Starts listening and retrying. The returned function ends both, and logs the revocations that are lost. */
  readonly start: (retryMs?: number) => () => void;
  /** Retries the pending revocations now. Never rejects. */
  readonly retry: () => Promise<void>;
};

export const pendingTopic = 'key-revocation-held';
const defaultRetryMs = 1_000;
/** How long a peer refuses a key after a message. Each retry repeats the message, so the refusal outlives the node by at most this time. */
export const peerPendingMs = 30_000;
const maxPending = 10_000;

type PendingRevocation = { readonly ownerId: string; readonly atMs: number; readonly note: AuditNote };

export function createPendingRevocations(deps: PendingRevocationsDeps): PendingRevocations {
  const { store, known, pubSub, clock, log } = deps;
  const pending = new Map<string, PendingRevocation>();
  /** When peers reported their pending revocations, by key. */
  const pendingAtPeers = new ExpiringMap<string, number>(clock, peerPendingMs, maxPending);

  function pendingSince(keyId: string): number | undefined {
    return pending.get(keyId)?.atMs ?? pendingAtPeers.get(keyId);
  }

  async function ownerOf(keyId: string): Promise<ApiKeyRecord | { readonly ownerId: string } | undefined> {
    const ownerId = pending.get(keyId)?.ownerId ?? known.ownerOf(keyId);
    return ownerId === undefined ? store.find(keyId) : { ownerId };
  }

  function setPending(keyId: string, revocation: PendingRevocation): void {
    // The first time counts, as in the storage.
    if (!pending.has(keyId)) {
      pending.set(keyId, revocation);
      log.warn('revocation.pending', { keyId });
    }
    known.forget(keyId);
    pubSub?.publish(pendingTopic, { keyId });
  }

  async function retryAll(): Promise<void> {
    for (const [keyId, { ownerId, atMs, note }] of pending) {
      try {
        await store.revoke(ownerId, keyId, atMs, note);
      } catch (error) {
        if (!(error instanceof Unavailable)) log.error('revocation.retry-failed', { error: String(error) });
        break;
      }
      pending.delete(keyId);
      // The result of a look-up that read before this write must be discarded, because the revocation is no longer pending.
      known.forget(keyId);
      log.info('revocation.written', { keyId });
    }
    for (const keyId of pending.keys()) pubSub?.publish(pendingTopic, { keyId });
  }

  const retry = singleFlight(retryAll);

  return {
    async find(keyId) {
      const record = await store.find(keyId);
      if (record === undefined || record.revokedAtMs !== undefined) return record;
      const revokedAtMs = pendingSince(keyId);
      return revokedAtMs === undefined ? record : { ...record, revokedAtMs };
    },

    async revoke(ownerId, keyId, atMs, note) {
      try {
        const outcome = await store.revoke(ownerId, keyId, atMs, note);
        pending.delete(keyId);
        return outcome;
      } catch (error) {
        if (!(error instanceof Unavailable) || pending.size >= maxPending) throw error;
        // A caller must not be able to make a node refuse other users' keys: only the known owner's revocation becomes pending.
        const owned = await ownerOf(keyId);
        if (owned?.ownerId !== ownerId) return 'absent';
        setPending(keyId, { ownerId, atMs, note });
        return 'pending';
      }
    },

    retry,

    start(retryMs = defaultRetryMs) {
      const stopListening = pubSub?.subscribe(pendingTopic, (payload) => {
        const keyId = reportedKeyId(payload);
        if (keyId === undefined) return;
        const isNew = pendingSince(keyId) === undefined;
        pendingAtPeers.set(keyId, clock.now());
        if (isNew) known.forget(keyId);
      });
      const timer = setInterval(() => {
        if (pending.size > 0) void retry();
      }, retryMs);
      timer.unref();
      return () => {
        clearInterval(timer);
        stopListening?.();
        if (pending.size > 0) log.error('revocation.lost', { keyIds: [...pending.keys()].join(' ').slice(0, 2_000) });
      };
    },
  };
}
