/** Revocations that the storage could not take. This node and its peers refuse the key from then on, and the write is repeated until it succeeds. */

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
  /** The storage's `find`, except that keys with a held revocation read as revoked. */
  readonly find: ApiKeyStore['find'];
  /**
   * `held`: not written yet, but the key is refused for as long as this process lives; its owner was certain. Throws `Unavailable` when nothing is held: the key's
   * owner cannot be known, or too many revocations are held already.
   */
  readonly revoke: (...revocation: Parameters<ApiKeyStore['revoke']>) => Promise<RevokeOutcome | 'held'>;
  /** Starts listening and retrying. The returned function ends both, and logs what is lost. */
  readonly start: (retryMs?: number) => () => void;
  /** Retries what is held, now. Never rejects. */
  readonly retry: () => Promise<void>;
};

export const pendingTopic = 'key-revocation-held';
const defaultRetryMs = 1_000;
/** How long a peer believes a message. Each retry repeats the message, so a hold outlives its node by this time at most. */
export const peerHoldMs = 30_000;
const maxHeld = 10_000;

type Held = { readonly ownerId: string; readonly atMs: number; readonly note: AuditNote };

export function createPendingRevocations(deps: PendingRevocationsDeps): PendingRevocations {
  const { store, known, pubSub, clock, log } = deps;
  const held = new Map<string, Held>();
  /** When peers reported a revocation that they hold, by key. */
  const pendingAtPeers = new ExpiringMap<string, number>(clock, peerHoldMs, maxHeld);

  function pendingSince(keyId: string): number | undefined {
    return held.get(keyId)?.atMs ?? pendingAtPeers.get(keyId);
  }

  async function ownerOf(keyId: string): Promise<ApiKeyRecord | { readonly ownerId: string } | undefined> {
    const ownerId = held.get(keyId)?.ownerId ?? known.ownerOf(keyId);
    return ownerId === undefined ? store.find(keyId) : { ownerId };
  }

  function hold(keyId: string, revocation: Held): void {
    // The first time counts, as in the storage.
    if (!held.has(keyId)) {
      held.set(keyId, revocation);
      log.warn('revocation.held', { keyId });
    }
    known.forget(keyId);
    pubSub?.publish(pendingTopic, { keyId });
  }

  async function retryAll(): Promise<void> {
    for (const [keyId, { ownerId, atMs, note }] of held) {
      try {
        await store.revoke(ownerId, keyId, atMs, note);
      } catch (error) {
        if (!(error instanceof Unavailable)) log.error('revocation.retry-failed', { error: String(error) });
        break;
      }
      held.delete(keyId);
      // A look-up that read before this write and ends after it would be believed, because nothing is held against the key any more.
      known.forget(keyId);
      log.info('revocation.written', { keyId });
    }
    for (const keyId of held.keys()) pubSub?.publish(pendingTopic, { keyId });
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
        held.delete(keyId);
        return outcome;
      } catch (error) {
        if (!(error instanceof Unavailable) || held.size >= maxHeld) throw error;
        // Strangers must not be able to have others' keys refused: unless the caller is known to be the owner, nothing is held.
        const owned = await ownerOf(keyId);
        if (owned?.ownerId !== ownerId) return 'absent';
        hold(keyId, { ownerId, atMs, note });
        return 'held';
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
        if (held.size > 0) void retry();
      }, retryMs);
      timer.unref();
      return () => {
        clearInterval(timer);
        stopListening?.();
        if (held.size > 0) log.error('revocation.lost', { keyIds: [...held.keys()].join(' ').slice(0, 2_000) });
      };
    },
  };
}
