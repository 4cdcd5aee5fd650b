/**
 * Applies other nodes' revocations to this node: immediately by pub/sub, and every few seconds by a poll of the store that does not depend on pub/sub
 * (contract/many-gateways#revocation).
 */

import { pollSteadily } from '@flowgate/async/poll-steadily';
import type { PubSub } from '@flowgate/async/pub-sub';
import { singleFlight } from '@flowgate/async/single-flight';
import type { Clock } from '@flowgate/base/clock';
import { messageOf } from '@flowgate/base/text';
import type { Log } from '@flowgate/telemetry/log';
import type { ApiKeyStore } from './api-key-store.ts';
import type { KnownKeys } from './known-keys.ts';
import { reportedKeyId } from './reported-key-id.ts';

export type RevocationSyncDeps = {
  readonly known: Pick<KnownKeys, 'forget' | 'forgetAll'>;
  readonly store: Pick<ApiKeyStore, 'revokedSince'>;
  /** Absent without pub/sub: then only the store is polled. */
  readonly pubSub?: PubSub | undefined;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Pick<Log, 'info' | 'warn'>;
};

export type RevocationSync = {
  /** Invalidates a key on this node and notifies the others. Call it after the store's commit, as `revokeKey` does. */
  readonly forget: (keyId: string) => void;
  /** Starts listening and polling; the returned function ends both. */
  readonly start: (pollMs?: number) => () => void;
  /** Polls the store now; resolves when the result is applied. Never rejects. */
  readonly poll: () => Promise<void>;
};

export const revocationTopic = 'key-revoked';
/** The poll and its answer fit into the 5 s of contract/many-gateways#revocation. */
export const defaultPollMs = 4_000;
/**
 * How far each poll looks back. It covers clock differences between nodes, and a commit long after its time was taken. A revocation beyond it takes effect
 * within the cache's 60 s.
 */
export const pollOverlapMs = 300_000;
/** The maximum number of revocations in one poll. */
export const maxPolled = 10_000;

/** No message and no poll can make a key valid: they only make this node look keys up again. */
export function createRevocationSync({ known, store, pubSub, clock, log }: RevocationSyncDeps): RevocationSync {
  let heeded: ReadonlySet<string> = new Set();
  let failing = false;

  async function askStore(): Promise<void> {
    try {
      const revoked = new Set(await store.revokedSince(clock.now() - pollOverlapMs, maxPolled));
      // Each revocation is applied once: a revoked key in continuous use must not cost a look-up after every poll.
      const fresh = [...revoked].filter((keyId) => !heeded.has(keyId));
      // More than a page, because a revocation may be missing from every page that is read.
      if (revoked.size === maxPolled && fresh.length > 0) known.forgetAll();
      else for (const keyId of fresh) known.forget(keyId);
      heeded = revoked;
      if (failing) log.info('revocations.poll-recovered');
      failing = false;
    } catch (error) {
      if (!failing) log.warn('revocations.poll-failed', { reason: messageOf(error) });
      failing = true;
    }
  }

  const poll = singleFlight(askStore);

  return {
    forget(keyId) {
      known.forget(keyId);
      pubSub?.publish(revocationTopic, { keyId });
    },
    poll,
    start(pollMs = defaultPollMs) {
      const stopListening = pubSub?.subscribe(revocationTopic, (payload) => {
        const keyId = reportedKeyId(payload);
        if (keyId !== undefined) known.forget(keyId);
      });
      const stopGaps = pubSub?.onGap(() => {
        known.forgetAll();
      });
      const stopPolling = pollSteadily(pollMs, poll, () => failing);
      return () => {
        stopPolling();
        stopListening?.();
        stopGaps?.();
      };
    },
  };
}
