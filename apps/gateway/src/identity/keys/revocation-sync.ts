/** Brings revocations to this node from the others: by pub/sub at once, and by a poll of the store every few seconds, which does not depend on pub/sub (contract/many-gateways#revocation). */

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
  /** Absent without pub/sub: then only the store is asked. */
  readonly pubSub?: PubSub | undefined;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Pick<Log, 'info' | 'warn'>;
};

export type RevocationSync = {
  /** Forgets a key on this node and tells the others to. Call it after the store's commit, as `revokeKey` does. */
  readonly forget: (keyId: string) => void;
  /** Starts listening and polling; the returned function ends both. */
  readonly start: (pollMs?: number) => () => void;
  /** Polls the store now; resolves when the result was applied. Never rejects. */
  readonly poll: () => Promise<void>;
};

export const revocationTopic = 'key-revoked';
/** The poll and its answer fit into the 5 s of contract/many-gateways#revocation. */
export const defaultPollMs = 4_000;
/**
 * How far back each poll looks. It covers the difference between the clocks of two nodes, and a commit that came long after its time was taken. Beyond it the
 * cache's 60 s are the bound.
 */
export const pollOverlapMs = 300_000;
/** The most revocations in one poll. */
export const maxPolled = 10_000;

/** Nothing here can make a key valid: messages and polls only make this node look keys up again. */
export function createRevocationSync({ known, store, pubSub, clock, log }: RevocationSyncDeps): RevocationSync {
  let heeded: ReadonlySet<string> = new Set();
  let failing = false;

  async function askStore(): Promise<void> {
    try {
      const revoked = new Set(await store.revokedSince(clock.now() - pollOverlapMs, maxPolled));
      // Each revocation once: a revoked key that is used all the time must not cost a look-up after every poll.
      const fresh = [...revoked].filter((keyId) => !heeded.has(keyId));
      // More than a page: some may be on no page that is read.
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
